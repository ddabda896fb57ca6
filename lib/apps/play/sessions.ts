/**
 * The sessions of the people at one server: each has a link, is paused while its player is away,
 * and goes on from its record.
 */

import { createHash, randomBytes } from "node:crypto";
import type { ActionSpec, Document, Environment, Turn, Worlds } from "../../core/env/mod.ts";
import { withoutTruth, withSafeText } from "../../core/env/session.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { safeText } from "../../core/foreign-text.ts";
import { isRebuildable } from "../../lab/failures.ts";
import { beginHumanSession, HUMAN, type HumanSession, resumeHumanSession } from "./human.ts";
import { type EpisodeRecord, findEpisode } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { getTurn, listTurns, type TurnRow } from "../../lab/store/turns.ts";
import { same } from "../view/http.ts";

/** What a player agrees to; it is recorded with the session. */
export const CONSENT =
  "I agree that what I do in the game is recorded here, with my notes and with my name if I give one, and may be published with the lab's results.";

/** A world with its parameters. */
export interface GameChoice {
  readonly world: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A step that a player wants to take after step `step`. */
export interface Move {
  readonly step: number;
  readonly action: string;
  readonly note?: string;
}

/** What changes with each step. */
export interface Moment {
  readonly turn: TurnRow;
  /**
   * What can be done now, in the world's own order; none in a world that takes free text, and after
   * the end.
   */
  readonly actions: readonly string[];
  /** Whether the world has drawn a picture: see `Sessions.picture`. */
  readonly hasPicture: boolean;
}

/** A session as its page shows it. */
export interface SessionView extends Omit<Moment, "turn"> {
  readonly episode: string;
  readonly world: string;
  /** As the player gave it. */
  readonly name?: string;
  readonly forms: readonly Pick<ActionSpec, "name" | "description">[];
  readonly documents: readonly Document[];
  /** Every turn, the reset first. */
  readonly turns: readonly TurnRow[];
}

/** Options of `Sessions`. */
export interface SessionsOptions {
  readonly store: Store;
  readonly worlds: Pick<Worlds, "open">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * How long a session waits for a player who has gone, in ms, before it is paused.
   * @default {10_000}
   */
  readonly patience?: number;
  /**
   * Time between two comments in a stream, by which a lost connection is noticed, in ms.
   * @default {5000}
   */
  readonly beat?: number;
  /** Called with an error that the player is not told in full. */
  readonly onError?: (error: Error) => void;
}

/** A game in play. */
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
 * The sessions of a server; those that an earlier server recorded in the store are taken up by
 * their links. A link is `<episode>.<key>`; one that names no session gives `undefined`. Of each
 * session at most one game is in play, and what is done with it is done in turn.
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

  /**
   * Does something with a session after all that is under way; where its world is lost meanwhile,
   * once more in another one.
   */
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
    seat.last = result.catch(() => {}).finally(() => this.#parkLater(seat));
    return await result;
  }

  /** Parks a session unless somebody watches it by then. */
  #parkLater(seat: Seat): void {
    clearTimeout(seat.timer);
    if (this.#isClosed) return;
    const parkIfAlone = (): void => {
      if (seat.watchers === 0 && !this.#isClosed) this.#pause(seat);
    };
    seat.timer = setTimeout(
      () =>
        seat.last = seat.last.then(parkIfAlone).catch((error) => this.#options.onError?.(error)),
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
      this.#parkLater(seat);
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
        throw new UsageError("this game has gone on in another window; here is how it stands");
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
      this.#parkLater(seat);
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

  /** Parks every session that is not over. */
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

/**
 * The episode of a link whose key is right. The record holds the key's hash alone: who reads a
 * store can take up no session.
 */
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
