/**
 * What a part of a paper is, and what chooses among its parts.
 *
 * @module
 */

import type { Study } from "../lab/study.ts";
import type { WrittenReport } from "../report/study-report.ts";
import type { Store } from "../store/open.ts";
import type { StudyOptions } from "./study-options.ts";

/** A study with what is made of it. */
export interface Part {
  /** What is played. */
  readonly study: Study;
  /** Writes its tables and figures from what the store holds of it. */
  readonly write: (
    store: Store,
    study: string,
    options: { readonly folder: string; readonly allowIncomplete?: boolean },
  ) => Promise<WrittenReport>;
  /** The form of its study, as in the study's id before the `@`, whose files stand in `figures/` itself; those of any other go to `figures/<form>/`. */
  readonly ordinary: string;
  /** Whether it is left out, with a word, where the user lacks its files. */
  readonly optional?: true;
}

/** What chooses among the parts. */
export interface PartChoices extends StudyOptions {
  /** The papers' numbers of trials in place of a few. @default {false} */
  readonly full?: boolean;
  /** Names of games, layouts, tasks, sets, methods, conditions or parts; left out: all. */
  readonly only?: readonly string[];
  /** A folder of the user's games, where the paper takes one. */
  readonly games?: string;
  /** Attempts at each game; ≥ 1. */
  readonly attempts?: number;
}
