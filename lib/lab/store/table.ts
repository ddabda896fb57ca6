/** The mapping between typed rows and the columns of a table. */

import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/text/canonical.ts";
import { type DigestedTable, insertDigested } from "./digest.ts";
import type { Store } from "./open.ts";
import type { Columns } from "./texts.ts";

export interface Codec {
  /** Computes the column's value; identity by default. */
  readonly write?: (value: never) => SQLInputValue;
  /** Computes the field's value, `undefined` for none; identity by default. */
  readonly read?: (column: never) => unknown;
  /** Whether null is a value of the field. @default {false}: a null column is an absent field */
  readonly nullable?: boolean;
}

export const json: Codec = { write: JSON.stringify, read: JSON.parse };

export const sortedJson: Codec = { write: canonicalJson, read: JSON.parse };

/** The column holds a whole number, to which the field is rounded. */
export const rounded: Codec = { write: Math.round };

/** The column is not a field of the rows. */
export const hidden: Codec = { read: () => undefined };

export interface Table<Row> {
  write(row: Row): Columns;
  select(store: Store, clauses: string, ...values: readonly SQLInputValue[]): Row[];
  read(columns: Readonly<Record<string, SQLOutputValue>>): Row;
}

/**
 * Describes a table. The column of the field `maxScore` is `max_score`; text and numbers are stored
 * as they are, other fields by their codec, and an absent field is null.
 */
export function createTable<Row extends object>(
  name: string,
  codecs: { readonly [Column in keyof Row | "id" | "hash" | "rowid"]?: Codec } = {},
): Table<Row> {
  const codecOf = (field: string): Codec =>
    (codecs as Readonly<Record<string, Codec | undefined>>)[field] ?? {};
  const fields = new Map<string, Codec & { readonly field: string }>(); // by column
  const fieldOf = (column: string): Codec & { readonly field: string } =>
    fields.getOrInsertComputed(column, () => {
      const field = column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      return { ...codecOf(field), field };
    });
  const columns = new Map<string, Pick<Codec, "write"> & { readonly column: string }>(); // by field
  const columnOf = (field: string): Pick<Codec, "write"> & { readonly column: string } =>
    columns.getOrInsertComputed(field, () => {
      const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return { write: codecOf(field).write, column };
    });

  function read(columns: Readonly<Record<string, SQLOutputValue>>): Row {
    const row: Record<string, unknown> = {};
    for (const column in columns) { // rows are read by the thousand: no pairs are made of them
      const value = columns[column];
      const { field, read, nullable } = fieldOf(column);
      const found = value === null || !read
        ? value
        : readable(name, column, read as (value: unknown) => unknown, value);
      if (found !== undefined && (found !== null || nullable)) row[field] = found;
    }
    return row as Row;
  }

  return {
    write: (row) => {
      const written: Record<string, SQLInputValue> = {};
      for (const field in row) {
        const value = row[field] as SQLInputValue | undefined;
        if (value === undefined) continue;
        const { column, write } = columnOf(field);
        written[column] = value === null ? null : write?.(value as never) ?? value;
      }
      return written;
    },
    select: (store, clauses, ...values) =>
      store.prepare(`select * from ${name} ${clauses}`).all(...values).map(read),
    read,
  };
}

export function insert<Row>(
  store: Store,
  name: DigestedTable,
  table: Table<Row>,
  row: Row,
  conflict: "" | "or ignore" = "",
): void {
  insertDigested(store, name, table.write(row), conflict);
}

/**
 * Reads a column.
 * @throws {StoreError} `damaged` if it does not hold what Labyrinth writes there.
 */
function readable(
  table: string,
  column: string,
  read: (value: unknown) => unknown,
  value: unknown,
): unknown {
  try {
    return read(value);
  } catch (error) {
    throw new StoreError(
      "damaged",
      `the store holds a row of ${table} whose ${column} cannot be read: ./lab verify lists the damaged episodes`,
      { cause: error },
    );
  }
}
