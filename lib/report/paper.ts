/**
 * The papers' reported numbers, as shipped in `data/papers/`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { projectRoot } from "../platform.ts";

/**
 * The rows of `data/papers/<name>.csv`: column → text. An empty cell was not reported.
 *
 * @throws {UsageError} if there is no such file.
 *
 * @example
 * ```ts
 * import { paperTable } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const rows = paperTable("arigraph_table4_textworld");
 * assert.equal(rows.find((row) => row.method === "AriGraph")?.cleaning, "0.79");
 * ```
 */
export function paperTable(name: string): Record<string, string>[] {
  const path = join(projectRoot, "data", "papers", `${name}.csv`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`no reported numbers named "${name}"; the files stand in data/papers/`, { cause: error });
  }
  const [header = "", ...lines] = text.trim().split(/\r?\n/);
  const columns = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [columns[index] ?? `column ${index}`, cell])));
}
