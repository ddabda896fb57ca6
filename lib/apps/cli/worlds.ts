/** `./lab worlds`: the catalogue of worlds with their parameters. */

import { styleText } from "node:util";
import { Help } from "commander";
import { connectWorlds, type WorldEntry } from "../../core/env/mod.ts";
import { checkName } from "../../core/text/did-you-mean.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { printResult } from "./options.ts";

export const main = command({
  name: "worlds",
  words: { "[worlds...]": { description: "worlds to list (default: all)" } },
  options: { ...JSON_OPTION },
}, async ({ json }, names) => {
  await using worlds = connectWorlds();
  const catalogue = await worlds.list();
  for (const name of names) checkName("world", name, catalogue.map(({ id }) => id));
  const chosen = names.length === 0 ? catalogue : catalogue.filter(({ id }) => names.includes(id));
  printResult(chosen, json, (all) => all.map(describeWorld).join("\n"));
  return 0;
});

const PAGE = 100;

function describeWorld({ id, doc, parameters, problem }: WorldEntry): string {
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  const width = Math.max(0, ...Object.keys(properties).map((name) => name.length));
  const rows = Object.entries(properties).map(([name, schema]) => {
    const given = "default" in schema
      ? `= ${JSON.stringify(schema.default)}`
      : required.includes(name)
      ? "required"
      : "optional";
    const text = `${typeOf(schema)} ${given}${schema.description ? `: ${schema.description}` : ""}`;
    return `    ${name.padEnd(width)}  ${wrapped(text, width + 6)}`;
  });
  return [
    styleText("bold", id),
    `  ${wrapped(doc, 2)}`,
    ...(problem ? [`    ${wrapped(problem, 4)}`] : []),
    ...rows,
    "",
  ].join("\n");
}

/** A text in lines that fit the page next to an indent, which all but the first begin with. */
function wrapped(text: string, indent: number): string {
  return new Help().boxWrap(text, PAGE - indent).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

/** The part of JSON Schema that worlds' parameters use. */
export interface Schema {
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
  return (schema.type ?? "any") +
    (minimum === "" && maximum === "" ? "" : ` ${minimum}..${maximum}`);
}
