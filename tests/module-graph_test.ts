/** No entry point of the library loads a heavy package before it is used. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import * as labyrinth from "../lib/mod.ts";
import { entryPoints } from "../lib/apps/cli/test.ts";
import { checkoutRoot } from "../lib/core/platform.ts";

const HEAVY = [
  ...[
    ..."openai @ai-sdk/anthropic @ai-sdk/google @ai-sdk/openai @ai-sdk/provider zeromq vega vega-lite"
      .split(" "),
  ],
  ...["nodejs-polars", "@resvg/resvg-js", "pdfkit", "@huggingface/transformers"],
];

interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier: string };
      readonly isDynamic?: true;
    }[];
  }[];
}

/** The module graph of modules together: each module's dependencies, by its URL. */
function graphOf(
  entries: readonly string[],
): Map<string, NonNullable<ModuleGraph["modules"][number]["dependencies"]>> {
  const all = `data:text/javascript,${
    entries.map((entry) => `import "${urlOf(entry)}";`).join("")
  }`;
  const text = execFileSync(process.execPath, ["info", "--json", all], {
    cwd: checkoutRoot(),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const { modules } = JSON.parse(text) as ModuleGraph;
  return new Map(modules.map(({ specifier, dependencies = [] }) => [specifier, dependencies]));
}

function urlOf(entry: string): string {
  return pathToFileURL(join(checkoutRoot(), entry)).href;
}

const dependencies = graphOf(entryPoints());

/** What is loaded with a module: by static imports of values, from whatever file below it. */
function loadedBy(entry: string): Set<string> {
  assert.ok(dependencies.has(urlOf(entry)), `${entry} is not in the module graph`);
  const loaded = new Set([urlOf(entry)]);
  for (const specifier of loaded) { // a set also visits what is added during the loop
    for (const { code, isDynamic } of dependencies.get(specifier) ?? []) {
      if (code && !isDynamic) loaded.add(code.specifier);
    }
  }
  return loaded;
}

/** The npm packages among what is loaded with a module. */
function packagesLoadedBy(entry: string): string[] {
  return [...loadedBy(entry)].flatMap((specifier) =>
    /^npm:\/?(@?[^@]+)/.exec(specifier)?.[1] ?? []
  );
}

Deno.test("module graph: no entry point loads a heavy package before it is used", () => {
  for (const entry of entryPoints()) {
    const loaded = packagesLoadedBy(entry);
    assert.deepEqual(loaded.filter((name) => HEAVY.includes(name)), [], entry);
  }
  assert.ok(
    packagesLoadedBy("lib/mod.ts").includes("zod"),
    "the reader of the module graph is broken",
  );
});

Deno.test("module graph: labyrinth loads no part of the runtime that few cells use", () => {
  const loaded = [...loadedBy("lib/mod.ts")].filter((specifier) => specifier.startsWith("node:"));
  for (const name of ["child_process", "http", "module", "net", "readline", "v8"]) {
    assert.ok(!loaded.includes(`node:${name}`), name);
  }
  assert.ok(loaded.includes("node:sqlite"), "the reader of the module graph is broken");
});

Deno.test("labyrinth exports at most 150 runtime names", () => {
  const names = Object.keys(labyrinth);
  assert.ok(names.length > 50 && names.length <= 150, `${names.length} names`);
});
