/**
 * `./lab worlds [--json]`: the catalogue of worlds with their parameters.
 *
 * @module
 */

import process from "node:process";
import { styleText } from "node:util";
import { connectWorlds, type WorldEntry } from "../env/mod.ts";
import { readOptions } from "./options.ts";

/** Prints the catalogue: for people, or as one JSON value. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, "./lab worlds [--json]", { json: { type: "boolean", default: false } });
  const worlds = connectWorlds();
  try {
    const catalogue = await worlds.list();
    process.stdout.write(values.json ? JSON.stringify(catalogue, null, 2) + "\n" : catalogue.map(describeWorld).join("\n"));
  } finally {
    await worlds.close();
  }
  return 0;
}

/** A world in words: its id, what it is, and a line for each parameter. */
function describeWorld({ id, doc, parameters, problem }: WorldEntry): string {
  const rows = Object.entries((parameters.properties ?? {}) as Record<string, Schema>)
    .map((
      [name, schema],
    ) => [name, typeOf(schema), "default" in schema ? `= ${JSON.stringify(schema.default)}` : "required", schema.description ?? ""]);
  const width = (column: number): number => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0));
  const lines = rows.map((row) => "    " + row.map((cell, column) => column < 3 ? cell.padEnd(width(column)) : cell).join("  ").trimEnd());
  return [`${styleText("bold", id)}  ${doc}`, ...(problem ? [`    ${problem}`] : []), ...lines, ""].join("\n");
}

/** What of JSON Schema the worlds' parameters use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.items) return `${typeOf(schema.items)}[]`;
  const { minimum = "", maximum = "" } = schema;
  return (schema.type ?? "any") + (minimum === "" && maximum === "" ? "" : ` ${minimum}..${maximum}`);
}
