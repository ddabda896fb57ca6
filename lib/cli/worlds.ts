/**
 * `./lab worlds [--json]`: the catalogue of worlds with their parameters; `--map <world>` draws a text game in place of it.
 *
 * @module
 */

import { join } from "node:path";
import process from "node:process";
import { styleText } from "node:util";
import { connectWorlds, type WorldEntry, type Worlds } from "../env/mod.ts";
import { UsageError } from "../errors.ts";
import { checkoutRoot } from "../platform.ts";
import { exportFigure } from "../report/export.ts";
import { gameMapFigure, isGameTruth } from "../report/figures/game-map.ts";
import { gameName } from "../report/textworld-names.ts";
import { printResult, readOptions } from "./options.ts";

const USAGE = "./lab worlds [--json] | --map <world> [--params <JSON>] [--figures <folder>]";

/** Prints the catalogue, for people or as one JSON value; or draws the map of a game as it begins. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, USAGE, {
    json: { type: "boolean", default: false },
    map: { type: "string" },
    params: { type: "string", default: "{}" },
    figures: { type: "string", default: join(checkoutRoot(), "figures") },
  });
  const params = parameters(values.params);
  await using worlds = connectWorlds();
  if (values.map === undefined) {
    printResult(await worlds.list(), values.json, (catalogue) => catalogue.map(describeWorld).join("\n"));
  } else {
    const files = await drawMap(worlds, values.map, { params, folder: values.figures });
    process.stdout.write(files.map((file) => `${file}\n`).join(""));
  }
  return 0;
}

/** Opens the game, draws what it says of itself, and gives the files' paths. */
async function drawMap(
  worlds: Worlds,
  world: string,
  { params, folder }: { readonly params: Readonly<Record<string, unknown>>; readonly folder: string },
): Promise<string[]> {
  const game = await worlds.open(world, params);
  try {
    await game.reset();
    const truth = await game.truth();
    if (!isGameTruth(truth)) {
      throw new UsageError(`cannot draw ${world}: it tells of no rooms and exits; choose a text game of ./lab worlds`);
    }
    const id = `map-${world.replaceAll("/", "-")}${Object.keys(params).length === 0 ? "" : `-${game.spec.identity.slice(0, 8)}`}`;
    return await exportFigure(gameMapFigure(truth, { id, title: gameName(world) }), folder);
  } finally {
    await game.close();
  }
}

function parameters(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch { /* said below */ }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`--params wants a JSON object, not ${JSON.stringify(text)}; e.g. '{"seed": 3}'`);
  }
  return value as Record<string, unknown>;
}

/** A world in words: its id, what it is, and a line for each parameter. */
function describeWorld({ id, doc, parameters, problem }: WorldEntry): string {
  const { properties = {}, required = [] } = parameters as { properties?: Record<string, Schema>; required?: readonly string[] };
  const rows = Object.entries(properties).map(([name, schema]) => {
    const given = "default" in schema ? `= ${JSON.stringify(schema.default)}` : required.includes(name) ? "required" : "optional";
    return [name, typeOf(schema), given, schema.description ?? ""];
  });
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
