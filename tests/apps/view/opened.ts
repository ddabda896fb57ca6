/** The run page over an invented store, in a real browser. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { findChromium, type Tab, withBrowser } from "../chromium.ts";
import { displaySymbol, serveHttp } from "../../../lib/core/platform.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { bundlePage } from "../../../lib/apps/view/bundle.ts";
import type { Displayed } from "../../../lib/apps/view/notebook.ts";
import { createHandler } from "../../../lib/apps/view/server.ts";
import { createTally } from "../../../lib/apps/view/tally.ts";
import { fill } from "./invented.ts";
import { ownFolder } from "../../folder.ts";

const chromium = findChromium();
/** Whether there is no browser to test with. */
export const ignore = chromium === undefined;
if (ignore) process.stdout.write("skipped: there is no Chromium on this machine\n");

/** Whether the page shows a text, as an expression. */
export function says(text: string): string {
  return `document.body?.innerText.includes(${JSON.stringify(text)})`;
}

/** A page in a browser, over a store that may be written to. */
export interface Opened {
  readonly tab: Tab;
  readonly address: string;
  readonly writer: Store;
  /** Opens an output as `nbconvert` writes it; expressions are then read in its frame. */
  readonly openOutput: (view: Displayed) => Promise<void>;
}

/** Opens the page over an invented store. */
export async function inBrowser(check: (opened: Opened) => Promise<void>): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  using writer = openStore(join(folder, "store.sqlite"));
  await fill(writer);
  using store = openStore(writer.path, { readOnly: true });
  const handler = createHandler({
    ...{ store, tally: createTally(store), now: () => 3000 },
    ...{ page: await bundlePage(), interval: 50 },
  });
  const server = serveHttp({ hostname: "127.0.0.1", port: 0 }, handler.answer);
  try {
    await withBrowser(
      chromium as string,
      (tab) =>
        check({
          tab,
          address: `http://127.0.0.1:${server.port}/`,
          writer,
          openOutput: async (view) => {
            const file = join(folder, "notebook.html");
            const { "text/html": html } = view[displaySymbol]();
            writeFileSync(file, `<!DOCTYPE html><title>Notebook</title>${html}`);
            await tab.goTo(String(pathToFileURL(file)));
            await tab.until("document.querySelector('iframe')");
            await tab.enterFrame();
          },
        }),
    );
  } finally {
    handler.close();
    await server.close();
  }
}
