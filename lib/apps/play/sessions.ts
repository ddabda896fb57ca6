/** The sessions of the people at one server, each with a link; paused while its player is away. */

import { createHash, randomBytes } from "node:crypto";
import type { Document, Environment, Turn } from "../../core/env/mod.ts";
import { withoutTruth, withSafeText } from "../../core/env/session.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { safeText } from "../../core/foreign-text.ts";
import { isRebuildable } from "../../lab/failures.ts";
import { beginHumanSession, HUMAN, type HumanSession, resumeHumanSession } from "./human.ts";
import { type EpisodeRecord, findEpisode } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { getTurn, listTurns, type TurnRow } from "../../lab/store/turns.ts";
import { same } from "../view/http.ts";
import {
  CONSENT,
  type GameChoice,
  type Moment,
  type Move,
  type SessionsOptions,
  type SessionView,
} from "./session-view.ts";

interface Play {
  readonly env: Environment;
  readonly session: HumanSession;
  readonly documents: readonly Document[];
  turn: Turn;
  step: number;
}

/** A session at this server. What is done with it is done in turn. */
interface Seat {
  readonly id: string;
  last: Promise<unknown>;
  watchers: number;
  timer?: ReturnType<typeof setTimeout>;
  /** Absent while it is paused, and after its end. */
  play?: Play;
}

