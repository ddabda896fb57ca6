/**
 * Splits the log of a published run of AriGraph into attempts, steps, and the fields of each step as they were printed.
 *
 * A step begins with "Observation:" (some logs have no "Step:" lines); after "Navigation step: n" the same word belongs to a move inside a macro. A
 * field ends where the next one begins.
 *
 * @module
 */

import { UsageError } from "../errors.ts";

/** A field of a step: the text after its colon, as printed. */
export interface Field {
  readonly text: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** An agent step. */
export interface LoggedStep {
  /** Its position in the attempt, from 1; the logs' own numbers are not always there. */
  readonly number: number;
  /** Line of the file, from 1. */
  readonly line: number;
  /** Name → field, e.g. `New triplets`; two spellings of a name are one. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Known place → its unexplored exits, as printed. */
  readonly exits: ReadonlyMap<string, Field>;
  /** The observation after each move of the macro taken on this step, in order. */
  readonly frames: readonly Field[];
}

/** An attempt at a game. */
export interface LoggedAttempt {
  /** Its position in the file, from 1; the logs' own numbers may repeat. */
  readonly number: number;
  readonly line: number;
  readonly steps: readonly LoggedStep[];
  /** The last list of rewards printed: one number a step, cumulative. */
  readonly rewards?: Field;
}

/**
 * Splits a log into attempts and steps.
 *
 * @param file For messages.
 * @throws {UsageError} if the text is empty or of another format, with the first line that tells.
 */
export function parseLog(text: string, file: string): LoggedAttempt[] {
  if (text.trim() === "") throw new UsageError(`cannot replay ${file}: it is empty; give a run log of the AriGraph authors`);
  const attempts: Draft[] = [];
  let open: { readonly lines: string[]; readonly line: number; readonly keep: (field: Field) => void } | undefined;
  let inMacro = false;

  const lines = text.split(/\r?\n/);
  for (const [index, content] of lines.entries()) {
    const line = index + 1;
    const found = content.match(MARKER);
    if (!found) {
      open?.lines.push(content);
      continue;
    }
    close();
    const [marker, name = ""] = found;
    const rest = content.slice(marker.length);
    const last = attempts.at(-1);
    if (name === "Attempt") {
      attempts.push({ number: attempts.length + 1, line, steps: [] });
      continue;
    }
    if (!last) continue;
    const step = last.steps.at(-1);
    if (name === "Navigation step") inMacro = true;
    else if (name === "Observation" && inMacro) begin(rest, line, (field) => void step?.frames.push(field));
    else if (name === "Observation") {
      const draft: DraftStep = { number: last.steps.length + 1, line, fields: new Map(), exits: new Map(), frames: [] };
      last.steps.push(draft);
      begin(rest, line, (field) => void draft.fields.set(name, field));
    } else if (name.endsWith("REWARDS")) begin(rest, line, (field) => void (last.rewards = field));
    else if (name.startsWith("Unexplored exits for ")) begin(rest, line, (field) => void step?.exits.set(name.slice(21), field));
    else if (step && !NOT_KEPT.has(name)) begin(rest, line, (field) => void step.fields.set(SPELLINGS[name] ?? name, field));
    if (name !== "Navigation step") inMacro = false;
  }
  close();

  if (!attempts.some(({ steps }) => steps.length > 0)) {
    const first = lines.findIndex((content) => content.trim() !== "");
    throw new UsageError(
      `cannot replay ${file}: line ${first + 1} is ${
        JSON.stringify((lines[first] ?? "").slice(0, 60))
      }, wanted "Attempt: 1" and steps with ` +
        '"Observation:"; give a run log of the AriGraph authors',
    );
  }
  return attempts;

  function begin(rest: string, line: number, keep: (field: Field) => void): void {
    open = { lines: [rest], line, keep };
  }

  function close(): void {
    open?.keep({ text: open.lines.join("\n"), line: open.line });
    open = undefined;
  }
}

/** A step and an attempt while they are read. */
interface DraftStep extends LoggedStep {
  readonly fields: Map<string, Field>;
  readonly exits: Map<string, Field>;
  readonly frames: Field[];
}

interface Draft extends LoggedAttempt {
  readonly steps: DraftStep[];
  rewards?: Field;
}

/** Lines that begin a field; no observation and no answer of a model contains one. */
const MARKER = new RegExp(
  "^(?:(Attempt|Step|Navigation step|Observation|Inventory|Inventort|Action that led to this observation|Crucial items|" +
    "Subjective perception|New triplets|Outdated triplets|Length of subgraph|Associated triplets|Associated_subgraph|Episodic memory|Graph|" +
    "If explore|Unexplored exits for [^:]+|Valid actions|Actions that isn't tried|Plan0|Action|Actions scores|" +
    "tokens (?:prompt|completion) (?:plan|action|total)|Step cost|Total cost|Total amount|Total time|(?:TOTAL )?REWARDS|Game itog): ?" +
    "|(NAVIGATION$|={20,}$))",
);

const NOT_KEPT: ReadonlySet<string> = new Set(["", "Step", "Navigation step", "Game itog"]);

/** Misspelt name → the field's name. */
const SPELLINGS: Readonly<Record<string, string>> = { Inventort: "Inventory", Associated_subgraph: "Associated triplets" };
