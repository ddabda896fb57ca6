/**
 * The generated parts of the documents: commands from their own help, frames from the schemas of
 * `lib/lab/frames.ts`, worlds from the catalogue of the world server, defaults from the registries.
 * `deno task reference` writes them; `tests/reference_test.ts` checks that they are current.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Main } from "../../lib/apps/cli/command.ts";
import { COMMANDS, HelpAsked } from "../../lib/apps/cli/commands.ts";
import type { Schema } from "../../lib/apps/cli/worlds.ts";
import { connectWorlds, type WorldEntry, type Worlds } from "../../lib/core/env/mod.ts";
import FAMILIES_JSON from "./world-families.json" with { type: "json" };
import { checkoutRoot } from "../../lib/core/platform.ts";
import { defaultsPart } from "./defaults.ts";

/** What stands before and after a generated part. */
export const MARKS = ["<!-- made by docs/reference/make.ts -->", "<!-- end -->"] as const;

const FAMILIES: readonly Family[] = FAMILIES_JSON;

/** Page → what makes its generated part. */
export const PAGES: Readonly<Record<string, () => Promise<string> | string>> = {
  "docs/reference/commands.md": commandsPart,
  "docs/reference/frames.md": framesPart,
  "docs/reference/worlds.md": worldsPart,
  "docs/explanation/deviations/README.md": defaultsPart,
};

/** A page with another generated part; what stands around it is kept. */
export function withPart(page: string, part: string): string {
  const [begin, end] = MARKS;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`a page has no ${begin} … ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${part.trim()}\n\n${page.slice(to)}`;
}

/** All commands in a table, then the help of each. */
async function commandsPart(): Promise<string> {
  const rows = Object.entries(COMMANDS).map(([name, does]) =>
    `| [\`./lab ${name}\`](#lab-${name}) | ${does} |`
  );
  const sections: string[] = [];
  for (const name of Object.keys(COMMANDS)) {
    const helps = (await helpsOf(name)).map((text) => `\`\`\`text\n${text.trim()}\n\`\`\``);
    sections.push(`## ./lab ${name}`, ...helps);
  }
  return [["| command | what it does |", "|---|---|", ...rows].join("\n"), ...sections]
    .join("\n\n");
}

/** The help of a command and of those below it, 100 columns wide whatever the terminal. */
export async function helpsOf(name: string): Promise<string[]> {
  const { main } = await import(`../../lib/apps/cli/${name}.ts`) as { main: Main };
  const columns = process.stdout.columns;
  process.stdout.columns = 100;
  try {
    return await Promise.all([main, ...Object.values(main.spec.commands ?? {})].map(helpOf));
  } finally {
    process.stdout.columns = columns;
  }
}

async function helpOf(main: Main): Promise<string> {
  try {
    await main(["--help"]);
  } catch (error) {
    if (error instanceof HelpAsked) return error.message;
    throw error;
  }
  throw new Error("--help printed nothing");
}

/** A part of a schema: a comment, a spread, the end of a group, or a column with its type. */
const TOKEN =
  /\/\*\*(.*?)\*\/|\.\.\.([A-Z]+)|(\.\.\.\{)|(\})|(\w+): "(text|integer|number|boolean)(\??)"/gs;

/** The columns of each frame in a table. */
function framesPart(): string {
  const source = readFileSync(join(checkoutRoot(), "lib", "lab", "frames.ts"), "utf8");
  const schemas = new Map<string, string[]>();
  for (
    const [, name = "", body = ""] of source.matchAll(/const (\w+) = \{\n(.*?)\n\} as const/gs)
  ) {
    schemas.set(name, rowsOf(body, schemas));
  }
  return [...schemas].flatMap(([name, rows]) => {
    const frame = name.match(/^(\w+)_COLUMNS$/)?.[1]?.toLowerCase()
      .replace(/_(.)/, (_, letter: string) => letter.toUpperCase());
    const what = source.match(new RegExp(`\\* ([^/]*?) Columns: \`${name}\``, "s"))?.[1] ?? "";
    return frame === undefined ? [] : [
      `## ${frame}`,
      oneLine(what),
      ["| column | type | what it is |", "|---|---|---|", ...rows]
        .join("\n"),
    ];
  }).join("\n\n");
}

