/** What starting costs: importing the library against importing everything, and the command line against an empty program. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { checkoutRoot } from "../../core/platform.ts";
import { type Measurement, measurement, median, RUN } from "./benchmarks.ts";

const ROUNDS = 9;
/** `import "labyrinth"` is wanted to take at most this share of importing every module with the packages that it uses. */
const LIBRARY_SHARE = 0.35;
/** `./lab --help` is wanted to take at most so many times as long as an empty program. */
const HELP_RATIO = 4;

/**
 * Times each side in a process of its own, in interleaved rounds; a ratio is that of the medians. "Everything" is every module of `lib/`
 * and the packages that an import of the library loaded when it loaded all of it at once.
 */
export function benchStartup(): Measurement[] {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-startup-"));
  try {
    const programs = {
      empty: program(folder, "empty", []),
      library: program(folder, "library", [moduleAt("lib/mod.ts")]),
      modules: program(folder, "modules", everyModule()),
      everything: program(folder, "everything", [...everyModule(), ...PACKAGES]),
    };
    const sides = Object.entries(programs).map(([name, file]) => ({
      name,
      run: () => seconds(process.execPath, [...RUN, config(), file]),
    }));
    const lab = { name: "help", run: () => seconds(join(checkoutRoot(), "lab"), ["--help"]) };
    const times = Map.groupBy(
      Array.from({ length: ROUNDS + 1 }).flatMap((_, round) => [...sides, lab].map(({ name, run }) => ({ name, round, value: run() }))),
      ({ name }) => name,
    );
    // the first round fills the caches
    const of = (name: string): number => median((times.get(name) ?? []).filter(({ round }) => round > 0).map(({ value }) => value));
    const above = (name: string): number => of(name) - of("empty");
    const share = above("library") / above("everything");
    const details = { library_ms: 1000 * above("library"), everything_ms: 1000 * above("everything"), modules_ms: 1000 * above("modules") };
    const ratio = of("help") / of("empty");
    const library = {
      name: "startup",
      says: `import "labyrinth" ÷ import of every module and its packages`,
      value: share,
      unit: "×",
      details,
    };
    const times_ms = { help_ms: 1000 * of("help"), empty_ms: 1000 * of("empty") };
    const help = { name: "startup-help", says: "./lab --help ÷ an empty program", value: ratio, unit: "×", details: times_ms };
    return [measurement(library, { is: "≤", bound: LIBRARY_SHARE }), measurement(help, { is: "≤", bound: HELP_RATIO })];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function config(): string {
  return `--config=${join(checkoutRoot(), "deno.json")}`;
}

function moduleAt(path: string): string {
  return pathToFileURL(join(checkoutRoot(), path)).href;
}

function everyModule(): string[] {
  return readdirSync(join(checkoutRoot(), "lib"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")).sort()
    .map((file) => moduleAt(join("lib", file)));
}

/** The packages that the library loads on first use and once loaded with its modules; those that were always loaded on first use are left out. */
const PACKAGES = [
  ...["openai", "zeromq", "nodejs-polars", "vega", "vega-lite", "@resvg/resvg-js", "graphology", "graphology-layout-forceatlas2"],
];

function program(folder: string, name: string, imports: readonly string[]): string {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, [...imports.map((target) => `await import(${JSON.stringify(target)});`), "process.exit(0);"].join("\n"));
  return file;
}

function seconds(command: string, words: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(command, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${status}: ${stderr}`);
  return (performance.now() - started) / 1000;
}
