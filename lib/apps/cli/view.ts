/** `./lab view`: the run page over a store, in a browser. */

import { systemClock } from "../../core/platform.ts";
import { bundlePage } from "../view/bundle.ts";
import { createHandler } from "../view/server.ts";
import { createTally } from "../view/tally.ts";
import { command } from "./command.ts";
import { complain } from "./options.ts";
import { openNamedStore, STORE_OPTION } from "./named-store.ts";
import { PAGE_OPTIONS, servePage } from "./serve-page.ts";

export const main = command({
  name: "view",
  options: { ...PAGE_OPTIONS, ...STORE_OPTION },
}, async (values) => {
  using store = openNamedStore(values.store, { create: false, readOnly: true });
  const source = { store, tally: createTally(store), now: systemClock.now };
  const page = await bundlePage();
  await servePage(
    values,
    "the run page",
    (token) =>
      createHandler({ ...source, page, token, onError: ({ message }) => complain(message) }),
  );
  return 0;
});
