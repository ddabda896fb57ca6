/** No entry point of the library loads a heavy package before it is used. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { projectRoot } from "../lib/platform.ts";

const HEAVY = ["openai", "zeromq", "vega", "vega-lite", "nodejs-polars", "@resvg/resvg-js", "pdfkit", "@huggingface/transformers"];

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
  const text = execFileSync(process.execPath, ["info", "--json", entry], { cwd: projectRoot, encoding: "utf8", maxBuffer: 2 ** 26 });
  const { roots, modules } = JSON.parse(text) as ModuleGraph;
  const dependencies = new Map(modules.map(({ specifier, dependencies = [] }) => [specifier, dependencies]));
  const loaded = new Set<string>(roots);
  for (const specifier of loaded) { // a set also visits what is added during the loop
    for (const { code, isDynamic } of dependencies.get(specifier) ?? []) if (code && !isDynamic) loaded.add(code.specifier);
  }
  return [...loaded].flatMap((specifier) => /^npm:\/?(@?[^@]+)/.exec(specifier)?.[1] ?? []);
}

for (const folder of ["llm", "lab"]) {
  Deno.test(`module graph: labyrinth/${folder} loads no heavy package`, () => {
    const loaded = packagesLoadedBy(join("lib", folder, "mod.ts"));
    assert.ok(loaded.includes("zod"), `the reader of the module graph is broken: it found ${loaded.join(", ") || "nothing"}`);
    assert.deepEqual(loaded.filter((name) => HEAVY.includes(name)), []);
  });
}
