/** The store and the output options of commands. */

import { join } from "node:path";
import { checkoutRoot } from "../../core/platform.ts";
import { openStore, type OpenStoreOptions, type Store } from "../../lab/store/open.ts";

/** The option of commands with a store. */
export const STORE_OPTION = {
  store: {
    value: "file",
    description: "use this store",
    defaultDescription: "data/runs/lab.sqlite of the checkout",
  },
} as const;

/** The option of commands whose result can be read by a program. */
export const JSON_OPTION = { json: { description: "print one JSON value" } } as const;

/** Opens the store that was named, else the checkout's own; `name` is that of its file. */
export function openNamedStore(
  path: string | undefined,
  { name = "lab.sqlite", ...options }: OpenStoreOptions & { name?: string } = {},
): Store {
  return openStore(path ?? join(checkoutRoot(), "data", "runs", name), options);
}
