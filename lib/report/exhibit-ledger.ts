/**
 * An exhibit as lines of the ledger: every number of the paper beside ours.
 *
 * @module
 */

import { totalCost } from "../store/costs.ts";
import { cellOf, type Exhibit, type Line, paperNumbers, type StudyRead, type StudyReader } from "./exhibit.ts";
import type { Trial } from "./estimate.ts";
import { judge, type LedgerEntry, type OurNumber } from "./ledger.ts";

/**
 * The ledger's lines of an exhibit, in the order of its rows and columns.
 *
 * @param studies ids of studies in order of preference: a number is taken from the first that has it complete
 * @param isOf whether ours may stand beside a number of the paper's model; always unless told
 *
 * @example
 * ```ts
 * import { createStudyReader, ledgerOf } from "labyrinth/report";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const paper = () => ({ printed: "0.9", backbone: "gpt-4" });
 * const frame = { id: "mine", source: "Table 1", head: "method", trial: "episode", title: () => "Mine", caption: () => "" };
 * const exhibit = { ...frame, trials: () => [], rows: [{ name: "AriGraph" }], columns: [{ name: "score" }], paper };
 * const [entry] = ledgerOf(exhibit, createStudyReader(store), ["unplayed"]);
 * assert.deepEqual([entry?.row, entry?.printed, entry?.verdict], ["AriGraph", "0.9", "not run"]);
 * ```
 */
export function ledgerOf<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  reader: StudyReader,
  studies: readonly string[],
  isOf: (backbone: string, paper: string) => boolean = () => true,
): LedgerEntry[] {
  const reads = studies.map((study) => reader.read(exhibit, study));
  return exhibit.rows.flatMap((row) =>
    exhibit.columns.flatMap((column) =>
      paperNumbers(exhibit, { row, column, where: "ledger" }).map((number) => {
        const found = reads.filter(({ backbone }) => isOf(backbone, number.backbone))
          .map((read) => ourNumber(exhibit, read, { row, column })).filter((ours) => ours !== undefined);
        const { hidden: _hidden, line: _line, shown: _shown, ...reported } = number;
        return judge(
          { source: exhibit.source, row: row.ledger ?? row.name, column: column.ledger ?? column.name, ...reported },
          found.find((ours) => typeof ours !== "string") ?? found[0] ?? row.absent ?? column.absent ?? "not played",
        );
      })
    )
  );
}

/** Our number of a cell in a study, why there is none, or nothing where no trial of it was planned. */
function ourNumber<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  read: StudyRead<T>,
  place: { readonly row: R; readonly column: C },
): OurNumber | string | undefined {
  const cell = cellOf(exhibit, read, place);
  if (!cell || cell.planned === 0) return undefined;
  const { ours, planned, done, failed, measure, trials } = cell;
  if (ours === undefined) return `incomplete, ${done} of ${planned} ${exhibit.trial}s${failed > 0 ? `, ${failed} failed` : ""}`;
  if (typeof ours === "string") return ours;
  const { backbone, embedder } = place.row.origin ?? read;
  return {
    ...ours,
    measure: measure.how?.(trials) ?? measure.name,
    backbone,
    embedder,
    cost: totalCost(read.costs, ours.episodes),
    study: read.study,
  };
}
