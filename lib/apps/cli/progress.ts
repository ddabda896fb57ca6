/** Progress on standard error: a bar where that is a terminal, plain lines where it is not. */

import process from "node:process";
import { terminalText } from "../../core/foreign-text.ts";
import { type Progress, progressText } from "../../lab/progress.ts";
import type { CallRow } from "../../lab/store/calls.ts";
import { writeIfPossible } from "./options.ts";

export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Milliseconds between two messages about failed attempts. */
const QUIET = 10_000;

/** Shows the progress of a study, its delays and failed attempts. */
export function createProgressView(
  output: ProgressOutput = process.stderr,
): {
  show(progress: Progress): void;
  delay(what: string): void;
  call(row: CallRow): void;
  end(): void;
} {
  let drawn = false;
  let [wasted, toldAt] = [0, -Infinity];

  function say(text: string): void {
    writeIfPossible(output, `${drawn ? "\r\x1b[2K" : ""}lab: ${terminalText(text)}\n`);
  }

  function call({ kind, model, role, error, at }: CallRow): void {
    if (kind !== "wasted" || error === undefined) return; // one without an error was ended by Ctrl-C
    wasted++;
    if (at - toldAt < QUIET) return;
    toldAt = at;
    const total = wasted === 1 ? "" : `, ${wasted} attempts failed so far`;
    say(
      `${model} did not answer ${role} (${error})${total}; transient errors are retried`,
    );
  }

  function bar(progress: Progress): void {
    const width = output.columns ?? 80;
    const facts = ` ${progressText(progress)}`;
    const cells = Math.max(8, Math.min(30, width - facts.length - 3));
    const full = Math.round(progress.share * cells);
    writeIfPossible(
      output,
      `\r\x1b[2K${`[${"█".repeat(full)}${"·".repeat(cells - full)}]${facts}`.slice(0, width - 1)}`,
    );
    drawn = true;
  }

  function line(progress: Progress): void {
    const { kind, episode, step } = progress;
    if (kind === "step") return;
    const what = kind === "begin"
      ? "begins"
      : episode.status === "completed"
      ? `completed: ${score(episode.score)} of ${score(episode.maxScore)} after ${step} steps`
      : `${episode.status} (${episode.failureKind}) after ${step} steps`;
    writeIfPossible(output, terminalText(`${episode.chain} ${what}; ${progressText(progress)}\n`));
  }

  return {
    show: output.isTTY ? bar : line,
    delay: say,
    call,
    end: () => {
      if (drawn) writeIfPossible(output, "\n");
    },
  };
}

function score(value: number | undefined): string {
  return value === undefined ? "?" : String(Math.round(value * 100) / 100);
}