/**
 * The sessions of a server by link, `<episode>.<key>`, also those that an earlier server recorded.
 * A session has at most one game in play, and its requests run one after another.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #seats = new Map<string, Seat>();
  readonly #streams = new Set<() => void>();
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  #seatAt(link: string): Seat | undefined {
    const id = episodeOf(this.#options.store, link);
    return id === undefined
      ? undefined
      : this.#seats.getOrInsertComputed(id, () => ({ id, last: Promise.resolve(), watchers: 0 }));
  }

  /** Runs work on a session after earlier work; again if its world was lost meanwhile. */
  async #inTurn<T>(seat: Seat, work: (episode: EpisodeRecord) => Promise<T>): Promise<T> {
    const once = async (): Promise<T> => {
      if (this.#isClosed) throw new WorldError("unreachable", "the server has been stopped");
      return await work(findEpisode(this.#options.store, seat.id) as EpisodeRecord);
    };
    const result = seat.last.then(once).catch((error) => {
      if (this.#isClosed || !isRebuildable(error)) throw error;
      this.#pause(seat);
      return once();
    });
    seat.last = result.catch(() => {}).finally(() => this.#pauseLater(seat));
    return await result;
  }

  /** Pauses a session later unless somebody watches it then. */
  #pauseLater(seat: Seat): void {
    clearTimeout(seat.timer);
    if (this.#isClosed) return;
    const pauseIfAlone = (): void => {
      if (seat.watchers === 0 && !this.#isClosed) this.#pause(seat);
    };
    seat.timer = setTimeout(
      () =>
        seat.last = seat.last.then(pauseIfAlone).catch((error) => this.#options.onError?.(error)),
      this.#options.patience ?? 10_000,
    );
  }

  #pause(seat: Seat): void {
    const { play } = seat;
    if (!play) return;
    seat.play = undefined;
    play.env.close().catch(() => {}); // the world may be what is gone
    play.session.end(play.turn, { steps: play.step, now: this.#options.now(), canGoOn: true });
  }

  /** Opens a world for a seat; it is closed if what follows fails. */
  async #open<T>(
    { world, params }: GameChoice,
    then: (env: Environment, heard: unknown[]) => Promise<T>,
  ): Promise<T> {
    const heard: unknown[] = [];
    const env = withSafeText(await this.#options.worlds.open(world, params), heard);
    try {
      return await then(withoutTruth(env), heard);
    } catch (error) {
      await env.close();
      throw error;
    }
  }

  /** Begins a session and returns its link. @throws {WorldError} if the world cannot be opened. */
  async begin(game: GameChoice, name: string): Promise<string> {
    return await this.#open(game, async (env, heard) => {
      const turn = await env.reset();
      const session = beginHumanSession(this.#options.store, {
        spec: env.spec,
        params: game.params,
        heard,
        now: this.#options.now(),
      });
      const key = randomBytes(18).toString("base64url");
      const player = { consent: CONSENT, ...name && { name: safeText(name) } };
      await session.recorder.step({
        pass: 0,
        step: 0,
        turn,
        details: { player, link: hashed(key) },
      });
      const link = `${session.id}.${key}`;
      const seat = this.#seatAt(link) as Seat;
      seat.play = { env, session, documents: turn.documents ?? [], turn, step: 0 };
      if (this.#isClosed) this.#pause(seat);
      this.#pauseLater(seat);
      return link;
    });
  }

  /** The game of a seat, which is played again to where it stood if it was paused. */
  async #playOf(seat: Seat, { world, worldParams, ...episode }: EpisodeRecord): Promise<Play> {
    return seat.play ??= await this.#open({ world, params: worldParams }, async (env, heard) => {
      const session = await resumeHumanSession(this.#options.store, episode, {
        env,
        heard,
        now: this.#options.now(),
      });
      return { env, session, documents: session.documents, turn: session.turn, step: session.step };
    });
  }

  /** Looks at a session, and takes it up where it is paused. */
  async look(link: string): Promise<SessionView | undefined> {
    const seat = this.#seatAt(link);
    return seat && await this.#inTurn(seat, async (episode) => {
      const play = isOver(episode) ? undefined : await this.#playOf(seat, episode);
      const turns = listTurns(this.#options.store, seat.id);
      const { name } = (turns[0]?.details["player"] ?? {}) as { name?: string };
      const forms = (play?.env.spec.actions ?? []).map(({ name, description }) => ({
        name,
        description,
      }));
      return {
        episode: seat.id,
        world: episode.world,
        name,
        turns,
        documents: play?.documents ?? [],
        forms,
        ...await choicesOf(play),
      };
    });
  }

  /**
   * Takes a step.
   *
   * @throws {UsageError} if the session stands elsewhere, as after a step in another window, or is
   *   over.
   * @throws {WorldError} `bad-action` if the world does not know the action: it has taken no step.
   */
  async act(link: string, { step, action: typed, note }: Move): Promise<Moment | undefined> {
    const seat = this.#seatAt(link);
    return seat && await this.#inTurn(seat, async (episode) => {
      if (isOver(episode)) throw new UsageError("this game is over");
      const play = await this.#playOf(seat, episode);
      if (step !== play.step) {
        throw new UsageError("this game continued in another window; here is its latest turn");
      }
      const action = safeText(typed);
      const turn = await play.env.step(action);
      if (this.#isClosed) {
        throw new WorldError("unreachable", "the server was stopped before this step was recorded");
      }
      await play.session.recorder.step({
        pass: 0,
        step: step + 1,
        action,
        turn,
        details: note ? { note: safeText(note) } : {},
      });
      Object.assign(play, { turn, step: step + 1 });
      if (turn.end) {
        play.session.end(turn, { steps: play.step, now: this.#options.now() });
        seat.play = undefined;
        await play.env.close();
      }
      return {
        turn: getTurn(this.#options.store, {
          episode: seat.id,
          pass: 0,
          step: step + 1,
        }) as TurnRow,
        ...await choicesOf(seat.play),
      };
    });
  }

  /** A stream of server-sent comments: while somebody reads it, the player is there. */
  watch(link: string): ReadableStream<Uint8Array> | undefined {
    const seat = this.#seatAt(link);
    if (!seat) return undefined;
    let timer: ReturnType<typeof setInterval>;
    let stop = (): void => {};
    const leave = (): void => {
      clearInterval(timer);
      this.#streams.delete(stop);
      seat.watchers -= 1;
      this.#pauseLater(seat);
    };
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const say = (text: string): void => controller.enqueue(new TextEncoder().encode(text));
        stop = () => {
          leave();
          controller.close();
        };
        this.#streams.add(stop);
        seat.watchers += 1;
        clearTimeout(seat.timer);
        say("retry: 2000\n\n");
        timer = setInterval(() => say(": here\n\n"), this.#options.beat ?? 5000);
      },
      cancel: leave,
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#streams) stop();
    for (const seat of this.#seats.values()) {
      clearTimeout(seat.timer);
      this.#pause(seat);
    }
  }

  /** The latest picture of a game under way, as PNG. */
  picture(link: string): Uint8Array | undefined {
    return this.#seatAt(link)?.play?.turn.image;
  }
}

async function choicesOf(play: Play | undefined): Promise<Omit<Moment, "turn">> {
  return {
    actions: await play?.env.validActions() ?? [],
    hasPicture: play?.turn.image !== undefined,
  };
}

function isOver({ status }: EpisodeRecord): boolean {
  return status === "completed" || status === "failed";
}

/** The episode of a link with the right key; the record holds the key's hash. */
function episodeOf(store: Store, link: string): string | undefined {
  const [id = "", key = ""] = link.split(".");
  const details = findEpisode(store, id)?.study === HUMAN
    ? getTurn(store, { episode: id, pass: 0, step: 0 })?.details
    : undefined;
  return typeof details?.["link"] === "string" && same(hashed(key), details["link"])
    ? id
    : undefined;
}

function hashed(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
