/**
 * What the commands share: reading the words after a command's name, and printing results and complaints.
 *
 * @module
 */

import { resolve } from "node:path";
import process from "node:process";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "../errors.ts";
import { safeValue, terminalJson, terminalText } from "../foreign-text.ts";
import { env } from "../platform.ts";

/** Somebody asked how a command is called; the message is its usage. */
export class HelpAsked extends Error {
  override readonly name = "HelpAsked";
}

/** Reads a command's options and words; `usage` is what a complaint and `--help` show, e.g. `./lab worlds [--json]`. */
export function readOptions<T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  usage: string,
  options: T,
  words: { readonly min: number; readonly max: number } = { min: 0, max: 0 },
): Options<T> {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (own.includes("--help") || own.includes("-h")) throw new HelpAsked(usage);
  let read: Options<T>;
  try {
    read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(". ")[0]}; usage: ${usage}`);
  }
  const { length } = read.positionals;
  if (length < words.min) throw new UsageError(`a word is missing; usage: ${usage}`);
  if (length > words.max) throw new UsageError(`unexpected "${read.positionals[words.max]}"; usage: ${usage}`);
  return read;
}

/** Options by name, and the words that are no options. */
export type Options<T extends NonNullable<ParseArgsConfig["options"]>> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** Resolves a path from the folder in which `./lab` was called. */
export function userPath(path: string): string {
  return resolve(env("LAB_CWD") ?? process.cwd(), path);
}

/** Prints a result on standard output: as one JSON value, or in words, which hold no control character of the result's text. */
export function printResult<T>(value: T, json: boolean, describe: (value: T) => string): void {
  process.stdout.write(json ? `${terminalJson(JSON.stringify(value, null, 2))}\n` : describe(safeValue(value, terminalText)));
}

/** Aligns the cells of rows in columns, and ends each row with a line break. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(width(column))).join("  ").trimEnd() + "\n").join("");
}

/** Prints one line on standard error. */
export function complain(message: string): void {
  writeIfPossible(process.stderr, `lab: ${terminalText(message.replaceAll(/\s*\n\s*/g, " "))}\n`);
}

/** Writes text that nothing depends on: an output that is closed or full is no failure. */
export function writeIfPossible(output: { write(text: string): unknown }, text: string): void {
  try {
    output.write(text);
  } catch { /* nobody can be told */ }
}
