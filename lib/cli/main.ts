/**
 * The command line: one file a command, chosen by name.
 *
 * @module
 */

import process from "node:process";
import { BudgetError, ModelError, StoreError, UsageError, WorldError } from "../errors.ts";
import { isInterruption } from "../platform.ts";
import { HelpAsked } from "./options.ts";

/** A command: takes the words after its name, gives the exit status. */
export type Command = (args: readonly string[]) => Promise<number>;

/** Name → what it does and where it lives. Each is loaded only when called, so that no command pays for another's packages. */
const COMMANDS: Readonly<Record<string, { readonly does: string; readonly load: () => Promise<{ main: Command }> }>> = {
  reproduce: { does: "play, then rebuild a paper's tables and figures beside its numbers", load: () => import("./reproduce.ts") },
  test: { does: "run every check", load: () => import("./test.ts") },
  notebook: { does: "open JupyterLab with the lab's kernel, or run notebooks headless", load: () => import("./notebook.ts") },
  worlds: { does: "list the worlds and their parameters", load: () => import("./worlds.ts") },
  study: { does: "run or price one study", load: () => import("./study.ts") },
  play: { does: "play a world in the terminal", load: () => import("./play.ts") },
  show: { does: "show what happened in an episode", load: () => import("./show.ts") },
  replay: { does: "replay published runs on our own memory and worlds", load: () => import("./replay.ts") },
  ged: { does: "measure the exact graph edit distance of two graph files", load: () => import("./ged.ts") },
  serve: { does: "serve worlds to other machines", load: () => import("./serve.ts") },
  keys: { does: "make the keys for a world server", load: () => import("./keys.ts") },
  model: { does: "build a local sentence-embedding model", load: () => import("./model.ts") },
  docs: { does: "build the site of the public interface and check every link", load: () => import("./docs.ts") },
  bench: { does: "measure speed and memory as ratios", load: () => import("./bench.ts") },
};

/** Runs one command. Bad input ends with status 2, Ctrl-C with 130, any other failure that has a type with 1, each with one line on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    print(["usage: ./lab <command> [options]", "", ...Object.entries(COMMANDS).map(([id, { does }]) => `  ${id.padEnd(11)}${does}`)]);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command) throw new UsageError(`unknown command "${name}"; the commands are ${Object.keys(COMMANDS).join(", ")}`);
    return await (await command.load()).main(rest);
  } catch (error) {
    if (error instanceof HelpAsked) {
      print([`usage: ${error.message}`]);
      return 0;
    }
    if (error instanceof UsageError) {
      complain(error.message);
      return 2;
    }
    if (isInterruption(error)) {
      complain("interrupted by the user; run the same command again to go on");
      return INTERRUPTED;
    }
    const typed = [WorldError, ModelError, StoreError, BudgetError].some((kind) => error instanceof kind);
    if (!typed) throw error;
    complain((error as Error).message);
    return 1;
  }
}

/** What shells give a command that Ctrl-C ended: 128 and the number of the signal. */
const INTERRUPTED = 130;

function print(lines: readonly string[]): void {
  process.stdout.write(lines.join("\n") + "\n");
}

function complain(message: string): void {
  process.stderr.write(`lab: ${message.replaceAll(/\s*\n\s*/g, " ")}\n`);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
