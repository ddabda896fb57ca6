/** A human player's session as an episode of the store. */

import type { Recorder } from "../../core/agent/method.ts";
import type { Document, Environment, EnvSpec, Turn } from "../../core/env/environment.ts";
import { WorldError } from "../../core/errors.ts";
import { hashOf } from "../../core/text/canonical.ts";
import {
  endEpisode,
  type EpisodeRecord,
  listEpisodes,
  putEpisode,
  startEpisode,
} from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { putStudy } from "../../lab/store/studies.ts";
import { listTurns } from "../../lab/store/turns.ts";
import { counted } from "../../core/text/amounts.ts";
import { createRecorder } from "../../lab/recorder.ts";

/** Id of the study of all sessions; also their method, condition and backbone. */
export const HUMAN = "human";

/** A session in progress. */
export interface HumanSession {
  /** Id of its episode. */
  readonly id: string;
  /** Records each turn. */
  readonly recorder: Pick<Recorder, "step">;
  /**
   * Ends the session with its last turn. An unfinished game is recorded as `unfinished`, paused if
   * it `canGoOn` and else failed, and is in no table.
   */
  end(
    turn: Turn,
    options: { readonly steps: number; readonly now: number; readonly canGoOn?: boolean },
  ): void;
}

/**
 * Enters a new session into the store. `params` are the player's, `heard` is that of
 * `createRecorder`; `now` is in milliseconds since 1970.
 */
export function beginHumanSession(
  store: Store,
  options: {
    readonly spec: EnvSpec;
    readonly params: Readonly<Record<string, unknown>>;
    readonly now: number;
    readonly heard?: unknown[];
  },
): HumanSession {
  const { spec, params, now, heard } = options;
  const { path: _path, ...parameters } = spec.parameters;
  const id = store.transaction(() => {
    putStudy(store, {
      id: HUMAN,
      spec: { id: HUMAN, title: "Games that people played" },
      createdAt: now,
    });
    const attempt = 1 +
      listEpisodes(store, { study: HUMAN }).filter(({ game }) => game === spec.identity).length;
    const chain = [spec.id, spec.identity.slice(0, 8), attempt].join("|");
    const played = { world: spec.id, game: spec.identity, attempt };
    const identity = {
      ...played,
      worldVersion: spec.version,
      params: parameters,
      method: { id: HUMAN },
    };
    const fresh = hashOf([HUMAN, chain, identity]).slice(0, 16);
    const named = { study: HUMAN, method: HUMAN, memory: "", condition: HUMAN, backbone: HUMAN };
    putEpisode(store, {
      id: fresh,
      chain,
      ordinal: 0,
      identity,
      worldParams: params,
      seed: 0,
      ...played,
      ...named,
    });
    startEpisode(store, fresh, now);
    return fresh;
  });
  return sessionOf(store, id, heard);
}

/** A session that goes on, and where it stands. */
export interface ResumedSession extends HumanSession {
  readonly step: number;
  readonly turn: Turn;
  /** The paragraphs of a question, which are shown at the beginning. */
  readonly documents: readonly Document[];
}

/**
 * Goes on with a session that was paused, or whose process was killed: plays its recorded steps
 * again in `env`, a new one of its world and parameters. `heard` and `now` are those of
 * `beginHumanSession`.
 *
 * @throws {WorldError} `diverged` if the world is another one by now; the session is left as it
 *   was.
 */
export async function resumeHumanSession(
  store: Store,
  episode: Pick<EpisodeRecord, "id" | "game">,
  { env, heard, now }: {
    readonly env: Environment;
    readonly heard?: unknown[];
    readonly now: number;
  },
): Promise<ResumedSession> {
  if (env.spec.identity !== episode.game) {
    throw new WorldError("diverged", "the game has changed since it was begun");
  }
  const session = sessionOf(store, episode.id, heard);
  const [, ...rest] = listTurns(store, episode.id);
  let turn = await env.reset();
  const { documents = [] } = turn;
  await session.recorder.step({ pass: 0, step: 0, turn });
  for (const { step, action = "" } of rest) {
    turn = await env.step(action);
    await session.recorder.step({ pass: 0, step, action, turn });
  }
  startEpisode(store, episode.id, now);
  return { ...session, step: rest.length, turn, documents };
}

function sessionOf(store: Store, id: string, heard?: unknown[]): HumanSession {
  return {
    id,
    recorder: createRecorder({ store, episode: id, heard }),
    end: ({ score, maxScore, end }, { steps, now, canGoOn = false }) => {
      const left = {
        failureKind: "unfinished",
        failureMessage: `the player left after ${counted(steps, "step")}`,
      };
      endEpisode(
        store,
        id,
        end
          ? { status: "completed", passes: [{ kind: "only", score, maxScore, steps, end }] }
          : { status: canGoOn ? "paused" : "failed", ...left },
        now,
      );
    },
  };
}
