/** The files of the page, bundled at first use and kept until its source changes. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { checkoutRoot } from "../../core/platform.ts";

/** What the bundle is made of, in the checkout. */
const SOURCES = [
  "lib/apps/view",
  "lib/apps/play",
  "lib/core/graph",
  "lib/core/text",
  "lib/core/random.ts",
  "deno.lock",
];

/** The pages and the folders of their clients; all of them share one document. */
const CLIENTS = { view: "lib/apps/view/client", play: "lib/apps/play/client" } as const;

/**
 * Makes the files of a page by name: `index.html` and what it loads, which is all that it needs.
 */
export async function bundlePage(
  page: keyof typeof CLIENTS = "view",
): Promise<Map<string, Uint8Array>> {
  const client = join(checkoutRoot(), CLIENTS.view);
  const made = await bundled();
  const files = [["index.html", client], ["icon.svg", client], ["page.css", made, `${page}.css`], [
    "page.js",
    made,
    `${page}.js`,
  ]] as const;
  return new Map(
    files.map(([name, folder, source = name]) => [name, readFileSync(join(folder, source))]),
  );
}

/** Returns the folder with the bundles; earlier ones are removed. */
async function bundled(): Promise<string> {
  const all = join(checkoutRoot(), ".lab", "view");
  const hash = sourceHash();
  const folder = join(all, hash);
  if (existsSync(folder)) return folder;
  const old = existsSync(all) ? readdirSync(all).filter((name) => !name.startsWith(hash)) : []; // another process may be making the same one
  for (const name of old) rmSync(join(all, name), { recursive: true, force: true });
  const temporary = `${folder}.${process.pid}`;
  const { build, stop } = await import("esbuild"); // loaded here, because no other command needs it
  await build({
    entryPoints: Object.entries(CLIENTS).flatMap(([out, folder]) =>
      ["main.tsx", "page.css"].map((file) => ({ in: join(checkoutRoot(), folder, file), out }))
    ),
    outdir: temporary,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife", // a classic script, as notebook.ts adds it to its frame
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "eof",
    logLevel: "silent",
  });
  await stop();
  if (existsSync(folder)) rmSync(temporary, { recursive: true }); // another process has made it meanwhile
  else renameSync(temporary, folder);
  return folder;
}

/** SHA-256 over what the bundle is made of, in 16 hex digits. */
function sourceHash(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(checkoutRoot(), source);
    const files = source.includes(".")
      ? [path]
      : readdirSync(path, { recursive: true, encoding: "utf8" }).sort().map((name) =>
        join(path, name)
      );
    for (const file of files) {
      if (/\.\w+$/.test(file)) {
        hash.update(file.slice(checkoutRoot().length)).update(readFileSync(file));
      }
    }
  }
  return hash.digest("hex").slice(0, 16);
}
