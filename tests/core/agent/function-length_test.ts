/** Functions of the methods stay short enough to be read at once; `Deno.lint` gives the syntax tree. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../../lib/core/platform.ts";

/** Lines of the longest function. */
const LONGEST = 60;

/** Functions of a module with more lines than that, by their first line. */
function longFunctions(file: string, source: string): string[] {
  const lineOf = (offset: number): number => source.slice(0, offset).split("\n").length;
  function measure(context: Deno.lint.RuleContext, node: { readonly range: readonly [number, number] }): void {
    const [start, end] = node.range.map(lineOf) as [number, number];
    if (end - start + 1 > LONGEST) context.report({ range: [...node.range], message: `${file}:${start} ${end - start + 1} lines` });
  }
  const plugin: Deno.lint.Plugin = {
    name: "length",
    rules: {
      functions: {
        create: (context) => ({
          FunctionDeclaration: (node) => measure(context, node),
          FunctionExpression: (node) => measure(context, node),
          ArrowFunctionExpression: (node) => measure(context, node),
        }),
      },
    },
  };
  return Deno.lint.runPlugin(plugin, file, source).map(({ message }) => message);
}

Deno.test("longFunctions() finds a function and a method of 61 lines, and none of 60", () => {
  const body = (lines: number): string => "\n".repeat(lines - 1);
  assert.deepEqual(longFunctions("a.ts", `function f() {${body(60)}}`), []);
  assert.deepEqual(longFunctions("a.ts", `function f() {${body(61)}}`), ["a.ts:1 61 lines"]);
  assert.deepEqual(longFunctions("a.ts", `class C {\n  #m() {${body(61)}}\n}\nconst g = () => {${body(70)}};`), [
    "a.ts:2 61 lines",
    "a.ts:64 70 lines",
  ]);
});

Deno.test("no function of lib/core/agent is longer than 60 lines", () => {
  const folder = join(checkoutRoot(), "lib", "core", "agent");
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 20, `only ${files.length} files were found`);
  assert.deepEqual(files.flatMap((file) => longFunctions(file, readFileSync(join(folder, file), "utf8"))), []);
});
