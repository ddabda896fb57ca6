/** Every notebook in `notebooks/`: formatted, type-checked, linted, its stored outputs complete, and running from a cold start. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { main, notebookNames } from "../../lib/cli/notebook.ts";
import { checkoutRoot, env } from "../../lib/platform.ts";
import { asModule, type CodeCell, printed, readable, readCells, SENTINEL } from "./cells.ts";

/** Notebooks are left out of the project's own `deno fmt`: its --check finds fault with those whose cells end without an empty line. */
const FORMAT = ["fmt", "--no-config", "--line-width=100"];

Deno.test("every notebook type-checks as one module and passes the lint", () => {
  const folder = join(checkoutRoot(), ".lab", "notebooks");
  mkdirSync(folder, { recursive: true });
  const modules = notebookNames().map((name) => {
    const module = join(folder, `${name}.ts`);
    writeFileSync(module, asModule(readCells(notebook(name))));
    return module;
  });
  runs(["check", ...modules]); // in one go: the library is checked once
  // Parameters are `let` for papermill's sake. The lint's own words on a library's functions are for lib/.
  for (const module of modules) {
    runs(["lint", "--no-config", "--rules-exclude=prefer-const", "--ext", "ts", "-"], readFileSync(module, "utf8"));
  }
});

/** These take twice as long as all others together, for ScienceWorld's processes of Java. */
const SLOW = ["05_reasonplanner_scienceworld", "06_wese"];
const slow = env("LAB_SLOW") === "1";
if (!slow) process.stdout.write(`skipped: the cold start of ${SLOW.join(" and ")}, which wants LAB_SLOW=1\n`);

for (const name of notebookNames()) {
  const path = notebook(name);

  Deno.test(`${name} is formatted`, async () => {
    await inFolder((folder) => {
      const copy = join(folder, "copy.ipynb");
      copyFileSync(path, copy);
      runs([...FORMAT, "--quiet", copy]);
      assert.equal(readFileSync(path, "utf8"), readFileSync(copy, "utf8"), `run deno ${FORMAT.join(" ")} ${path}`);
    });
  });

  Deno.test(`${name} is stored with complete outputs`, () => {
    assertComplete(readCells(path));
  });

  Deno.test({ name: `${name} runs from a cold start with the stored text`, ignore: !slow && SLOW.includes(name) }, async () => {
    await inFolder(async (folder) => {
      assert.equal(await main(["--run", "--to", folder, path]), 0);
      const cells = readCells(join(folder, `${name}.ipynb`));
      assertComplete(cells);
      assert.deepEqual(cells.map(readable), readCells(path).map(readable), `run ./lab notebook --run ${name} and look at what differs`);
    });
  });
}

function notebook(name: string): string {
  return join(checkoutRoot(), "notebooks", `${name}.ipynb`);
}

async function inFolder(body: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-notebooks-"));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function assertComplete(cells: readonly CodeCell[]): void {
  assert.deepEqual(cells.map((cell) => cell.count), cells.map((_, index) => index + 1), "a cell was not run, or not in order");
  const errors = cells.flatMap((cell) => cell.outputs).filter((output) => output.output_type === "error");
  assert.deepEqual(errors.map(({ ename, evalue }) => `${ename}: ${evalue}`), []);
  assert.ok(printed(cells.at(-1)).includes(SENTINEL), `the last cell must print "${SENTINEL}"`);
}

function runs(words: readonly string[], input = ""): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words], { cwd: checkoutRoot(), input, encoding: "utf8" });
  assert.equal(status, 0, `deno ${words.join(" ")}\n${stdout}${stderr}`);
}
