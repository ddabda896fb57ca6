/** The run page over an invented store, in a real browser. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findChromium, type Tab, withBrowser } from "../chromium.ts";
import { serveHttp } from "../../../lib/core/platform.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { bundlePage } from "../../../lib/apps/view/bundle.ts";
import type { Source } from "../../../lib/apps/view/routes.ts";
import { createHandler } from "../../../lib/apps/view/server.ts";
import { createTally } from "../../../lib/apps/view/tally.ts";
import { fill } from "./invented.ts";

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
  readonly source: Source;
  readonly page: ReadonlyMap<string, Uint8Array>;
}

/** Opens the page over an invented store. */
export async function inBrowser(check: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  try {
    using writer = openStore(join(folder, "store.sqlite"));
    await fill(writer);
    using store = openStore(writer.path, { readOnly: true });
    const source = { store, tally: createTally(store), now: () => 3000 };
    const page = await bundlePage();
    const handler = createHandler({ ...source, page, interval: 50 });
    const server = serveHttp({ hostname: "127.0.0.1", port: 0 }, handler.answer);
    try {
      await withBrowser(
        chromium as string,
        (tab) => check({ tab, address: `http://127.0.0.1:${server.port}/`, writer, source, page }),
      );
    } finally {
      handler.close();
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
