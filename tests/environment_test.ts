import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { withVariables } from "./environment.ts";

const SETS =
  /process\.env(\.\w+|\[[^\]]+\]) ?\??=[^=]|Object\.assign\(process\.env|delete process\.env|Deno\.env\.(set|delete)\(/;

Deno.test("withVariables() puts back what was there, and takes away what was not", () => {
  {
    using _outer = withVariables({ LABYRINTH_ONE: "1", LABYRINTH_TWO: undefined });
    {
      using _inner = withVariables({ LABYRINTH_ONE: undefined, LABYRINTH_TWO: "2" });
      assert.deepEqual([process.env["LABYRINTH_ONE"], process.env["LABYRINTH_TWO"]], [
        undefined,
        "2",
      ]);
    }
    assert.deepEqual([process.env["LABYRINTH_ONE"], process.env["LABYRINTH_TWO"]], [
      "1",
      undefined,
    ]);
  }
  assert.equal(process.env["LABYRINTH_ONE"], undefined);
});

Deno.test("no test sets a variable of the environment but by withVariables(), which puts it back", () => {
  const folder = import.meta.dirname ?? "";
  const files = globSync("**/*.ts", { cwd: folder }).filter((file) =>
    !/^environment(_test)?\.ts$/.test(file)
  );
  assert.ok(files.length > 100, `${files.length} files`);
  assert.deepEqual(files.filter((file) => SETS.test(readFileSync(join(folder, file), "utf8"))), []);
});
