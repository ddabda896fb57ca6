/** The reproduction ledger as a table and as CSV. */

import { type LedgerEntry, summariseLedger } from "./ledger.ts";
import { csvOf, type Table } from "./table.ts";

/** The ledger as a table for people: a line a number. */
export function ledgerTable(entries: readonly LedgerEntry[], options: { readonly id: string; readonly title: string }): Table {
  return {
    ...options,
    caption:
      `${
        summariseLedger(entries)
      } A number agrees if our whole 95 % interval lies within a tenth of it, half of its last printed digit more or less; it cannot be told if it lies in an ` +
      `interval that is wider, or within the tolerance of a measure that has none, or if ours is of one episode. Standard errors and deviations are not judged, and of the numbers of ` +
      `several models in a cell one is. ` +
      `USD: spent on its episodes, failed attempts included, answers from the record not. The CSV beside this table names the study and the episodes behind each number; ./lab show tells what happened in one.`,
    columns: ["Number", "Paper", "Ours", "n", "USD", "Verdict", "Why"],
    rows: entries.map(({ source, row, column, printed, ours, verdict, why }) => [
      `${source}: ${row}, ${column}`,
      printed,
      ours ? { value: ours.value, low: ours.low, high: ours.high, digits: digitsOf(printed) } : null,
      ours ? `${ours.episodes.length}` : null,
      ours && ours.cost.paid !== null && ours.cost.wasted !== null ? { value: ours.cost.paid + ours.cost.wasted } : null,
      verdict,
      why,
    ]),
  };
}

/** The number of digits that the paper prints, at least two below 10. */
function digitsOf(printed: string | null): number {
  const decimals = printed?.split(".")[1]?.length ?? 0;
  return Math.abs(Number(printed)) >= 10 ? decimals : Math.max(decimals, 2);
}

/** The ledger as CSV with everything that is known: also both backbones, the measure, the study and the ids of the episodes, between spaces. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  return csvOf([Object.keys(CSV_COLUMNS), ...entries.map((entry) => Object.values(CSV_COLUMNS).map((of) => textOf(of(entry))))]);
}

/** Head → field, in order. */
const CSV_COLUMNS: Readonly<Record<string, (entry: LedgerEntry) => string | number | null | undefined>> = {
  source: ({ source }) => source,
  row: ({ row }) => row,
  column: ({ column }) => column,
  reported: ({ printed }) => printed,
  ours: ({ ours }) => ours?.value,
  low: ({ ours }) => ours?.low,
  high: ({ ours }) => ours?.high,
  n: ({ ours }) => ours?.episodes.length,
  measure: ({ ours }) => ours?.measure,
  backbone: ({ ours }) => ours?.backbone,
  embedder: ({ ours }) => ours?.embedder,
  "paper backbone": ({ backbone }) => backbone,
  paid: ({ ours }) => ours?.cost.paid,
  replayed: ({ ours }) => ours?.cost.replayed,
  wasted: ({ ours }) => ours?.cost.wasted,
  verdict: ({ verdict }) => verdict,
  why: ({ why }) => why,
  study: ({ ours }) => ours?.study,
  episodes: ({ ours }) => ours?.episodes.join(" "),
};

function textOf(field: string | number | null | undefined): string {
  return typeof field === "number" ? `${Number(field.toPrecision(12))}` : field ?? "";
}
