/**
 * The mapping between a typed row and the columns of its table.
 *
 * @module
 */

import type { SQLInputValue } from "node:sqlite";
import { canonicalJson } from "./canonical.ts";
import type { Store } from "./open.ts";

/** How one field is written to its column and read from it. An absent field is null in the column. */
export interface Codec {
  /** The column's value; identity by default. */
  readonly write?: (value: never) => SQLInputValue;
  /** The field's value; identity by default. */
  readonly read?: (column: never) => unknown;
  /** Whether null is a value of the field. @default {false}: a null column is an absent field */
  readonly nullable?: boolean;
}

/** The column holds the field as it is: text or a number. */
export const plain: Codec = {};

/** The column holds JSON text, in the value's own key order. */
export const json: Codec = { write: JSON.stringify, read: JSON.parse };

/** The column holds JSON text with sorted keys. */
export const sortedJson: Codec = { write: canonicalJson, read: JSON.parse };

/** The column holds a whole number, to which the field is rounded. */
export const rounded: Codec = { write: Math.round };

/** A table whose rows have the type `Row`. */
export interface Table<Row> {
  /** Inserts a row; `conflict` says what SQLite does where its key is taken. The default is an error. */
  insert(store: Store, row: Row, conflict?: "or ignore" | "or replace"): void;
  /** The typed row of what SQLite selected; fields whose column was not selected are absent. */
  read(columns: Readonly<Record<string, unknown>>): Row;
}

/** Describes a table: each field of the row with its codec. The column of `maxScore` is `max_score`. */
export function createTable<Row>(name: string, codecs: { readonly [Field in keyof Row]-?: Codec }): Table<Row> {
  const fields = Object.entries<Codec>(codecs).map(([field, codec]) => ({
    field: field as keyof Row & string,
    column: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    write: codec.write as ((value: unknown) => SQLInputValue) | undefined,
    read: codec.read as ((column: unknown) => unknown) | undefined,
    nullable: codec.nullable ?? false,
  }));
  const into = `into ${name} (${fields.map(({ column }) => column).join(", ")}) values (${fields.map(() => "?").join(", ")})`;
  return {
    insert: (store, row, conflict = undefined) => {
      const values = fields.map(({ field, write }) => {
        const value = row[field] ?? null;
        return value === null || !write ? value as SQLInputValue : write(value);
      });
      store.prepare(`insert ${conflict ?? ""} ${into}`).run(...values);
    },
    read: (columns) => {
      const row: Partial<Record<keyof Row, unknown>> = {};
      for (const { field, column, read, nullable } of fields) {
        const value = columns[column];
        if (value === undefined || (value === null && !nullable)) continue;
        row[field] = value === null || !read ? value : read(value);
      }
      return row as Row;
    },
  };
}
