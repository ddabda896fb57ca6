/** What the commands share: paths as users write them, and printing results and complaints. */

import { resolve } from "node:path";
import process from "node:process";
import { safeValue, terminalJson, terminalText } from "../../core/foreign-text.ts";
import { env, interruption, STOP_SIGNALS } from "../../core/platform.ts";

/** Resolves a path from the folder in which `./lab` was called. */
export function userPath(path: string): string {
  return resolve(env("LAB_CWD") ?? process.cwd(), path);
}

/** Prints a result as one JSON value, or in words without control characters. */
export function printResult<T>(value: T, json: boolean, describe: (value: T) => string): void {
  process.stdout.write(
    json
      ? `${terminalJson(JSON.stringify(value, null, 2))}\n`
      : describe(safeValue(value, terminalText)),
  );
}

export function inColumns(rows: readonly (readonly string[])[]): string {
  const width = (column: number): number =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(width(column))).join("  ").trimEnd() + "\n"
  ).join("");
}

/** Makes a signal that Ctrl-C, SIGTERM and SIGHUP abort; a second one ends the program. */
export function stopSignal(): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const listeners = STOP_SIGNALS.map((signal) => ({
    signal,
    listener: () => stop.abort(interruption(signal)),
  }));
  for (const { signal, listener } of listeners) process.once(signal, listener);
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}

export function complain(message: string): void {
  writeIfPossible(process.stderr, `lab: ${terminalText(message.replaceAll(/\s*\n\s*/g, " "))}\n`);
}

/** Writes text that nothing depends on; a closed or full output is ignored. */
export function writeIfPossible(output: { write(text: string): unknown }, text: string): void {
  try {
    output.write(text);
  } catch { /* nobody can be told */ }
}
