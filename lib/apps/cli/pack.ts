/** `./lab pack`: the recorded replies of studies as one file, or their data as folders. */

import { statSync } from "node:fs";
import { writeDataset } from "../../lab/dataset.ts";
import { type PackManifest, writePack } from "../../lab/pack.ts";
import { command } from "./command.ts";
import { complain, printResult, userPath } from "./options.ts";
import { RECORDED, recordedStudies } from "./packs.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

export const main = command({
  name: "pack",
  words: RECORDED,
  options: {
    out: { value: "file", description: "the file", defaultDescription: "<names>.jsonl.zst" },
    data: {
      value: "folder",
      description: "write tables, trajectories (ATIF), Croissant metadata and a data card instead",
      excludes: ["out"],
    },
    ...STORE_OPTION,
    ...JSON_OPTION,
  },
}, async (values, words) => {
  using store = openNamedStore(values.store, { create: false });
  const studies = recordedStudies(store, words);
  if (values.data !== undefined) {
    const root = userPath(values.data);
    const folders = studies.map((id) => writeDataset(store, id, root));
    printResult(folders, values.json, (all) => `${all.join("\n")}\n`);
    return 0;
  }
  const path = userPath(values.out ?? `${words.join("-").replaceAll(/[^\w.@+-]/g, "-")}.jsonl.zst`);
  const manifest = await writePack(store, studies, path);
  for (const { id, planned, completed } of manifest.studies) {
    if (completed < planned) {
      complain(
        `${completed} of ${planned} episodes of ${id} are completed: the others are not in the pack`,
      );
    }
  }
  printResult({ path, bytes: statSync(path).size, ...manifest }, values.json, describe);
  return 0;
});

function describe(
  { path, bytes, studies, counts }: PackManifest & {
    readonly path: string;
    readonly bytes: number;
  },
): string {
  return [
    ...studies.map(({ id, completed }) => `${id}: ${completed} episodes`),
    `${counts.replies} replies to ${counts.calls} calls, ${
      (bytes / 1e6).toFixed(1)
    } MB, in ${path}`,
    `read the licence in its first line before you pass it on; it is played with --replies ${path}`,
    "",
  ].join("\n");
}
