/** The record of studies as Parquet files. */

import type { Store } from "./store/open.ts";
import { frameOf } from "./frame-of.ts";
import { writeAll } from "./write-files.ts";

/** The tables of the record that `exportRecord` writes; JSON columns stay JSON text. */
const RECORDED = {
  episodes: "select * from episodes where study = ? order by chain, ordinal",
  turns:
    "select e.study, t.* from turns t join episodes e on e.id = t.episode where e.study = ? order by t.episode, t.pass, t.step",
  calls:
    "select e.study, c.* from calls c join episodes e on e.id = c.episode where e.study = ? order by c.id",
} as const;

/**
 * Writes the episodes, turns and calls of some studies as Parquet files: `episodes.parquet`,
 * `turns.parquet`, `calls.parquet`, with the columns of the store, and gives the paths. Seeds are
 * text, times are milliseconds since 1970.
 *
 * @throws What the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { exportRecord } from "labyrinth/lab";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { basename, join } from "node:path";
 *
 * using store = openStore(":memory:"); // holds no study yet
 * const files = await exportRecord(store, ["mine"], await mkdtemp(join(tmpdir(), "labyrinth-")));
 * assert.deepEqual(files.map((file) => basename(file)), ["episodes.parquet", "turns.parquet", "calls.parquet"]);
 * ```
 */
export async function exportRecord(
  store: Store,
  studies: readonly string[],
  folder: string,
): Promise<string[]> {
  const files: string[] = [];
  for (const [name, query] of Object.entries(RECORDED)) {
    const statement = store.database.prepare(query);
    const rows = studies.flatMap((study) => statement.all(study));
    const columns = statement.columns().filter(({ type }) => type?.toLowerCase() !== "blob") // hashes of rows mean nothing elsewhere
      .map(({ name, type }) => [name, typeOf(name, type)] as const);
    const texts = columns.filter(([, type]) => type === "text?").map(([name]) => name);
    for (const row of rows) {
      for (const text of texts) if (typeof row[text] === "number") row[text] = String(row[text]);
    }
    const frame = frameOf(rows, Object.fromEntries(columns));
    files.push(...await writeAll(folder, name, { parquet: frame.writeParquet() }));
  }
  return files;
}

function typeOf(name: string, type: string | null): "text?" | "integer?" | "number?" {
  if (name === "seed") return "text?"; // so that no reader turns it into a float
  return type?.toLowerCase() === "integer"
    ? "integer?"
    : type?.toLowerCase() === "real"
    ? "number?"
    : "text?";
}
