/**
 * `./lab export <study|paper>`: the record of studies as Parquet files, for Python, R or DuckDB, or as logs of Inspect.
 *
 * @module
 */

import { exportInspectLogs, exportRecord } from "../report/export.ts";
import { printResult, readOptions, userPath } from "./options.ts";
import { recordedStudies } from "./packs.ts";
import { openNamedStore } from "./named-store.ts";

const USAGE = "./lab export <study|paper> … [--inspect] [--to <folder>] [--store <file>] [--json]";

/** Writes the files, or with `--inspect` a log of Inspect for each study, by default into `export/` of the folder that the command is given in. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, USAGE, {
    inspect: { type: "boolean", default: false },
    to: { type: "string", default: "export" },
    store: { type: "string" },
    json: { type: "boolean", default: false },
  }, { min: 1, max: Infinity });
  using store = openNamedStore(values.store, { create: false });
  const studies = recordedStudies(store, positionals);
  const write = values.inspect ? exportInspectLogs : exportRecord;
  const files = await write(store, studies, userPath(values.to));
  printResult({ studies, files }, values.json, ({ files }) => files.map((file) => `${file}\n`).join(""));
  return 0;
}
