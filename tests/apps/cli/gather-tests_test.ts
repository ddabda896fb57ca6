import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { asModule, examplesOf, readExamples } from "../../../lib/apps/cli/gather-tests.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";

Deno.test("examplesOf() finds blocks in doc comments, within classes and in guides, and gives their lines", () => {
  const inComment = [
    "/**",
    " * Says.",
    " *",
    " * ```ts",
    " * f(1);",
    " *",
    " * g();",
    " * ```",
    " */",
  ];
  const inClass = ["  /**", "   * ```ts", "   * f(2);", "   * ```", "   */"];
  const inGuide = ["```ts", "f(3);", "```", "", "```sh", "ls", "```"];
  assert.deepEqual(examplesOf([...inComment, ...inClass, ...inGuide].join("\n")), [
    { line: 4, code: "f(1);\n\ng();\n" },
    { line: 11, code: "f(2);\n" },
    { line: 15, code: "f(3);\n" },
  ]);
});

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

Deno.test("asModule() joins the cells so that a check sees across them", () => {
  const module = asModule(["const a = 1;", "a.toFixed()"]);
  assert.match(
    module,
    /\/\/ cell 1\nconst a = 1;\n[^]*\/\/ cell 2\na\.toFixed\(\)\n[^]*export \{\};/,
  );
});
