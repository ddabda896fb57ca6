/** Which studies of a store stand together in a paper's ledger and claims: those that one run of `./lab reproduce` plays. */

import type { Store } from "../lab/store/open.ts";
import { listStudies } from "../lab/store/studies.ts";
import { createStudyReader } from "./exhibit.ts";

/** How the ids of a paper's studies begin. */
export interface PaperIds {
  /** How all of them begin, e.g. `wese-`. */
  readonly prefix: string;
  /** How those of studies begin that are the same in the quick form and in the full one. @default none */
  readonly ofEveryForm?: readonly string[];
}

/**
 * The studies of one ledger: the given one, then all parts with its backbone and embedder, the newest first, that can be of one run by what their ids
 * tell of form and size.
 */
export function studiesBeside(store: Store, study: string, ids: PaperIds): string[] {
  const reader = createStudyReader(store);
  const origin = (id: string): string => JSON.stringify(reader.origin(id));
  const found = [study];
  for (const id of listStudies(store).reverse()) {
    const isNew = id.startsWith(ids.prefix) && !found.includes(id);
    if (isNew && found.every((other) => areOneRun(id, other, ids)) && origin(id) === origin(study)) found.push(id);
  }
  return found;
}

/** Whether one run may have played two studies. Parts differ in attempts where only the first one takes them from the command line. */
function areOneRun(one: string, other: string, ids: PaperIds): boolean {
  const [a, b] = [sizeOf(one, ids), sizeOf(other, ids)];
  const haveSameForm = [a.form, b.form].includes("every") || a.form === b.form;
  const haveSameAttempts = a.attempts === b.attempts ||
    (a.part !== b.part && [a, b].every((size) => size.part === "" || size.attempts === ""));
  return haveSameForm && a.reduced === b.reduced && haveSameAttempts;
}

/** What the id of a study tells of its part, its form and its size. */
function sizeOf(study: string, { prefix, ofEveryForm = [] }: PaperIds): { part: string; form: string; attempts: string; reduced: string } {
  const id = study.slice(prefix.length).replace(/@.*$/s, "");
  return {
    part: /^(?!(?:quick|full)\b)[^-]+/.exec(id)?.[0] ?? "",
    form: ofEveryForm.some((start) => study.startsWith(start)) ? "every" : FULL.test(id) ? "full" : "quick",
    attempts: /-x\d+(?=-|$)/.exec(id)?.[0] ?? "",
    reduced: (id.match(/-(?:episodes\d+|steps\d+|prompts-[0-9a-f]{8})(?=-|$)/g) ?? []).join(""),
  };
}

/** The word of the full form; "full history" and "full context" are conditions that `--only` names. */
const FULL = /(?:^|-)full(?!-history|-context)(?=-|$)/;
