/**
 * The store of a command, apart from what plays: commands that only read load nothing of models and worlds.
 *
 * @module
 */

import { join } from "node:path";
import { checkoutRoot } from "../platform.ts";
import { openStore, type OpenStoreOptions, type Store } from "../store/open.ts";

/** Opens the store that was named, else the checkout's own. */
export function openNamedStore(path: string | undefined, options: OpenStoreOptions = {}): Store {
  return openStore(path ?? join(checkoutRoot(), "data", "runs", "lab.sqlite"), options);
}
