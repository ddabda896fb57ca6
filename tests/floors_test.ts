/** Imports go down the floors and never in circles; `.offline.ts` files see nothing but text and models. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkoutRoot } from "../lib/platform.ts";

/** The library: each folder imports from floors below. */
const FLOORS: Readonly<Record<string, number>> = {
  text: 0,
  graph: 1,
  stats: 1,
  store: 2,
  retrieval: 2,
  llm: 3,
  env: 3,
  memory: 4,
  agent: 5,
  lab: 6,
  report: 7,
};

const LIBRARY = Object.keys(FLOORS);

/** What stands on the library, and what each may import besides its own folder; the library imports none of it. */
const ABOVE: Readonly<Record<string, readonly string[]>> = {
  offline: ["text", "llm"],
  replay: LIBRARY,
  papers: [...LIBRARY, "offline"],
  view: ["graph", "text", "stats", "store", "lab"],
  play: [...LIBRARY, "view"],
  bench: [...LIBRARY, "offline", "replay", "papers", "view"],
  cli: [...LIBRARY, "offline", "replay", "papers", "view", "play", "bench"],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const lib = join(checkoutRoot(), "lib");
const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file)).sort();
const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(lib, from), "utf8").matchAll(/^(?:import|export)\b[^;'"]*?["'](\.[^"']+)["']/gms)].map((match) => ({
    from,
    to: relative(lib, resolve(lib, dirname(from), match[1] ?? "")),
  }))
);

/** The files at the root of lib that every floor may use. */
const COMMON = ["child-server.ts", "errors.ts", "foreign-text.ts", "platform.ts", "random.ts", "semaphore.ts"];

function folder(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}

Deno.test("floors: a file imports only from its own folder or from floors below", () => {
  assert.ok(imports.length > 50, `only ${imports.length} imports were found: the reader of imports is broken`);
  assert.deepEqual(imports.filter(({ from, to }) => !mayImport(folder(from), to)), []);
});

function mayImport(here: string, to: string): boolean {
  if (to.startsWith("../data/")) return here !== "offline"; // the offline backbone must not read what the worlds are made of
  const there = folder(to);
  if (here === "" || here === there) return true;
  if (there === "") return COMMON.includes(to);
  const allowed = ABOVE[here] ?? LIBRARY.filter((name) => (FLOORS[name] ?? 0) < (FLOORS[here] ?? 0));
  return allowed.includes(there);
}

Deno.test("floors: imports make no circle", () => {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    assert.ok(!path.includes(file), `circle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`);
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
});

Deno.test("floors: every folder of lib has its floor", () => {
  const folders = new Set(files.map(folder).filter((name) => name !== ""));
  assert.deepEqual([...folders].filter((name) => FLOORS[name] === undefined && ABOVE[name] === undefined), []);
});

Deno.test("floors: only platform.ts names Deno", () => {
  const naming = files.filter((file) =>
    file !== "platform.ts" &&
    /(?<![.\w])Deno\.(?!test)[a-z]/.test(readFileSync(join(lib, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""))
  );
  assert.deepEqual(naming, []);
});

Deno.test("floors: nothing in lib draws from the clock of chance", () => {
  const naming = files.filter((file) =>
    folder(file) !== "cli" &&
    /\bMath\.random\b/.test(readFileSync(join(lib, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""))
  );
  assert.deepEqual(naming, []);
});
