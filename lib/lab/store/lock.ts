/** The run lock of a store: two runs at once would play the same episodes twice. */

import { realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";
import { asStoreError } from "./errors.ts";
import type { Store } from "./open.ts";

/**
 * Acquires the run lock of a store; disposing of the result releases it. Readers need none. It is
 * an exclusive transaction on an empty SQLite file (`<store>.lock`), which the operating system
 * releases when its process ends.
 * @throws {StoreError} `locked` while another run holds it.
 */
export function lockForRun(store: Store): Disposable {
  if (store.path === ":memory:") return { [Symbol.dispose]: () => {} };
  let holder: DatabaseSync | undefined;
  try {
    holder = new DatabaseSync(`${realpathSync(store.path)}.lock`); // one lock, whatever links lead to the store
    holder.prepare("begin exclusive").run(); // not exec(), whose errors have no code
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
  return { [Symbol.dispose]: () => void (held.isOpen && held.close()) };
}
