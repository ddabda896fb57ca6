/**
 * The files of the page, bundled at first use and kept until its source changes.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { checkoutRoot } from "../platform.ts";

/** What the bundle is made of, in the checkout. */
const SOURCES = ["lib/view", "lib/graph", "lib/text", "deno.lock"];

/**
 * Makes the files of the page by name: `index.html`, `page.css` and `page.js`, which holds everything that it needs.
 */
export async function bundlePage(): Promise<Map<string, Uint8Array | string>> {
  const client = join(checkoutRoot(), "lib", "view", "client");
  const script = await bundled(join(client, "main.tsx"));
  return new Map([
    ["index.html", readFileSync(join(client, "index.html"))],
    ["icon.svg", readFileSync(join(client, "icon.svg"))],
    ["page.css", readFileSync(join(client, "page.css"))],
    ["page.js", readFileSync(script)],
  ]);
}

async function bundled(entry: string): Promise<string> {
  const folder = join(checkoutRoot(), ".lab", "view");
  const path = join(folder, `${sourceHash()}.js`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder).filter((name) => /^[0-9a-f]+\.js$/.test(name))) rmSync(join(folder, old), { force: true });
  const temporary = join(folder, `making-${process.pid}.js`);
  const { build } = await import("esbuild"); // with the first page: no other command needs it
  await build({
    entryPoints: [entry],
    outfile: temporary,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife", // a classic script: a browser runs no module that it opened from disk
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "eof",
    logLevel: "silent",
  });
  renameSync(temporary, path);
  return path;
}

/** SHA-256 over what the bundle is made of, in 16 hex digits. */
function sourceHash(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(checkoutRoot(), source);
    const files = source.includes(".")
      ? [path]
      : readdirSync(path, { recursive: true, encoding: "utf8" }).sort().map((name) => join(path, name));
    for (const file of files) if (/\.\w+$/.test(file)) hash.update(file.slice(checkoutRoot().length)).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}
