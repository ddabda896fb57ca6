/** What importing the reports loads. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { checkoutRoot } from "../../lib/platform.ts";

interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly { readonly specifier: string; readonly code?: unknown; readonly isDynamic?: boolean }[];
  }[];
}

Deno.test("lib/report/mod.ts loads no heavy package before it is used", () => {
  const entry = join(checkoutRoot(), "lib/report/mod.ts");
  const graph = JSON.parse(execFileSync(Deno.execPath(), ["info", "--json", entry], { encoding: "utf8" })) as ModuleGraph;
  const loaded = graph.modules.flatMap(({ dependencies = [] }) => dependencies)
    .filter(({ code, isDynamic }) => code !== undefined && !isDynamic).map(({ specifier }) => specifier);
  assert.ok(loaded.includes("simple-statistics"), "the graph names packages as the import map does");
  assert.deepEqual(loaded.filter((name) => /polars|vega|resvg|pdf|zeromq|openai|transformers/.test(name)), []);
});
