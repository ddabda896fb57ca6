/** `./lab merge <out> <stores...>`: joins the stores of shards into one. */

import { UsageError } from "../../core/errors.ts";
import { isSameFile, type Merge, mergeStore } from "../../lab/store/merge.ts";
import { openStore } from "../../lab/store/open.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { complain, printResult, userPath } from "./options.ts";

/** Merges stores; status 1 if something is in conflict or damaged. */
export const main = command({
  name: "merge",
  words: {
    "<out>": { description: "store to add to (created if missing)" },
    "<stores...>": { description: "stores to read" },
  },
  options: { ...JSON_OPTION },
}, (values, [out = "", ...stores]) => {
  return joinStores(userPath(out), stores.map(userPath), values.json);
});

/**
 * Joins stores, prints what came of it, and returns the status.
 * @throws {UsageError} for a store that is to be merged into itself.
 */
export function joinStores(out: string, stores: readonly string[], json: boolean): number {
  const own = stores.find((path) => path === out || isSameFile(path, out));
  if (own !== undefined) {
    throw new UsageError(
      `the store ${out} cannot be merged into itself: name another output first`,
    );
  }
  for (const path of stores) openStore(path, { create: false, readOnly: true }).close(); // all or none
  using to = openStore(out);
  const merges = stores.map((path) => mergeStore(to, path));
  for (const { from, conflicts } of merges) {
    for (const line of conflicts) complain(`${from}: ${line}`);
  }
  printResult(merges, json, (all) => all.map(describe).join(""));
  return merges.every(({ conflicts }) => conflicts.length === 0) ? 0 : 1;
}

function describe({ from, added: { studies, episodes, replies, artefacts } }: Merge): string {
  return `${from}: ${studies} studies, ${episodes} episodes, ${replies} replies and ${artefacts} artefacts are new\n`;
}
