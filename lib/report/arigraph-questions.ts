/**
 * Everything that the lab rebuilds of AriGraph's questions from one study's episodes.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { Store } from "../store/open.ts";
import { type AnswerRow, answersFrame } from "./answers.ts";
import { exportTable } from "./export.ts";
import { rowsOf } from "./frame.ts";
import { type Table, toMarkdown } from "./table.ts";
import { questionsTable } from "./tables/questions.ts";

/**
 * Table 2 of a study, as a value.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @param options `allowIncomplete` shows means where planned episodes are missing; else such cells say `incomplete`
 *
 * @example
 * ```ts
 * import { arigraphQuestionsTable, openStore } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => arigraphQuestionsTable(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function arigraphQuestionsTable(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Table {
  const answers = answersFrame(store, study);
  const rows = rowsOf<AnswerRow>(answers);
  const backbones = [...new Set(rows.map(({ backbone }) => backbone))];
  if (!rows.some(({ status }) => status === "completed")) {
    throw new UsageError(`study "${study}" has no completed episode to report; ./lab study ${study} runs it`);
  }
  if (backbones.length !== 1) {
    throw new UsageError(`study "${study}" mixes the backbones ${backbones.join(", ")}; report one study a backbone`);
  }
  return questionsTable(answers, { backbone: backbones[0] ?? "", ...options });
}

/**
 * Writes Table 2 into a folder; gives the files' paths and the table as Markdown.
 *
 * @param options `folder` is made where it is missing; files of the same names are replaced
 * @throws {UsageError} as `arigraphQuestionsTable` does; what the file system says where the folder cannot be written.
 */
export async function writeArigraphQuestionsReport(
  store: Store,
  study: string,
  options: { readonly folder: string; readonly allowIncomplete?: boolean },
): Promise<{ readonly files: readonly string[]; readonly markdown: string }> {
  const table = arigraphQuestionsTable(store, study, options);
  return { files: await exportTable(table, options.folder), markdown: toMarkdown(table) };
}
