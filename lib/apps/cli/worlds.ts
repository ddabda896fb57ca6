/** `./lab worlds`: the catalogue of worlds with their parameters; `--map` draws a text game in place of it. */

import { join } from "node:path";
import process from "node:process";
import { styleText } from "node:util";
import { Help } from "commander";
import { connectWorlds, type WorldEntry, type Worlds } from "../../core/env/mod.ts";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { exportFigure } from "../../report/export.ts";
import { gameMapFigure, isGameTruth } from "../../report/figures/game-map.ts";
import { gameName } from "../../report/textworld-names.ts";
import { checkName } from "../../core/text/did-you-mean.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { jsonOf } from "../../core/text/json.ts";
import { printResult } from "./options.ts";

/** Prints the catalogue, for people or as one JSON value; or draws the map of a game as it begins. */
export const main = command({
  name: "worlds",
  words: { "[worlds...]": { says: "the worlds to list, all unless told" } },
  options: {
    map: { value: "world", says: "draw the map of this text game, and list nothing" },
    params: { value: "JSON", says: `the parameters of the game, e.g. '{"seed": 3}'`, default: "{}" },
    figures: {
      value: "folder",
      says: "where the map goes",
      default: join(checkoutRoot(), "figures"),
      defaultSays: "figures/ of the checkout",
    },
    ...JSON_OPTION,
  },
}, async ({ params: text, map, figures, json }, names) => {
  const params = parameters(text);
  await using worlds = connectWorlds();
  if (map === undefined) {
    const catalogue = await worlds.list();
    for (const name of names) checkName("world", name, catalogue.map(({ id }) => id));
    const chosen = names.length === 0 ? catalogue : catalogue.filter(({ id }) => names.includes(id));
    printResult(chosen, json, (all) => all.map(describeWorld).join("\n"));
  } else {
    const files = await drawMap(worlds, map, { params, folder: figures });
    process.stdout.write(files.map((file) => `${file}\n`).join(""));
  }
  return 0;
});

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
  const value = jsonOf(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`--params wants a JSON object, not ${JSON.stringify(text)}; e.g. '{"seed": 3}'`);
  }
  return value as Record<string, unknown>;
}

/** Width of the catalogue in columns. */
const PAGE = 100;

/** A world in words: its id, what it is, and a line for each parameter. */
function describeWorld({ id, doc, parameters, problem }: WorldEntry): string {
  const { properties = {}, required = [] } = parameters as { properties?: Record<string, Schema>; required?: readonly string[] };
  const width = Math.max(0, ...Object.keys(properties).map((name) => name.length));
  const rows = Object.entries(properties).map(([name, schema]) => {
    const given = "default" in schema ? `= ${JSON.stringify(schema.default)}` : required.includes(name) ? "required" : "optional";
    const text = `${typeOf(schema)} ${given}${schema.description ? `: ${schema.description}` : ""}`;
    return `    ${name.padEnd(width)}  ${wrapped(text, width + 6)}`;
  });
  return [styleText("bold", id), `  ${wrapped(doc, 2)}`, ...(problem ? [`    ${wrapped(problem, 4)}`] : []), ...rows, ""].join("\n");
}

/** A text in lines that fit the page beside an indent, which all but the first begin with. */
function wrapped(text: string, indent: number): string {
  return new Help().boxWrap(text, PAGE - indent).replaceAll("\n", `\n${" ".repeat(indent)}`);
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
