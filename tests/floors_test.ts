/** Imports go down the floors and never in circles; `.offline.ts` files see nothing but text and models. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { projectRoot } from "../lib/platform.ts";

const FLOORS: Readonly<Record<string, number>> = {
  graph: 0,
  text: 0,
  store: 0,
  retrieval: 1,
  llm: 1,
  env: 2,
  memory: 3,
  agent: 4,
  lab: 5,
  report: 6,
  cli: 7,
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const lib = join(projectRoot, "lib");
const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")).sort();
const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(lib, from), "utf8").matchAll(/^(?:import|export)\b[^;'"]*?["'](\.[^"']+)["']/gms)].map((match) => ({
    from,
    to: relative(lib, resolve(lib, dirname(from), match[1] ?? "")),
  }))
);

/** The files at the root of lib that every floor may use. */
const COMMON = ["errors.ts", "platform.ts"];

function folder(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}

Deno.test("floors: a file imports only from its own folder or from floors below", () => {
  assert.ok(imports.length > 50, `only ${imports.length} imports were found: the reader of imports is broken`);
  const wrong = imports.filter(({ from, to }) => {
    if (folder(from) === "") return false;
    if (folder(to) === "") return !COMMON.includes(to);
    const [here, there] = [FLOORS[folder(from)], FLOORS[folder(to)]];
    return folder(from) !== folder(to) && !(here !== undefined && there !== undefined && there < here);
  });
  assert.deepEqual(wrong, []);
});

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
  assert.deepEqual([...folders].filter((name) => FLOORS[name] === undefined), []);
});

Deno.test("floors: an offline responder imports only text and models", () => {
  const wrong = imports.filter(({ from, to }) => from.endsWith(".offline.ts") && !["text", "llm"].includes(folder(to)));
  assert.deepEqual(wrong, []);
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
