/** What the checks of notebooks read out of an `.ipynb` file. */

import { readFileSync } from "node:fs";

/** A code cell with what it showed. */
export interface CodeCell {
  readonly source: string;
  readonly tags: readonly string[];
  readonly count: number | null;
  readonly outputs: readonly Output[];
}

/** One output, as notebooks store it; a text may be cut into lines. */
export interface Output {
  readonly output_type: "stream" | "display_data" | "execute_result" | "error";
  readonly text?: string | readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly ename?: string;
  readonly evalue?: string;
}

/** What the last cell of every notebook prints, so that a notebook cut short shows. */
export const SENTINEL = "notebook complete";

/** The code cells of a notebook in order. */
export function readCells(path: string): CodeCell[] {
  const { cells } = JSON.parse(readFileSync(path, "utf8")) as { cells: RawCell[] };
  return cells.filter((cell) => cell.cell_type === "code").map((cell) => ({
    source: whole(cell.source),
    tags: cell.metadata?.tags ?? [],
    count: cell.execution_count ?? null,
    outputs: cell.outputs ?? [],
  }));
}

/** What a cell printed, its values left out. */
export function printed(cell: CodeCell | undefined): string {
  return (cell?.outputs ?? []).map((output) =>
    output.output_type === "stream" ? whole(output.text ?? "") : ""
  ).join("");
}

/**
 * All that can be read of a cell's outputs: what it printed, and its values and tables as text;
 * drawings are left out.
 */
export function readable(cell: CodeCell | undefined): string[] {
  return (cell?.outputs ?? []).map(({ text, data }) =>
    text ?? data?.["text/markdown"] ?? data?.["text/plain"] ?? ""
  ).map((part) => whole(part as string));
}

interface RawCell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly metadata?: { readonly tags?: readonly string[] };
  readonly execution_count?: number | null;
  readonly outputs?: readonly Output[];
}

function whole(text: string | readonly string[]): string {
  return typeof text === "string" ? text : text.join("");
}
