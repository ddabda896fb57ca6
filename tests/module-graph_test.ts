/** No entry point of the library loads a heavy package before it is used. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import process from "node:process";
import * as labyrinth from "../lib/mod.ts";
import { entryPoints } from "../lib/cli/docs.ts";
import { checkoutRoot } from "../lib/platform.ts";

const HEAVY = [
  ...["openai", "@ai-sdk/anthropic", "@ai-sdk/google", "@ai-sdk/openai", "@ai-sdk/provider", "zeromq", "vega", "vega-lite"],
  ...["nodejs-polars", "@resvg/resvg-js", "pdfkit", "@huggingface/transformers", "tar-stream"],
];

interface ModuleGraph {
  readonly roots: readonly [string];
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier: string };
      readonly isDynamic?: true;
    }[];
  }[];
}

/** The npm packages that are loaded with a module: by static imports of values, from whatever file below it. */
function packagesLoadedBy(entry: string): string[] {
  const text = execFileSync(process.execPath, ["info", "--json", entry], { cwd: checkoutRoot(), encoding: "utf8", maxBuffer: 2 ** 26 });
  const { roots, modules } = JSON.parse(text) as ModuleGraph;
  const dependencies = new Map(modules.map(({ specifier, dependencies = [] }) => [specifier, dependencies]));
  const loaded = new Set<string>(roots);
  for (const specifier of loaded) { // a set also visits what is added during the loop
    for (const { code, isDynamic } of dependencies.get(specifier) ?? []) if (code && !isDynamic) loaded.add(code.specifier);
  }
  return [...loaded].flatMap((specifier) => /^npm:\/?(@?[^@]+)/.exec(specifier)?.[1] ?? []);
}

Deno.test("module graph: no entry point loads a heavy package before it is used", () => {
  for (const entry of entryPoints()) {
    const loaded = packagesLoadedBy(entry);
    assert.deepEqual(loaded.filter((name) => HEAVY.includes(name)), [], entry);
  }
  assert.ok(packagesLoadedBy("lib/mod.ts").includes("zod"), "the reader of the module graph is broken");
});

Deno.test("labyrinth exports at most 150 runtime names", () => {
  const names = Object.keys(labyrinth);
  assert.ok(names.length > 50 && names.length <= 150, `${names.length} names`);
});
