/** `./lab repair`: saves what is whole of a damaged store into a new one beside it. */

import { type Repair, repairStore } from "../../lab/store/repair.ts";
import { command } from "./command.ts";
import { printResult, userPath } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

/** Repairs a store. Status 0, also where something was lost: what it was is told. */
export const main = command({
  name: "repair",
  options: { into: { value: "file", says: "the new store", defaultSays: "<store>.repaired.sqlite" }, ...STORE_OPTION, ...JSON_OPTION },
}, (values) => {
  using store = openNamedStore(values.store, { create: false, salvage: true });
  const into = values.into === undefined ? store.path.replace(/(\.sqlite)?$/, ".repaired.sqlite") : userPath(values.into);
  printResult(repairStore(store, into), values.json, describe);
  return 0;
});

function describe({ store, saved, unsealed, lost }: Repair): string {
  const { studies, episodes, replies, artefacts } = saved;
  return [
    `saved  ${episodes} episodes of ${studies} studies, ${replies} replies, ${artefacts} artefacts\n`,
    unsealed > 0
      ? `       ${unsealed} of the episodes are not sealed: an earlier version played them, and nothing can be said of them\n`
      : "",
    ...lost.map((line) => `lost   ${line}\n`),
    lost.length > 0
      ? `run the same command again with --store ${store}: what is lost is played again, from the saved replies as far as they go\n`
      : "",
    `the new store is ${store}; the old one is as it was\n`,
  ].join("");
}
