/**
 * One run a store: two runs at once would play the same episodes twice.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { asStoreError } from "./errors.ts";
import type { Store } from "./open.ts";

/**
 * Takes the run lock of a store and gives it back when disposed. Readers never ask for it.
 *
 * The lock is an exclusive transaction on an empty SQLite file beside the store (`<store>.lock`): the operating system drops it with
 * the process that held it, so that a killed run leaves nothing behind, and a process id that was given anew can fool nobody.
 *
 * @throws {StoreError} `locked` while another run holds it.
 */
export function lockForRun(store: Store): Disposable {
  if (store.path === ":memory:") return { [Symbol.dispose]: () => {} };
  let holder: DatabaseSync | undefined;
  try {
    holder = new DatabaseSync(`${store.path}.lock`);
    holder.exec("begin exclusive");
  } catch (error) {
    holder?.close();
    const known = asStoreError(error, store.path);
    if (known instanceof StoreError && known.kind === "locked") {
      throw new StoreError(
        "locked",
        `another run is writing to the store ${store.path}: wait until it has ended, or choose another store with --store`,
        { cause: error },
      );
    }
    throw known;
  }
  const held = holder;
  return {
    [Symbol.dispose]: () => {
      if (held.isOpen) held.close();
    },
  };
}
