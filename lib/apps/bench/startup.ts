/** What starting costs: importing the library, and the command line. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { median } from "simple-statistics";
import { checkoutRoot } from "../../core/platform.ts";
import { measured, type Measurement, RUN } from "./measure.ts";

const ROUNDS = 9;
/** Packages that the library loads on first use. */
const PACKAGES = [
  "openai",
  "zeromq",
  "nodejs-polars",
  "vega",
  "vega-lite",
  "@resvg/resvg-js",
  "graphology",
  "graphology-layout-forceatlas2",
];

/** Times each program in a process of its own, in interleaved rounds; ratios are of medians. */
export function benchStartup(): Measurement[] {
  const root = checkoutRoot();
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-startup-"));
  const importing = (name: string, targets: readonly string[]): () => number => {
    const file = join(folder, `${name}.ts`);
    writeFileSync(
      file,
      [...targets.map((target) => `await import(${JSON.stringify(target)});`), "process.exit(0);"]
        .join("\n"),
    );
    return () => run(process.execPath, [...RUN, `--config=${join(root, "deno.json")}`, file]);
  };
  const moduleAt = (path: string): string => pathToFileURL(join(root, "lib", path)).href;
  const modules = readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" }).filter((
    file,
  ) => file.endsWith(".ts")).sort();
  try {
    const sides = {
      empty: importing("empty", []),
      library: importing("library", [moduleAt("mod.ts")]),
      everything: importing("everything", [...modules.map(moduleAt), ...PACKAGES]),
      help: () => run(join(root, "lab"), ["--help"]),
    };
    const rounds = Array.from(
      { length: ROUNDS + 1 },
      () => Object.values(sides).map((side) => side()),
    );
    const [empty, library, everything, help] = Object.keys(sides).map((_, side) =>
      median(rounds.slice(1).map((times) => times[side] as number)) // the first round fills the caches
    ) as [number, number, number, number];
    const [ours, all] = [library - empty, everything - empty];
    return [
      measured(
        "startup",
        'import "labyrinth" ÷ import of all modules and packages',
        ours / all,
        "×",
        {
          most: 0.35,
          details: { libraryMs: ours, everythingMs: all },
        },
      ),
      measured("startup-help", "./lab --help ÷ an empty program", help / empty, "×", {
        most: 4,
        details: { helpMs: help, emptyMs: empty },
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, words: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`${command} ${words.join(" ")} ended with ${status}: ${stderr}`);
  }
  return performance.now() - started;
}
