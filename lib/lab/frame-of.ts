/** Polars frames out of rows, with typed columns. */

import type pl from "nodejs-polars";
import { loadModule } from "../core/platform.ts";
import { csvOf, csvValue } from "../core/text/written.ts";

/** A Polars frame (nodejs-polars); a notebook shows it as a table. */
export type DataFrame = pl.DataFrame;

/** Polars, loaded when it is first used. */
export function polars(): typeof pl {
  return loadModule("nodejs-polars");
}

/** Column name → type, in the order of the columns; `?` marks a column that may hold null. */
export type FrameSchema = Readonly<Record<string, keyof ColumnTypes | `${keyof ColumnTypes}?`>>;

/** The types of columns. */
export interface ColumnTypes {
  /** Text, also of ids and seeds. */
  readonly text: string;
  /** A whole number. */
  readonly integer: number;
  /** Any number. */
  readonly number: number;
  /** True or false. */
  readonly boolean: boolean;
}

/**
 * A frame out of rows. Ids and seeds stay text, so that no reader turns them into floats; a missing
 * value is null.
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const frame = frameOf([{ game: "hunt", score: 1 }], { game: "text", score: "number" });
 * assert.equal(frame.height, 1);
 * ```
 */
export function frameOf(rows: readonly object[], schema: FrameSchema): DataFrame {
  const { DataFrame, Utf8, Int64, Float64, Bool } = polars();
  const types = { text: Utf8, integer: Int64, number: Float64, boolean: Bool };
  const columns = Object.keys(schema).map((
    name,
  ) => [name, rows.map((row) => row[name as keyof typeof row] ?? null)]);
  const typeOf = (type: string): pl.DataType => types[type.replace("?", "") as keyof ColumnTypes];
  const typed = Object.entries(schema).map(([name, type]) => [name, typeOf(type)]);
  return DataFrame(Object.fromEntries(columns), { schema: Object.fromEntries(typed) });
}

/**
 * The rows of a frame as plain objects.
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const frame = frameOf([{ game: "hunt", score: 1 }, { game: "cooking" }], { game: "text", score: "number" });
 * assert.deepEqual(rowsOf(frame), [{ game: "hunt", score: 1 }, { game: "cooking", score: null }]);
 * ```
 */
export function rowsOf<Row>(frame: DataFrame): Row[] {
  return frame.toRecords() as Row[];
}

/** A frame as CSV with all digits. */
export function frameCsv(frame: DataFrame): string {
  return csvOf([frame.columns, ...frame.rows().map((row) => row.map((one) => csvValue(one)))]);
}
