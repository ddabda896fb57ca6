/**
 * Everything that the lab rebuilds of AriGraph's questions from one study's episodes.
 *
 * @module
 */

import type { Store } from "../../store/open.ts";
import { type AnswerRow, answersFrame } from "../../report/answers.ts";
import { rowsOf } from "../../report/frame.ts";
import { namedByEmbedder, reportedBackbone, writeReport, type WrittenReport } from "../../report/report.ts";
import type { Table } from "../../report/table.ts";
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
 * import { arigraphQuestionsTable } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => arigraphQuestionsTable(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function arigraphQuestionsTable(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Table {
  const answers = answersFrame(store, study);
  const backbone = reportedBackbone(rowsOf<AnswerRow>(answers), study);
  return namedByEmbedder(store, study)(questionsTable(answers, { backbone, ...options }));
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
): Promise<WrittenReport> {
  return await writeReport({ tables: [arigraphQuestionsTable(store, study, options)], figures: [] }, { folder: options.folder });
}
