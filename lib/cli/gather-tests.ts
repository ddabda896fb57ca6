/** Modules that load many tests at once: what these import is loaded, and its code warmed, once for all of a folder in place of once for each file. */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkoutRoot } from "../platform.ts";

/**
 * Writes a module for each folder of tests, which imports every file of it, and returns where they lie. Those that drive the whole lab from outside are
 * left out, as they are checks of their own, so that all cores have work to the end.
 */
export function gatherTests(): string {
  const gathered = emptyFolder("tests");
  const tests = join(checkoutRoot(), "tests");
  const files = filesUnder(tests, /_test\.ts$/).filter((file) => !/^(cli|notebooks)\b/.test(file));
  for (const [folder, own] of Map.groupBy(files, dirname)) {
    const imports = own.map((file) => `import ${JSON.stringify(pathToFileURL(join(tests, file)))};\n`);
    writeFileSync(join(gathered, `${flat(folder)}_test.ts`), imports.join(""));
  }
  return gathered;
}

/** Writes the examples of doc comments and guides as modules, and for each folder one with a test for each of them; returns where they lie. */
export function gatherExamples(): string {
  const gathered = emptyFolder("examples");
  const root = checkoutRoot();
  const files = ["README.md", ...filesUnder(join(root, "docs"), /\.md$/).map((file) => join("docs", file))].concat(
    filesUnder(join(root, "lib"), /\.ts$/).map((file) => join("lib", file)),
  );
  for (const [folder, own] of Map.groupBy(files, dirname)) {
    const tests = own.flatMap((file) =>
      examplesOf(readFileSync(join(root, file), "utf8")).map(({ line, code }) => {
        const name = `${file}:${line}`;
        const besides = (found: string, place: string): string =>
          found.replace(place, `${pathToFileURL(join(root, dirname(file), place))}`);
        writeFileSync(join(gathered, `${flat(name)}.ts`), code.replaceAll(/ from "(\.[^"]+)"/g, besides));
        return `Deno.test(${JSON.stringify(name)}, () => import(${JSON.stringify(`./${flat(name)}.ts`)}).then(() => {}));\n`;
      })
    );
    if (tests.length > 0) writeFileSync(join(gathered, `${flat(folder)}_test.ts`), tests.join(""));
  }
  return gathered;
}

/** The blocks of TypeScript of a text, in a doc comment or not, with the number of the line that opens each. */
function examplesOf(text: string): { readonly line: number; readonly code: string }[] {
  return [...text.matchAll(/^( *\* |)```ts\n(.*?)^\1```$/gms)].map(({ index, 1: before = "", 2: body = "" }) => ({
    line: text.slice(0, index).split("\n").length,
    code: body.split("\n").map((line) => line.slice(before.length)).join("\n"),
  }));
}

function filesUnder(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => wanted.test(file)).sort();
}

function emptyFolder(name: string): string {
  const folder = join(checkoutRoot(), ".lab", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function flat(path: string): string {
  return path.replaceAll(/\W/g, "-");
}
