/** What is made of a study: its exhibits as tables, its figures, and the one ledger of its paper. */

import type { Store } from "../lab/store/open.ts";
import type { PaperClaims } from "../lab/claim-cases.ts";
import { testClaims } from "../lab/claims.ts";
import { claimsFigure, claimsTable } from "./claims-table.ts";
import { createStudyReader, type Exhibit, isIn, reportableBackbone, type StudyReader } from "./exhibit.ts";
import { type PaperIds, studiesBeside } from "./studies-beside.ts";
import { embedderSuffix, tableOf, type TableOptions, withEmbedder } from "./exhibit-table.ts";
import { exportFigures, type ExportOptions, exportTable, undrawnText } from "./export.ts";
import type { Figure } from "./figure.ts";
import { provenanceOf } from "./provenance.ts";
import { type LedgerEntry, ledgerOf, summariseLedger } from "./ledger.ts";
import { ledgerCsv, ledgerTable } from "./ledger-table.ts";
import { type Table, toMarkdown } from "./table.ts";

/** The tables, figures and ledger of a study. */
export interface Report {
  /** In the paper's order. */
  readonly tables: readonly Table[];
  /** In the paper's order. */
  readonly figures: readonly Figure[];
  /** Every number of the paper beside ours. */
  readonly ledger?: readonly LedgerEntry[];
  /** The figures that could not be made, each with the reason in one line; none by default. */
  readonly undrawn?: readonly string[];
}

/** A report as it was written. */
export interface WrittenReport {
  /** Paths, the folder's included. */
  readonly files: readonly string[];
  /** The tables, the captions of the figures where there is no table, and the ledger's summary. */
  readonly markdown: string;
  /** The figures that could not be drawn, each with the reason in one line. */
  readonly undrawn?: readonly string[];
}

/** The one ledger of a paper. */
export interface PaperLedger extends PaperIds {
  /** Above the ledger. */
  readonly title: string;
  /** Every exhibit with numbers of the paper, in the paper's order. */
  readonly exhibits: readonly Exhibit[];
  /** The paper's comparative sentences; their table and figure are written with the ledger. @default none */
  readonly claims?: PaperClaims;
}

/** The inputs of tables and figures. */
export interface ReportInput extends TableOptions {
  /** Holds the study. */
  readonly store: Store;
  /** Id of the study. */
  readonly study: string;
  /** Id of the backbone, which answered for the models. */
  readonly backbone: string;
  /** Reads the trials that exhibits have read already at no cost. */
  readonly reader: StudyReader;
}

/** Draws figures of a study; gives none where the study has nothing to draw. */
export type DrawFigures = (input: ReportInput) => Figure | readonly Figure[] | undefined;

/**
 * Makes the tables and figures of a study, and the ledger of its paper, which looks into all of the paper's studies in the store. `allowIncomplete`
 * shows means where planned trials are missing; else such cells say `incomplete`.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 */
export type MakeReport = (store: Store, study: string, options?: TableOptions) => Report;

/** The definition of a study's report, as data. */
export interface StudyReport {
  /** In the order of the tables; those without a planned trial are left out. Made of the study where its trials say which lines there are. */
  readonly exhibits: readonly Exhibit[] | ((input: ReportInput) => readonly Exhibit[]);
  /** Tables that are no exhibits. They come after these. */
  tables?(input: ReportInput): Table[];
  /** In the paper's order. Their captions get the embedder, and their ids where it is not the default one. */
  readonly figures?: readonly DrawFigures[];
  /** Figures that no model had a part in, e.g. maps of games: they name no embedder. */
  readonly maps?: readonly DrawFigures[];
  /** The paper's; absent where there is nothing to compare. */
  readonly ledger?: PaperLedger;
}

/** Makes the report of a study; figures that cannot be made are named in `undrawn`. @throws {UsageError} as `reportableBackbone` does. */
export function reportOf(definition: StudyReport, store: Store, study: string, options: TableOptions = {}): Report {
  const input = { ...options, store, study, backbone: reportableBackbone(store, study), reader: createStudyReader(store) };
  const name = embedderNamed(input);
  const stated = typeof definition.exhibits === "function" ? definition.exhibits(input) : definition.exhibits;
  const exhibits = stated.filter((exhibit) => isPlanned(exhibit, input));
  const undrawn: string[] = [];
  const made = (what: "figures" | "maps"): readonly Figure[] => {
    try {
      return definition[what]?.flatMap((draw) => draw(input) ?? []) ?? [];
    } catch (error) {
      undrawn.push(undrawnText(`the ${what} of ${study}`, error));
      return [];
    }
  };
  return {
    tables: [
      ...exhibits.map((exhibit) => tableOf(exhibit, input.reader.read(exhibit, study), options)),
      ...(definition.tables?.(input) ?? []).map(name),
    ],
    figures: [...made("figures").map(name), ...made("maps")],
    undrawn,
    ledger: definition.ledger && paperLedger(definition.ledger, input.reader, study),
  };
}

/** Returns a function that makes the report of a study by the definition that its id chooses. */
export function makeReport(definitionOf: (study: string) => StudyReport): MakeReport {
  return (store, study, options) => reportOf(definitionOf(study), store, study, options);
}

