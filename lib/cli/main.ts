/**
 * The command line: one file a command, chosen by name.
 *
 * @module
 */

import { constants } from "node:os";
import process from "node:process";
import { BudgetError, ModelError, StoreError, UsageError, WorldError } from "../errors.ts";
import { isInterruption } from "../platform.ts";
import { complain, HelpAsked, writeIfPossible } from "./options.ts";

/** A command: takes the words after its name, gives the exit status. */
export type Command = (args: readonly string[]) => Promise<number>;

/** Name → what it does. A command lives in the file of its name. */
const COMMANDS: Readonly<Record<string, string>> = {
  reproduce: "play, then rebuild a paper's tables and figures beside its numbers",
  paper: "write all exhibits of played studies as one LaTeX, HTML and Quarto document",
  test: "run every check",
  notebook: "open JupyterLab with the lab's kernel, or run notebooks headless",
  worlds: "list the worlds and their parameters",
  study: "run or price one study",
  play: "play a world in the terminal, or have people play in their browsers",
  show: "show what happened in an episode",
  view: "open the run page: studies live, episodes step by step with their graphs",
  export: "write episodes, turns and calls of studies as Parquet files, or as logs of Inspect",
  pack: "write the recorded replies of studies as one file to pass on",
  verify: "say which episodes of a store are as they were recorded, or an exported file is made of",
  repair: "save what is whole of a damaged store into a new one",
  replay: "replay published runs on our own memory and worlds",
  ged: "measure the exact graph edit distance of two graph files",
  serve: "serve worlds to other machines",
  keys: "make the keys for a world server",
  model: "build a local sentence-embedding model",
  data: "list the official data sets, and what of them is here",
  licences: "list the licences of all that is installed",
  reconcile: "hold the calls on record against a provider's usage export",
  prices: "list the prices of models, with date and source",
  docs: "build the site of the public interface and check every link",
  bench: "measure speed and memory as ratios",
};

/**
 * Loads a command when it is called, so that no command pays for another's packages. The address is made here: behind a path that
 * is written out Deno would read and resolve every module at each start.
 */
async function load(name: string): Promise<{ readonly main: Command }> {
  return await import(new URL(`${name}.ts`, import.meta.url).href);
}

/** Runs one command. Bad input ends with status 2, Ctrl-C with 130, SIGTERM with 143, SIGHUP with 129, any other failure that has a type with 1, each with one line on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      print(["usage: ./lab <command> [options]", "", ...Object.entries(COMMANDS).map(([id, does]) => `  ${id.padEnd(11)}${does}`)]);
      return name === undefined ? 2 : 0;
    }
    if (!Object.hasOwn(COMMANDS, name)) {
      throw new UsageError(`unknown command "${name}"; the commands are ${Object.keys(COMMANDS).join(", ")}`);
    }
    return await (await load(name)).main(rest);
  } catch (error) {
    if (error instanceof HelpAsked) {
      writeIfPossible(process.stdout, `usage: ${error.message}\n`);
      return 0;
    }
    if (error instanceof UsageError) {
      complain(error.message);
      return 2;
    }
    if (isInterruption(error)) {
      complain(`${error.message}; run the same command again to go on`);
      return 128 + constants.signals["signal" in error ? error.signal as NodeJS.Signals : "SIGINT"]; // as shells have it
    }
    const typed = [WorldError, ModelError, StoreError, BudgetError].some((kind) => error instanceof kind);
    if (!typed && !isOfSystem(error)) throw error;
    complain((error as Error).message);
    return 1;
  }
}

/** Whether the operating system or SQLite refused something: no space on a device, a folder that may not be written. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(String(error.code));
}

/** Takes note that an output can be written no more: silently where its reader has gone, as in `./lab show | head`, else in one line. */
function onOutputError(error: Error & { readonly code?: string }): void {
  if (["EPIPE", "EIO", "ERR_STREAM_DESTROYED"].includes(error.code ?? "")) return;
  complain(`cannot write the output: ${error.message}`);
  process.exitCode = 1;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.join("\n") + "\n");
}

if (import.meta.main) {
  for (const output of [process.stdout, process.stderr]) output.on("error", onOutputError);
  process.exitCode = await main(process.argv.slice(2));
}
