/** What a session takes and shows. */

import type { ActionSpec, Document, Worlds } from "../../core/env/mod.ts";
import type { Store } from "../../lab/store/open.ts";
import type { TurnRow } from "../../lab/store/turns.ts";

/** What a player agrees to; it is recorded with the session. */
export const CONSENT =
  "I agree that what I do in the game is recorded here, with my notes and with my name if I give one, and may be published with the lab's results.";

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

export interface Moment {
  readonly turn: TurnRow;
  /** The valid actions; none in a world that takes free text, and after the end. */
  readonly actions: readonly string[];
  /** Whether the world has drawn a picture: see `Sessions.picture`. */
  readonly hasPicture: boolean;
}

export interface SessionView extends Omit<Moment, "turn"> {
  readonly episode: string;
  readonly world: string;
  readonly name?: string;
  readonly forms: readonly Pick<ActionSpec, "name" | "description">[];
  readonly documents: readonly Document[];
  /** Every turn, the reset first. */
  readonly turns: readonly TurnRow[];
}

export interface SessionsOptions {
  readonly store: Store;
  readonly worlds: Pick<Worlds, "open">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds until a session without its player is paused. @default {10_000} */
  readonly patience?: number;
  /** Milliseconds between two comments in a stream, which show lost connections. @default {5000} */
  readonly beat?: number;
  /** Called with an error that the player is not told in full. */
  readonly onError?: (error: Error) => void;
}
