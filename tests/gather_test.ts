import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { checkoutRoot } from "../lib/core/platform.ts";
import { readExamples } from "./gather.ts";

Deno.test("readExamples() leaves out no block of the library and the guides", () => {
  // oracle: lines that open one, as git counts them
  const words = [
    "grep",
    "-chE",
    "^[ *]*```(ts|typescript)",
    "--",
    "lib/**.ts",
    "docs/**.md",
    "README.md",
  ];
  const counts = execFileSync("git", words, { cwd: checkoutRoot(), encoding: "utf8" }).trim().split(
    "\n",
  ).map(Number);
  const found = readExamples();
  assert.equal(found.length, counts.reduce((sum, count) => sum + count, 0));
  assert.equal(new Set(found.map(({ file, line }) => `${file}:${line}`)).size, found.length);
});