/** Writes the report of a study and, unless `ledger` is false, that of its paper. @throws {UsageError} as `reportOf`; what the file system says. */
export async function writeStudyReport(
  definition: StudyReport,
  store: Store,
  study: string,
  options: TableOptions & { readonly folder: string; readonly ledger?: boolean },
): Promise<WrittenReport> {
  const provenance = provenanceOf(store, [study]);
  const own = await writeReport(reportOf(definition, store, study, options), { folder: options.folder, provenance });
  if (options.ledger === false || !definition.ledger) return own;
  const paper = await writePaperLedger(definition, store, study, options);
  return {
    files: [...own.files, ...paper.files],
    markdown: `${own.markdown}\n${paper.markdown}`,
    undrawn: [...own.undrawn ?? [], ...paper.undrawn ?? []],
  };
}

/**
 * Writes the ledger of a study's paper with its claims, over all of the paper's studies in the store; nothing where the paper has no ledger.
 *
 * @throws what the file system says.
 */
export async function writePaperLedger(
  { ledger: definition }: StudyReport,
  store: Store,
  study: string,
  { folder }: { readonly folder: string },
): Promise<WrittenReport> {
  if (!definition) return { files: [], markdown: "" };
  const { ledger, ...paper } = paperReport(definition, store, study);
  const provenance = provenanceOf(store, studiesBehind(paper, ledger.entries, store, study));
  const written = await writeReport({ ...paper, ledger: ledger.entries }, { folder, ledger, provenance });
  return { ...written, markdown: `${summariseLedger(ledger.entries)}\n` };
}

/** The ledger of a paper, its file name and title, and its claims, tested over all of its studies in the store. */
function paperReport(definition: PaperLedger, store: Store, study: string): Pick<Report, "tables" | "figures"> & {
  readonly ledger: { readonly id: string; readonly title: string; readonly entries: readonly LedgerEntry[] };
} {
  const reader = createStudyReader(store);
  const { prefix, title, claims } = definition;
  const { backbone, embedder } = reader.origin(study);
  const named = backbone + embedderSuffix(embedder);
  const tested = claims && testClaims(claims, store, studiesBeside(store, study, definition));
  const naming = { prefix, backbone: named, paper: title.replace(/:.*/, "") };
  return {
    tables: tested ? [claimsTable(tested, naming)] : [],
    figures: tested ? [claimsFigure(tested, naming) ?? []].flat() : [],
    ledger: { id: `${prefix}ledger-${named}`, title, entries: paperLedger(definition, reader, study) },
  };
}

/** The studies that the numbers of a paper's ledger and claims come from, of all that the store may hold of it. */
function studiesBehind({ tables }: Pick<Report, "tables">, ledger: readonly LedgerEntry[], store: Store, study: string): string[] {
  const cells = tables.flatMap(({ rows }) => rows.flat());
  const compared = cells.flatMap((cell) => typeof cell === "object" && cell !== null && "episodes" in cell ? cell.episodes ?? [] : []);
  const find = store.prepare("select study from episodes where id = ?");
  const theirs = [...new Set(compared)].map((episode) => String(find.get(episode)?.["study"]));
  return [...new Set([study, ...ledger.flatMap(({ ours }) => ours?.study ?? []), ...theirs])];
}

/** How a report is written. */
interface WriteOptions extends ExportOptions {
  readonly folder: string;
  readonly ledger?: { readonly id: string; readonly title: string };
}

/** Writes tables, figures and a named ledger, replacing files; what cannot be drawn is in `undrawn`. @throws what the file system says. */
export async function writeReport(
  { tables, figures, ledger = [], undrawn = [] }: Report,
  { folder, ledger: named, provenance }: WriteOptions,
): Promise<WrittenReport> {
  const files: string[] = [];
  for (const table of tables) files.push(...await exportTable(table, folder, { provenance }));
  const drawn = await exportFigures(figures, folder, { provenance });
  files.push(...drawn.written.flatMap((one) => one.files));
  if (named) files.push(...await exportTable(ledgerTable(ledger, named), folder, { csv: ledgerCsv(ledger), provenance }));
  const captions = tables.length > 0 ? [] : figures.map(({ caption }) => `${caption}\n`);
  return {
    files,
    undrawn: [...undrawn, ...drawn.undrawn],
    markdown: [...tables.map(toMarkdown), ...captions, ...(named ? [`${summariseLedger(ledger)}\n`] : [])].join("\n"),
  };
}

/** Every number of a paper beside ours, from the given study and all others of the paper that stand beside it. */
export function paperLedger(paper: PaperLedger, reader: StudyReader, study: string): LedgerEntry[] {
  const studies = studiesBeside(reader.store, study, paper);
  return paper.exhibits.flatMap((exhibit) => ledgerOf(exhibit, reader, studies));
}

/** Whether a study has a planned trial in any row and column of an exhibit. */
function isPlanned({ rows, columns, ...exhibit }: Exhibit, { reader, study }: ReportInput): boolean {
  return reader.read(exhibit, study).trials.some((trial) =>
    rows.some((row) => isIn(row, trial)) && columns.some((column) => isIn(column, trial))
  );
}

/** Adds the embedder of a study to captions and, where it is not the default one, to ids. */
function embedderNamed({ reader, study }: ReportInput): <A extends { readonly id: string; readonly caption: string }>(artefact: A) => A {
  const { embedder } = reader.origin(study);
  return (artefact) => ({ ...artefact, id: artefact.id + embedderSuffix(embedder), caption: withEmbedder(artefact.caption, embedder) });
}
