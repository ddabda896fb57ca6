/**
 * A human player's session as an episode of the store.
 *
 * @module
 */

import type { Recorder } from "../agent/method.ts";
import type { EnvSpec, Turn } from "../env/environment.ts";
import { hashOf } from "../store/canonical.ts";
import { endEpisode, listEpisodes, putEpisode, startEpisode } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { putStudy } from "../store/studies.ts";
import { createRecorder } from "./recorder.ts";

/** Id of the study of all sessions; also their method, condition and backbone. */
export const HUMAN = "human";

/** A session in progress. */
export interface HumanSession {
  /** Id of its episode. */
  readonly id: string;
  /** Records each turn. */
  readonly recorder: Pick<Recorder, "step">;
  /** Ends the session with its last turn. An unfinished game is recorded as failed, `unfinished`, and is in no table. */
  end(turn: Turn, options: { readonly steps: number; readonly now: number }): void;
}

/**
 * Enters a new session into the store. `params` are the player's, `heard` is that of `createRecorder`; `now` is in milliseconds since 1970.
 *
 * @example
 * ```ts
 * import { beginHumanSession } from "labyrinth/lab";
 * import { getEpisode, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const spec = { id: "lever", version: "1", parameters: {}, sections: [], actions: [], fallback: "look", identity: "0".repeat(64) };
 * const session = beginHumanSession(store, { spec, params: {}, now: 0 });
 * const turn = { goal: "Win.", observation: "A lever.", sections: {}, frames: [], score: 0, maxScore: 1 };
 * await session.recorder.step({ pass: 0, step: 0, turn });
 * session.end(turn, { steps: 0, now: 1 });
 * assert.equal(getEpisode(store, session.id).failureKind, "unfinished");
 * ```
 */
export function beginHumanSession(
  store: Store,
  options: { readonly spec: EnvSpec; readonly params: Readonly<Record<string, unknown>>; readonly now: number; readonly heard?: unknown[] },
): HumanSession {
  const { spec, params, now, heard } = options;
  const { path: _path, ...parameters } = spec.parameters;
  const id = store.transaction(() => {
    putStudy(store, { id: HUMAN, spec: { id: HUMAN, title: "Games that people played" }, createdAt: now });
    const attempt = 1 + listEpisodes(store, { study: HUMAN }).filter(({ game }) => game === spec.identity).length;
    const lane = [spec.id, spec.identity.slice(0, 8), attempt].join("|");
    const played = { world: spec.id, game: spec.identity, attempt };
    const identity = { ...played, worldVersion: spec.version, params: parameters, method: { id: HUMAN } };
    const fresh = hashOf([HUMAN, lane, identity]).slice(0, 16);
    const named = { study: HUMAN, method: HUMAN, memory: "", condition: HUMAN, backbone: HUMAN };
    putEpisode(store, { id: fresh, lane, ordinal: 0, identity, worldParams: params, seed: 0, ...played, ...named });
    startEpisode(store, fresh, now);
    return fresh;
  });
  return {
    id,
    recorder: createRecorder({ store, episode: id, heard }),
    end: (turn, { steps, now }) => {
      const { score, maxScore, end } = turn;
      endEpisode(
        store,
        id,
        end
          ? { status: "completed", passes: [{ kind: "only", score, maxScore, steps, end }] }
          : { status: "failed", failureKind: "unfinished", failureMessage: `the player left after ${steps} steps` },
        now,
      );
    },
  };
}
