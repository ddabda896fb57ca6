/**
 * The house stays small: bytes by room, lines by file and the names of `import "labyrinth"` are
 * counted, printed and bounded.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { checkoutRoot } from "../lib/core/platform.ts";

/** Folder → most bytes it may have. */
const MAX_BYTES: Readonly<Record<string, number>> = {
  lib: 2_660_000,
  "lib/apps": 535_500, // wanted: 500_000
  "lib/core": 1_241_000,
  "lib/lab": 465_000, // wanted: 450_000, and doors
  "lib/papers": 158_500,
  "lib/offline": 263_000, // wanted: 255_000
  tests: 1_800_000,
};

/** Most lines of a file of `lib`. */
const MAX_LINES = 300;

/** Most names that `import "labyrinth"` has at run time. */
const MAX_NAMES = 90;

/** What a cell needs to build a world, a model, a memory and an agent and to step them by hand. */
const BY_HAND = [
  "connectWorlds",
  "scripted",
  "createAsker",
  "createOpenAIModel",
  "openEmbedder",
  "MEMORIES",
  "METHODS",
  "KnowledgeGraph",
];

const root = checkoutRoot();

/** The files that git tracks below a folder and that are there. */
function filesOf(folder: string): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", folder], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return listed.split("\0").filter((file) =>
    file !== "" && statSync(join(root, file), { throwIfNoEntry: false }) !== undefined
  );
}

/** Sums as `git ls-files -z PATH | xargs -0 cat | wc -c`. */
function bytesOf(folder: string): number {
  return filesOf(folder).reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
}

Deno.test("house: every room holds its bound of bytes", () => {
  const core = [
    ...new Set(filesOf("lib/core").flatMap((file) => file.match(/^lib\/core\/[^/]+(?=\/)/) ?? [])),
  ];
  const folders = new Set([...Object.keys(MAX_BYTES), ...core]);
  const rows = [...folders].sort().map((folder) => ({
    folder,
    bytes: bytesOf(folder),
    bound: MAX_BYTES[folder],
  }));
  for (const { folder, bytes, bound } of rows) {
    process.stdout.write(
      `${folder.padEnd(20)} ${String(bytes).padStart(9)}${
        bound === undefined ? "" : ` of at most ${bound}`
      }\n`,
    );
  }
  assert.ok(bytesOf("lib/core") > 500_000, "what git tracks is counted");
  assert.deepEqual(
    rows.filter(({ bytes, bound = Infinity }) => bytes > bound),
    [],
    "take something out for what comes in",
  );
});

Deno.test("house: no file of lib is longer than 300 lines", () => {
  const long = filesOf("lib").filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  assert.deepEqual(long, []);
});

Deno.test("house: `labyrinth` has at most 90 names, with all that an agent by hand needs", async () => {
  const names = Object.keys(await import("../lib/mod.ts"));
  process.stdout.write(`${names.length} names of "labyrinth": ${names.join(" ")}\n`);
  assert.ok(
    names.length <= MAX_NAMES,
    `${names.length} names: folders have paths of their own, such as labyrinth/text`,
  );
  assert.deepEqual(BY_HAND.filter((name) => !names.includes(name)), []);
});
