/** The command line: one file a command, chosen by name. */

import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { BudgetError, ModelError, StoreError, UsageError, WorldError } from "../../core/errors.ts";
import { checkoutRoot, isInterruption } from "../../core/platform.ts";
import { checkName } from "../../core/text/did-you-mean.ts";
import type { Main } from "./command.ts";
import { COMMANDS, HelpAsked } from "./commands.ts";
import { complain, writeIfPossible } from "./options.ts";

/** Loads a command when it is called. Deno would resolve a literal path at each start. */
async function load(name: string): Promise<Main> {
  if (!Object.hasOwn(COMMANDS, name)) {
    checkName("command", name, [...Object.keys(COMMANDS), "--help", "--version"]);
  }
  return (await import(new URL(`${name}.ts`, import.meta.url).href)).main;
}

/**
 * Runs one command. Bad input ends with status 2, signals with 130, 143 and 129, other typed
 * failures with 1, each with one line on standard error.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === "--version" || name === "-V") print([`labyrinth ${version()}`]);
    else if (name === "help" && rest[0] !== undefined) {
      return await (await load(rest[0]))(["--help"]);
    } else if (name === undefined || ["help", "--help", "-h"].includes(name)) {
      print([
        "Usage: ./lab <command> [options]",
        "",
        ...Object.entries(COMMANDS).map(([id, does]) => `  ${id.padEnd(13)}${does}`),
        "",
        MORE,
      ]);
      return name === undefined ? 2 : 0;
    } else return await (await load(name))(rest);
    return 0;
  } catch (error) {
    if (error instanceof HelpAsked) {
      writeIfPossible(process.stdout, error.message);
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
    const typed = [WorldError, ModelError, StoreError, BudgetError].some((kind) =>
      error instanceof kind
    );
    if (!typed && !isOfSystem(error)) throw error;
    const remedy = !typed && isOfPlace(error)
      ? "; choose another place, or see to what is there"
      : "";
    complain(`${(error as Error).message}${remedy}`);
    return 1;
  }
}

const MORE =
  "./lab <command> --help explains the options of a command; ./lab --version says the version.";

function version(): string {
  return (JSON.parse(readFileSync(join(checkoutRoot(), "deno.json"), "utf8")) as {
    version: string;
  }).version;
}

/** Whether the operating system or SQLite refused something. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    /^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(String(error.code));
}

/** Whether something at a path, or nothing there, was in the way. */
function isOfPlace(error: unknown): boolean {
  return /^E(ACCES|EXIST|ISDIR|LOOP|NAMETOOLONG|NOENT|NOTDIR|NOTEMPTY|PERM|ROFS)$/.test(
    String((error as { code?: unknown }).code),
  );
}

/** Ends quietly where the reader of the output has gone, as in `./lab show | head`. */
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
