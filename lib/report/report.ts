/**
 * What is made of a study, of whatever paper, and how it goes to disk.
 *
 * @module
 */

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
