/**
 * `./lab export <study|paper>`: the record of studies as Parquet files, for Python, R or DuckDB.
 */

import { exportRecord } from "../../lab/export-record.ts";
import { command } from "./command.ts";
import { printResult, userPath } from "./options.ts";
import { RECORDED, recordedStudies } from "./packs.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

/** Writes the files, by default into `export/` of the folder that the command is given in. */
export const main = command({
  name: "export",
  words: RECORDED,
  options: {
    to: { value: "folder", description: "where the files go", default: "export" },
    ...STORE_OPTION,
    ...JSON_OPTION,
  },
}, async (values, words) => {
  using store = openNamedStore(values.store, { create: false });
  const studies = recordedStudies(store, words);
  const files = await exportRecord(store, studies, userPath(values.to));
  printResult(
    { studies, files },
    values.json,
    ({ files }) => files.map((file) => `${file}\n`).join(""),
  );
  return 0;
});
