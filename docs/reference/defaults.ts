/**
 * What each option of the papers' makers is by default, beside what the paper prints and what its
 * authors' code does.
 */

import rows from "../../data/library/paper-defaults.json" with { type: "json" };
import { METHODS } from "../../lib/core/agent/registry.ts";
import { MEMORIES } from "../../lib/core/memory/registry.ts";
import { entryOf } from "../../lib/core/text/registry.ts";

/** An option of a maker. Values are as the option takes them; null is an option that is not set. */
export interface PaperDefault {
  /** Id of the memory or method. */
  readonly maker: string;
  /** Name of the option. */
  readonly option: string;
  /** The paper's value; absent where it prints none. */
  readonly paper?: unknown;
  /**
   * The value of the authors' code, or of the work that a baseline comes from; absent where there
   * is none that can be stated.
   */
  readonly authors?: unknown;
  /**
   * A limit of ours where neither has one, or the paper's cannot be a number; an event is counted
   * when it acts.
   */
  readonly ceiling?: unknown;
  /** The value of the registry. */
  readonly ours: unknown;
  /** What the paper says, where that is more than the value. */
  readonly paperSays?: string;
  /** What the authors' code does, where that is more than the value. */
  readonly authorsSays?: string;
  /** Why the default is as it is, where neither the paper nor the code says. */
  readonly why?: string;
  /** Page and number of the deviation. */
  readonly id?: string;
}

/** A row for every option of `data/library/paper-defaults.json`, with the registry's default. */
export function paperDefaults(): PaperDefault[] {
  return (rows as readonly Omit<PaperDefault, "ours">[]).flatMap((row) =>
    row.maker.split(" ").map((maker) => ({
      ...row,
      maker,
      ours: defaultsOf(maker)[row.option] ?? null,
    }))
  );
}

/** The options of a maker with their defaults. */
function defaultsOf(maker: string): Readonly<Record<string, unknown>> {
  const entry = Object.hasOwn(MEMORIES, maker)
    ? entryOf("memory", MEMORIES, maker)
    : entryOf("method", METHODS, maker);
  return entry.options.parse({}) as Readonly<Record<string, unknown>>;
}

/** The rows as a table in Markdown; makers with the same default of an option share a line. */
export function defaultsPart(): string {
  const lines = Map.groupBy(paperDefaults(), ({ maker: _, ...row }) => JSON.stringify(row));
  return [
    "| maker | option | paper | authors' code | default | deviation |",
    "|---|---|---|---|---|---|",
    ...[...lines.values()].map((some) =>
      lineOf(some.map(({ maker }) => maker), some[0] as PaperDefault)
    ),
  ].join("\n");
}

function lineOf(makers: readonly string[], row: PaperDefault): string {
  const { option, paper, authors, ceiling, ours, paperSays, authorsSays, why, id } = row;
  const note = [ceiling === undefined ? [] : "a ceiling of ours", why ?? []].flat().join("; ");
  const cells = [
    makers.map((maker) => `\`${maker}\``).join(", "),
    `\`${option}\``,
    cell(paper, paperSays),
    cell(authors, authorsSays),
    cell(ours, note === "" ? undefined : note),
    linkOf(id),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A value, and what is said of it; a dash where there is neither. */
function cell(value: unknown, description?: string): string {
  const shown = value === undefined
    ? []
    : [value === null ? "not set" : `\`${JSON.stringify(value).replaceAll('"', "")}\``];
  return [...shown, ...description === undefined ? [] : [description]].join(": ") || "–";
}

function linkOf(id: string | undefined): string {
  const [page, number] = id?.split(" ") ?? [];
  return page && number ? `[${page} ${number}](${page}.md)` : "";
}