/** The rows of a schema; columns that share a comment share a row. */
function rowsOf(body: string, schemas: ReadonlyMap<string, readonly string[]>): string[] {
  const rows: string[] = [];
  let [comment, group]: [string, string[] | undefined] = ["", undefined];
  for (const [, text, spread, opens, closes, column = "", type, nullable] of body.matchAll(TOKEN)) {
    const typed = `${type}${nullable ? " or null" : ""}`;
    if (text !== undefined) comment = oneLine(text);
    else if (spread) rows.push(...schemas.get(spread) ?? []);
    else if (opens) group = [];
    else if (!closes && group) group.push(`\`${column}\``, typed);
    else {
      const names = group?.filter((_, index) => index % 2 === 0) ?? [`\`${column}\``];
      const types = new Set(group?.filter((_, index) => index % 2 === 1) ?? [typed]);
      const what = comment === "" && group ? "as above" : comment;
      rows.push(`| ${names.join(", ")} | ${[...types].join(", ")} | ${what} |`);
      [comment, group] = ["", undefined];
    }
  }
  return rows;
}

/** A comment of several lines in one line of a table. */
function oneLine(text: string): string {
  return text.replaceAll(/\n\s*\* ?/g, " ").trim().replaceAll("|", "\\|");
}

/** What the worlds of a family have in common: `docs/reference/world-families.json`. */
interface Family {
  /** Beginnings of the ids of its worlds. */
  readonly prefixes: readonly string[];
  readonly start: string;
  readonly rewards: string;
  readonly end: string;
  readonly truth: string;
  readonly references: string;
  /** More on the observations. */
  readonly shows?: string;
  /** Whether turns list the valid actions. @default {true} */
  readonly hasValid?: boolean;
  /** A world with the same actions and sections, for worlds that need a file. */
  readonly like?: string;
  /** Of worlds that all need a file. */
  readonly actions?: readonly string[];
  readonly sections?: readonly string[];
  readonly fallback?: string;
}

/** What a world's section needs of its spec. */
type Known = Pick<Family, "actions" | "sections" | "fallback"> & { readonly version?: string };

/** Each world of the catalogue below the list of all. */
async function worldsPart(): Promise<string> {
  await using worlds = connectWorlds();
  const catalogue = await worlds.list();
  const list = catalogue.map(({ id }) => `[\`${id}\`](#${id.replaceAll("/", "")})`).join(" · ");
  const sections = await Promise.all(catalogue.map((entry) => worldSection(entry, worlds)));
  return [list, ...sections].join("\n\n");
}

/** A world under the headings of Gymnasium's pages, with its own actions, sections and arguments. */
export async function worldSection(entry: WorldEntry, worlds: Worlds): Promise<string> {
  const { id, doc, parameters } = entry;
  const family = FAMILIES.find(({ prefixes }) => prefixes.some((some) => id.startsWith(some)));
  if (family === undefined) throw new Error(`docs/reference/world-families.json has no ${id}`);
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  const needsFile = required.length > 0 || entry.problem !== undefined;
  const known: Known = await knownOf(needsFile ? family.like : id, worlds) ?? family;
  const names = (some: readonly string[] = []): string =>
    some.map((name) => `\`${name}\``).join(", ");
  const rows = Object.entries(properties).map(([name, schema]) => {
    const given = "default" in schema
      ? `\`${JSON.stringify(schema.default)}\``
      : required.includes(name)
      ? "required"
      : "none";
    return `| \`${name}\` | ${typeOf(schema)} | ${given} | ${oneLine(schema.description ?? "")} |`;
  });
  const valid = family.hasValid === false ? "" : " Each turn lists the valid actions.";
  const facts = {
    "Action space": `${names(known.actions)}. If a reply names no action: \`${known.fallback}\`.`,
    "Observation space": `Goal and observation, and the sections ${names(known.sections)}.${valid}${
      family.shows ? ` ${family.shows}` : ""
    }`,
    "Starting state": family.start,
    Rewards: family.rewards,
    "Episode end": family.end,
    Information: family.truth,
    ...(needsFile || known.version === undefined ? {} : { Version: `${known.version}.` }),
    References: `${family.references}.`,
  };
  return [
    `## ${id}`,
    sentence(doc),
    Object.entries(facts).map(([head, text]) => `- **${head}.** ${text}`).join("\n"),
    ["| argument | type | default | what it is |", "|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

/** The actions and sections of a world that can be opened here. */
async function knownOf(id: string | undefined, worlds: Worlds): Promise<Known | undefined> {
  if (id === undefined || worlds.specOf === undefined) return undefined;
  const { actions, ...spec } = await worlds.specOf(id);
  return { ...spec, actions: actions.map(({ name }) => name) };
}

function sentence(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase()).replace(/(?<![.!?])$/, ".");
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if ("const" in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const { minimum = "", maximum = "" } = schema;
  const range = minimum === "" && maximum === "" ? "" : ` ${minimum} to ${maximum}`;
  return (schema.type ?? "any") + range;
}

if (import.meta.main) {
  for (const [page, make] of Object.entries(PAGES)) {
    const path = join(checkoutRoot(), page);
    writeFileSync(path, withPart(readFileSync(path, "utf8"), await make()));
    process.stdout.write(`${page}\n`);
  }
}
