/**
 * What `./lab test` runs besides whole files: modules that load the tests of a folder at once, and
 * notebooks and examples for the type check.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { notebookNames } from "../lib/apps/cli/notebook.ts";
import { checkoutRoot } from "../lib/core/platform.ts";

/** Writes a module for each folder of tests, without those that are checks of their own. */
export function gatherTests(): string {
  const gathered = emptyFolder("tests");
  const tests = join(checkoutRoot(), "tests");
  const files = filesUnder(tests, /_test\.ts$/).filter((file) =>
    !/^(apps[\\/](cli|play|view)|notebooks)[\\/]/.test(file)
  );
  for (const [folder, own] of Map.groupBy(files, dirname)) {
    write(
      join(gathered, folder, "all_test.ts"),
      own.map((file) => `import ${JSON.stringify(pathToFileURL(join(tests, file)))};\n`).join(""),
    );
  }
  return gathered;
}

/** Writes a test for each example of doc comments and guides, and returns where they are. */
export function gatherExamples(): string {
  const gathered = emptyFolder("examples");
  for (const [folder, own] of Map.groupBy(readExamples(), ({ file }) => dirname(file))) {
    const tests = own.map(({ file, line, code }) => {
      const place = join(gathered, `${file}-${line}.ts`);
      write(place, code);
      return `Deno.test(${JSON.stringify(`${file}:${line}`)}, async () => void await import(${
        JSON.stringify(pathToFileURL(place))
      }));\n`;
    });
    write(join(gathered, folder, "all_test.ts"), tests.join(""));
  }
  return gathered;
}

/** Writes each notebook and each example as a module, and returns where they are. */
export function gatherTypes(): string {
  const gathered = emptyFolder("types");
  for (const name of notebookNames()) {
    write(join(gathered, "notebooks", `${name}.ts`), notebookModule(name));
  }
  for (const { file, line, code } of readExamples()) {
    write(join(gathered, "examples", `${file}-${line}.ts`), `${code}\nexport {};\n`);
  }
  return gathered;
}

/** The code of a notebook as one module. Throws an error that names the file it cannot read. */
export function notebookModule(name: string): string {
  const path = join(checkoutRoot(), "notebooks", `${name}.ipynb`);
  try {
    const { cells } = JSON.parse(readFileSync(path, "utf8")) as {
      readonly cells: readonly { cell_type: string; source: string | readonly string[] }[];
    };
    const code = cells.filter((cell) => cell.cell_type === "code");
    return asModule(code.map(({ source }) => [source].flat().join("")));
  } catch (error) {
    throw new Error(`${path} cannot be read as a notebook: ${(error as Error).message}`);
  }
}

/** The code of cells as one module, each under a comment with its number. */
export function asModule(sources: readonly string[]): string {
  return [...sources.map((source, index) => `// cell ${index + 1}\n${source}\n`), "export {};\n"]
    .join("\n");
}

/** The TypeScript blocks of guides and doc comments, with absolute paths in their imports. */
export function readExamples(): {
  readonly file: string;
  readonly line: number;
  readonly code: string;
}[] {
  const root = checkoutRoot();
  const under = (folder: string, wanted: RegExp): string[] =>
    filesUnder(join(root, folder), wanted).map((file) => join(folder, file));
  return ["README.md", ...under("docs", /\.md$/), ...under("lib", /\.ts$/)].flatMap((file) => {
    const besides = (_: string, before: string, place: string): string =>
      `${before}${pathToFileURL(join(root, dirname(file), place))}"`;
    return examplesOf(readFileSync(join(root, file), "utf8")).map(({ line, code }) => ({
      file,
      line,
      code: code.replaceAll(/( from ")(\.[^"]+)"/g, besides),
    }));
  });
}

/** The TypeScript blocks of a text, each with the number of the line that opens it. */
export function examplesOf(text: string): { readonly line: number; readonly code: string }[] {
  return [...text.matchAll(/^( *\* |)```ts\n(.*?)^\1```$/gms)].map((
    { index, 1: before = "", 2: body = "" },
  ) => ({
    line: text.slice(0, index).split("\n").length,
    code: body.split("\n").map((line) => line.slice(before.length)).join("\n"),
  }));
}

function filesUnder(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    wanted.test(file)
  ).sort();
}

function emptyFolder(name: string): string {
  const folder = join(checkoutRoot(), ".lab", name);
  rmSync(folder, { recursive: true, force: true });
  return folder;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
