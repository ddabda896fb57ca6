/**
 * Every notebook in `notebooks/`: formatted, linted, its stored outputs complete, and running from
 * a cold start.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { notebookModule } from "../gather.ts";
import { main, notebookNames } from "../../lib/apps/cli/notebook.ts";
import { checkoutRoot } from "../../lib/core/platform.ts";
import { type CodeCell, printed, readable, readCells, SENTINEL } from "./cells.ts";
import { wantsSlow } from "../slow.ts";
import { inFolder } from "../folder.ts";

/**
 * Notebooks are left out of the project's own `deno fmt`: its --check finds fault with those whose
 * cells end without an empty line.
 */
const FORMAT = ["fmt", "--no-config", "--line-width=100"];

Deno.test("every notebook passes the lint", () => {
  // Parameters are `let` for papermill's sake. The lint's own words on a library's functions are
  // for lib/.
  for (const name of notebookNames()) {
    runs(
      ["lint", "--no-config", "--rules-exclude=prefer-const", "--ext", "ts", "-"],
      notebookModule(name),
    );
  }
});

/**
 * Those that take longest: ScienceWorld's processes of Java; games that show nothing new of the
 * library.
 */
const SLOW_STARTS = [
  "03_arigraph_ablations",
  "04b_graphmind_results",
  "05_reasonplanner_scienceworld",
  "06_wese",
  "08_when_does_a_graph_pay",
  "09_experiments",
  "10_memory_benchmark",
];
const SLOW = wantsSlow(`the cold starts of ${SLOW_STARTS.join(", ")}`);

Deno.test("every notebook is formatted", async () => {
  await inFolder((folder) => {
    const copies = notebookNames().map((name) => ({
      path: notebook(name),
      copy: join(folder, `${name}.ipynb`),
    }));
    for (const { path, copy } of copies) copyFileSync(path, copy);
    runs([...FORMAT, "--quiet", ...copies.map(({ copy }) => copy)]);
    for (const { path, copy } of copies) {
      assert.equal(
        readFileSync(path, "utf8"),
        readFileSync(copy, "utf8"),
        `run deno ${FORMAT.join(" ")} ${path}`,
      );
    }
  });
});

Deno.test("every notebook is stored with complete outputs", () => {
  for (const name of notebookNames()) assertComplete(readCells(notebook(name)), name);
});

Deno.test("the id of a notebook's study names the parameters that it is made of, so that an edit of these is another study", () => {
  for (const name of notebookNames()) {
    const cells = readCells(notebook(name));
    const parameters = cells.filter(({ tags }) => tags.includes("parameters"))
      .flatMap(({ source }) =>
        [...source.matchAll(/^let (\w+)/gm)].map(([, parameter = ""]) => parameter)
      )
      .filter((parameter) => parameter !== "storePath");
    const named = (text: string): string[] =>
      parameters.filter((parameter) => new RegExp(`\\b${parameter}\\b`).test(text));
    for (const { source } of cells.filter(({ source }) => source.includes("playStudy("))) {
      for (const [id] of source.matchAll(/\bid: (`[^`]*`|"[^"]*")(?!,\s*episodes:)/g)) { // chains have ids, too
        const holes = [...id.matchAll(/\$\{[^}]*\}/g)].join(" ");
        assert.ok(named(holes).length > 0, `${name}: no parameter in ${id}`);
        assert.deepEqual(named(holes), named(source), `${name}: ${id}`);
      }
    }
  }
});

Deno.test("every notebook runs from a cold start with the stored text", async (t) => {
  const names = notebookNames().filter((name) => SLOW || !SLOW_STARTS.includes(name));
  await inFolder(async (folder) => {
    const status = await main(["--run", "--fresh", "--to", folder, ...names.map(notebook)]); // in one process: Jupyter's packages are loaded once
    for (const name of names) {
      await t.step(name, () => {
        const cells = readCells(join(folder, `${name}.ipynb`));
        assertComplete(cells, name);
        assert.deepEqual(
          cells.map(readable),
          readCells(notebook(name)).map(readable),
          `run ./lab notebook --run --fresh ${name} and look at what differs`,
        );
      });
    }
    assert.equal(status, 0);
  });
});

function notebook(name: string): string {
  return join(checkoutRoot(), "notebooks", `${name}.ipynb`);
}

function assertComplete(cells: readonly CodeCell[], name: string): void {
  assert.deepEqual(
    cells.map((cell) => cell.count),
    cells.map((_, index) => index + 1),
    `a cell of ${name} was not run, or not in order`,
  );
  const errors = cells.flatMap((cell) => cell.outputs).filter((output) =>
    output.output_type === "error"
  );
  assert.deepEqual(errors.map(({ ename, evalue }) => `${ename}: ${evalue}`), [], name);
  assert.ok(
    printed(cells.at(-1)).includes(SENTINEL),
    `the last cell of ${name} must print "${SENTINEL}"`,
  );
}

function runs(words: readonly string[], input = ""): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words], {
    cwd: checkoutRoot(),
    input,
    encoding: "utf8",
  });
  assert.equal(status, 0, `deno ${words.join(" ")}\n${stdout}${stderr}`);
}
