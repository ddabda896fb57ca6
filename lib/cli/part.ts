/**
 * What a part of a paper is, and what chooses among its parts.
 *
 * @module
 */

import type { Study } from "../lab/study.ts";
import type { WrittenReport } from "../report/report.ts";
import type { Store } from "../store/open.ts";
import type { RunValues } from "./run-study.ts";

/** A study with what is made of it. */
export interface Part {
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
export interface PartValues extends RunValues {
  readonly full: boolean;
  readonly only?: string[] | undefined;
  readonly games?: string | undefined;
  readonly attempts?: string | undefined;
}
