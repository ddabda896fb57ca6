/** `./lab reconcile <usage.csv>`: holds the calls on record against the usage that a provider exports, by day and model. */

import { readFileSync, statSync } from "node:fs";
import { UsageError } from "../errors.ts";
import { polars } from "../report/frame.ts";
import type { Store } from "../store/open.ts";
import { isAsHashed } from "../store/row-hash.ts";
import { command } from "./command.ts";
import { complain, inColumns, printResult, userPath } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

/** Compares ours with theirs. Status 1 where they charge for more than we know of. */
export const main = command({
  name: "reconcile",
  words: { "<usage.csv>": { says: "the usage export of OpenAI or Anthropic" } },
  options: { ...STORE_OPTION, ...JSON_OPTION },
}, (values, [file = ""]) => {
  const theirs = readUsage(userPath(file));
  using store = openNamedStore(values.store, { create: false });
  let broken = 0;
  for (const row of store.prepare("select * from calls").iterate()) if (isAsHashed("calls", row) === false) broken++;
  if (broken > 0) complain(`${broken} of our calls are not as they were recorded: ./lab verify says in which episodes`);
  const days = reconcile(store, theirs);
  printResult(days, values.json, describe);
  return days.every(({ isExplained }) => isExplained) ? 0 : 1;
});

/** What a provider charges one model with on one day (UTC). */
interface DayUsage {
  readonly day: string;
  readonly model: string;
  /** Absent where the export does not tell it, as Anthropic's. */
  readonly requests?: number;
  readonly input: number;
  readonly output: number;
}

/** One day and model, ours beside theirs. */
interface Compared {
  readonly day: string;
  readonly model: string;
  readonly ours: {
    readonly requests: number;
    readonly input: number;
    readonly output: number;
    readonly unknown: number;
    readonly bound: number;
  };
  readonly theirs: Omit<DayUsage, "day" | "model">;
  /** Whether theirs are not above ours with the bounds of the attempts whose usage is unknown. */
  readonly isExplained: boolean;
}

/**
 * Names of columns, the first that is there is taken; those of input tokens are added up. OpenAI's usage export (and its API) has `start_time_iso`
 * or `start_time`, `model`, `num_model_requests`, `input_tokens`, `output_tokens`; Anthropic's has `usage_date_utc`, `model_version`,
 * `usage_input_tokens_no_cache`, `…_cache_write_5m`, `…_cache_write_1h`, `…_cache_read`, `usage_output_tokens`.
 */
const COLUMNS = {
  day: ["usage_date_utc", "start_time_iso", "start_time", "date", "day"],
  model: ["model_version", "model"],
  requests: ["num_model_requests", "requests"],
  input: ["input_tokens", "n_context_tokens_total", "prompt_tokens"],
  output: ["usage_output_tokens", "output_tokens", "n_generated_tokens_total", "completion_tokens"],
} as const;

const ANTHROPIC_INPUT = ["no_cache", "cache_write", "cache_write_5m", "cache_write_1h", "cache_read"].map((name) =>
  `usage_input_tokens_${name}`
);

/** @throws {UsageError} if the file cannot be read or lacks a column. */
function readUsage(file: string): DayUsage[] {
  let rows: Record<string, unknown>[];
  try {
    if (statSync(file).isCharacterDevice()) throw new Error("it is a device, name a file"); // one may never end
    rows = polars().readCSV(readFileSync(file, "utf8"), { inferSchemaLength: 0 }).toRecords() as Record<string, unknown>[];
  } catch (error) {
    throw new UsageError(`cannot read the usage ${file}: ${(error as Error).message}`, { cause: error });
  }
  const columns = new Set(Object.keys(rows[0] ?? {}));
  const find = (what: keyof typeof COLUMNS): string | undefined => COLUMNS[what].find((name) => columns.has(name));
  const need = (what: keyof typeof COLUMNS): string => {
    const found = find(what);
    if (found === undefined) {
      throw new UsageError(
        `the usage ${file} has no column for the ${what}: one of ${COLUMNS[what].join(", ")}; it has ${[...columns].join(", ")}`,
      );
    }
    return found;
  };
  if (rows.length === 0) throw new UsageError(`the usage ${file} has no rows`);
  const inputs = ANTHROPIC_INPUT.filter((name) => columns.has(name));
  const [day, model, output, requests] = [need("day"), need("model"), need("output"), find("requests")];
  const input = inputs.length > 0 ? inputs : [need("input")];
  const number = (row: Record<string, unknown>, column: string): number => {
    const text = String(row[column] ?? "").replaceAll(/[,\s]/g, "");
    if (/^\d{1,15}(\.\d+)?$/.test(text)) return Number(text);
    throw new UsageError(
      `the usage ${file} has "${row[column] ?? ""}" in the column ${column}, which is no number: write 0 where nothing was used`,
    );
  };
  return rows.filter((row) => Object.values(row).some((value) => value !== null)).map((row) => ({
    day: dayOf(String(row[day] ?? "")),
    model: String(row[model] ?? ""),
    requests: requests === undefined ? undefined : number(row, requests),
    input: input.reduce((sum, column) => sum + number(row, column), 0),
    output: number(row, output),
  }));
}

