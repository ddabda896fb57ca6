/** `./lab view`: the run page over a store, in a browser; or as a folder that needs no server. */

import { join } from "node:path";
import process from "node:process";
import { systemClock } from "../../core/platform.ts";
import { count } from "../../core/text/amounts.ts";
import { bundlePage } from "../view/bundle.ts";
import { exportPage } from "../view/export.ts";
import { createHandler } from "../view/server.ts";
import { createTally } from "../view/tally.ts";
import { command } from "./command.ts";
import { complain, userPath } from "./options.ts";
import { openNamedStore, STORE_OPTION } from "./named-store.ts";
import { PAGE_OPTIONS, servePage } from "./serve-page.ts";

export const main = command({
  name: "view",
  options: {
    ...PAGE_OPTIONS,
    export: {
      value: "folder",
      description: "write the page into a folder that needs no server",
    },
    study: { value: "id", description: "limit to this study", multiple: true, needs: "export" },
    episode: { value: "id", description: "limit to this episode", multiple: true, needs: "export" },
    ...STORE_OPTION,
  },
}, async (values) => {
  using store = openNamedStore(values.store, { create: false, readOnly: true });
  const source = {
    store,
    tally: createTally(store),
    now: systemClock.now,
  };
  if (values.export === undefined) {
    const page = await bundlePage();
    await servePage(
      values,
      "the run page",
      (token) =>
        createHandler({ ...source, page, token, onError: ({ message }) => complain(message) }),
    );
    return 0;
  }
  const folder = userPath(values.export);
  const { episodes, files, bytes, broken } = await exportPage(source, await bundlePage(), {
    folder,
    studies: values.study,
    episodes: values.episode,
  });
  broken.forEach(complain);
  const size = `${Math.ceil(bytes / 2 ** 20)} MB in ${files} files`;
  process.stdout.write(
    `wrote ${count(episodes)} episodes, ${size}; open ${join(folder, "index.html")}\n`,
  );
  return 0;
});
