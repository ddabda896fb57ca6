/**
 * What is made of a study, of whatever paper, and how it goes to disk.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { Store } from "../store/open.ts";
import { exportFigure, exportTable } from "./export.ts";
import type { Figure } from "./figure.ts";
import { exportLedger, type LedgerEntry, summariseLedger } from "./ledger.ts";
import { type Table, toMarkdown } from "./table.ts";

/** What is made of a study. */
export interface Report {
  /** In the paper's order. */
  readonly tables: readonly Table[];
  /** In the paper's order. */
  readonly figures: readonly Figure[];
  /** Every number of the paper beside ours. */
  readonly ledger?: readonly LedgerEntry[];
}

/** Where a report goes. */
export interface WriteReportOptions {
  /** Made where it is missing; files of the same names are replaced. */
  readonly folder: string;
  /** How the ledger is called, where the report has one. */
  readonly ledger?: { readonly id: string; readonly title: string };
}

/** What was written. */
export interface WrittenReport {
  /** Paths, the folder's included. */
  readonly files: readonly string[];
  /** The tables, the captions of the figures where there is no table, and the ledger's summary. */
  readonly markdown: string;
}

/**
 * Writes tables, figures and ledger into a folder.
 *
 * @throws what the file system says where the folder cannot be written.
 */
export async function writeReport(report: Report, options: WriteReportOptions): Promise<WrittenReport> {
  const { tables, figures, ledger = [] } = report;
  const files: string[] = [];
  for (const table of tables) files.push(...await exportTable(table, options.folder));
  for (const figure of figures) files.push(...await exportFigure(figure, options.folder));
  if (options.ledger) files.push(...await exportLedger(ledger, { ...options.ledger, folder: options.folder }));
  const captions = tables.length > 0 ? [] : figures.map(({ caption }) => `${caption}\n`);
  return {
    files,
    markdown: [...tables.map(toMarkdown), ...captions, ...(options.ledger ? [`${summariseLedger(ledger)}\n`] : [])].join("\n"),
  };
}

/**
 * The one backbone of a study that has something to report.
 *
 * @throws {UsageError} if no episode is completed, or there is more than one backbone.
 */
export function reportedBackbone(rows: readonly { readonly backbone: string; readonly status: string }[], study: string): string {
  const backbones = [...new Set(rows.map(({ backbone }) => backbone))];
  if (!rows.some(({ status }) => status === "completed")) {
    throw new UsageError(`study "${study}" has no completed episode to report; ./lab study ${study} runs it`);
  }
  if (backbones.length !== 1) {
    throw new UsageError(`study "${study}" mixes the backbones ${backbones.join(", ")}; report one study a backbone`);
  }
  return backbones[0] ?? "";
}

/**
 * Adds the embedder that a study's memories searched with to captions and, where it is not the default one, to file names.
 */
export function namedByEmbedder(
  store: Store,
  study: string,
): <T extends { readonly id: string; readonly caption: string }>(artefact: T) => T {
  const ids = store.prepare("select distinct json_extract(identity, '$.embedder') as id from episodes where study = ? order by 1").all(
    study,
  )
    .flatMap(({ id }) => id === null ? [] : [String(id)]);
  if (ids.length === 0) return (artefact) => artefact;
  const embedder = ids.join(" and ");
  const suffix = embedder === DEFAULT_EMBEDDER ? "" : `-${ids.join("-")}`;
  return (artefact) => ({ ...artefact, id: artefact.id + suffix, caption: `${artefact.caption} Embedder ${embedder}.` });
}

/** What file names need not say. */
const DEFAULT_EMBEDDER = "lexical-v1";