/** The day in UTC of a date or a time, which is in UTC where it tells no zone, or of a time in seconds since 1970. */
function dayOf(text: string): string {
  const hasZone = /:\d\d.*[+-]\d\d(:?\d\d)?$|Z$|UTC|GMT/i.test(text);
  const isIso = /^\d{4}-\d\d-\d\d(T|$)/.test(text);
  const time = /^\d{9,}$/.test(text)
    ? new Date(1000 * Number(text))
    : new Date(hasZone ? text : isIso ? `${text.includes("T") ? text : `${text}T00:00:00`}Z` : `${text} UTC`);
  if (Number.isNaN(time.getTime())) throw new UsageError(`"${text}" in the usage is no date: one like 2026-03-22 is wanted`);
  return time.toISOString().slice(0, 10);
}

/** A dated snapshot goes by the name of its model. */
function undated(model: string): string {
  return model.replace(/-\d{4}-?\d{2}-?\d{2}$/, "");
}

function reconcile(store: Store, theirs: readonly DayUsage[]): Compared[] {
  const ours = store.prepare(`
    select strftime('%Y-%m-%d', at / 1000, 'unixepoch') as day, model, count(distinct coalesce(attempt, -id)) as requests, total(prompt_tokens) as input,
      total(completion_tokens) as output, count(bound_tokens) as unknown,
      total(bound_tokens - case when kind = 'paid' then prompt_tokens + completion_tokens else 0 end) as bound
    from calls where kind <> 'replayed' and coalesce(error, '') <> 'no-endpoint' group by 1, 2`).all();
  const keyOf = (day: unknown, model: unknown): string => `${day} ${undated(String(model))}`;
  const mine = Map.groupBy(ours, ({ day, model }) => keyOf(day, model));
  return [...Map.groupBy(theirs, ({ day, model }) => keyOf(day, model))].map(([key, rows]) => {
    const own = mine.get(key) ?? [];
    const sum = <Row>(of: readonly Row[], value: (row: Row) => unknown): number =>
      of.reduce((total, row) => total + Number(value(row) ?? 0), 0);
    const told = {
      requests: rows.some(({ requests }) => requests !== undefined) ? sum(rows, ({ requests }) => requests) : undefined,
      input: sum(rows, ({ input }) => input),
      output: sum(rows, ({ output }) => output),
    };
    const known = Object.fromEntries(
      ["requests", "input", "output", "unknown", "bound"].map((name) => [name, sum(own, (row) => row[name])]),
    ) as unknown as Compared["ours"];
    const { input, output, bound } = known;
    const isExplained = (told.requests ?? 0) <= known.requests && told.input <= input + bound && told.output <= output + bound &&
      told.input + told.output <= input + output + bound; // each for itself, too: their prices differ
    return { day: rows[0]?.day ?? "", model: undated(rows[0]?.model ?? ""), ours: known, theirs: told, isExplained };
  }).sort((a, b) => (a.day + a.model < b.day + b.model ? -1 : 1));
}

function describe(days: readonly Compared[]): string {
  const head = ["day", "model", "requests", "theirs", "input", "theirs", "output", "theirs", "unknown", "at most", ""];
  const rows = days.map(({ day, model, ours, theirs, isExplained }) => [
    ...[day, model, ours.requests, theirs.requests ?? "-", ours.input, theirs.input, ours.output, theirs.output].map(String),
    ...[String(ours.unknown), String(ours.bound), isExplained ? "" : "they charge for more than is on record"],
  ]);
  const note = "unknown: attempts whose usage no endpoint reported, and the most tokens that these can have taken\n";
  return inColumns([head, ...rows]) + note;
}
