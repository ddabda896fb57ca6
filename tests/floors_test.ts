/**
 * Imports go down the floors and never in circles; `.offline.ts` files see nothing but text and
 * models.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkoutRoot } from "../lib/core/platform.ts";

/** Within core: each folder imports from floors below. */
const FLOORS: Readonly<Record<string, number>> = {
  "core/text": 0,
  "core/graph": 1,
  "core/stats": 1,
  "core/retrieval": 2,
  "core/llm": 3,
  "core/env": 3,
  "core/memory": 4,
  "core/agent": 5,
};

/** The rooms, and what each may import besides itself. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  lab: ["core"],
  papers: ["core", "lab"],
  offline: ["core"],
  apps: ["core", "lab", "papers", "offline"],
};

/** The folders of apps that others of them may import. */
const SHARED_APPS: Readonly<Record<string, readonly string[]>> = {
  "apps/cli": ["apps/view", "apps/bench", "apps/replay", "apps/play"],
  "apps/bench": ["apps/view", "apps/replay"],
  "apps/play": ["apps/view"],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const lib = join(checkoutRoot(), "lib");
const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/.test(file)
).sort();
const imports: Import[] = files.flatMap((from) =>
  [
    ...readFileSync(join(lib, from), "utf8").matchAll(
      /^(?:import|export)\b[^;'"]*?["'](\.[^"']+)["']/gms,
    ),
  ].map((match) => ({
    from,
    to: relative(lib, resolve(lib, dirname(from), match[1] ?? "")),
  }))
);

/** `core/graph` of `core/graph/triplet.ts`; `core` of a file that lies in the room itself. */
function folder(file: string): string {
  const [room = "", next = ""] = file.split("/");
  return !file.includes("/")
    ? ""
    : (room === "core" || room === "apps") && file.split("/").length > 2
    ? `${room}/${next}`
    : room;
}

function roomOf(file: string): string {
  return file.split("/")[0] ?? "";
}

Deno.test("floors: a file imports only from its own folder or from floors below", () => {
  assert.ok(
    imports.length > 50,
    `only ${imports.length} imports were found: the reader of imports is broken`,
  );
  assert.deepEqual(imports.filter(({ from, to }) => !mayImport(folder(from), to)), []);
});

function mayImport(here: string, to: string): boolean {
  if (to.startsWith("../data/")) return here !== "offline"; // the stand-in must not read what the worlds are made of
  if (to === "..") return true; // the checkout's folder
  const there = folder(to);
  if (here === "" || here === there || there === "core") return true;
  const [room, other] = [roomOf(`${here}/`), roomOf(to)];
  if (room !== other) return ROOMS[room]?.includes(other) ?? false;
  if (room === "core") return (FLOORS[there] ?? Infinity) < (FLOORS[here] ?? -1);
  return room !== "apps" || (SHARED_APPS[here]?.includes(there) ?? false);
}

Deno.test("floors: imports make no circle", () => {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  function visit(file: string, path: readonly string[]): void {
    assert.ok(
      !path.includes(file),
      `circle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`,
    );
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
});

Deno.test("floors: every folder of lib has its floor", () => {
  const folders = new Set(files.map(folder).filter((name) => name !== ""));
  const isKnown = (name: string): boolean =>
    name.startsWith("core/") ? FLOORS[name] !== undefined : ROOMS[roomOf(`${name}/`)] !== undefined;
  assert.deepEqual([...folders].filter((name) => !isKnown(name)), []);
});

Deno.test("floors: only platform.ts names Deno", () => {
  const naming = files.filter((file) =>
    file !== "core/platform.ts" &&
    /(?<![.\w])Deno\.(?!test)[a-z]/.test(
      readFileSync(join(lib, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""),
    )
  );
  assert.deepEqual(naming, []);
});

Deno.test("floors: nothing in lib draws from the clock of chance", () => {
  const naming = files.filter((file) =>
    folder(file) !== "apps/cli" &&
    /\bMath\.random\b/.test(
      readFileSync(join(lib, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ""),
    )
  );
  assert.deepEqual(naming, []);
});
