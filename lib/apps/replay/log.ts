/**
 * Splits the log of a published run of AriGraph into attempts, steps and fields. A step begins
 * with "Observation:"; after "Navigation step: n" the word belongs to a move of a macro.
 */

import { UsageError } from "../../core/errors.ts";

/** A field of a step with the text after its colon, as printed. */
export interface Field {
  readonly text: string;
  readonly line: number;
}

export interface LoggedStep {
  /** Its position in the attempt, from 1; not every log prints numbers. */
  readonly number: number;
  readonly line: number;
  /** Name → field, e.g. `New triplets`; two spellings of a name are one. */
  readonly fields: Map<string, Field>;
  /** Known place → its unexplored exits, as printed. */
  readonly exits: Map<string, Field>;
  /** The observation after each move of the macro taken on this step, in order. */
  readonly frames: Field[];
}

export interface LoggedAttempt {
  /** Its position in the file, from 1; the logs' own numbers may repeat. */
  readonly number: number;
  readonly line: number;
  readonly steps: LoggedStep[];
  /** The last list of rewards printed: one number a step, cumulative. */
  rewards?: Field;
}

/**
 * Splits a log into attempts and steps.
 *
 * @param file The log's name, for messages.
 * @throws {UsageError} if the text is empty or of another format, with the first line that shows
 *   it.
 */
export function parseLog(text: string, file: string): LoggedAttempt[] {
  if (text.trim() === "") {
    throw new UsageError(
      `cannot replay ${file}: it is empty; give a run log of the AriGraph authors`,
    );
  }
  const attempts: LoggedAttempt[] = [];
  const lines = text.split(/\r?\n/);
  let inMacro = false;
  for (const { name, line, text } of fieldsIn(lines)) {
    if (name === "Attempt") attempts.push({ number: attempts.length + 1, line, steps: [] });
    const attempt = attempts.at(-1);
    if (!attempt || name === "Attempt") continue;
    const step = attempt.steps.at(-1);
    const field = { text, line };
    if (name === "Observation" && inMacro) step?.frames.push(field);
    else if (name === "Observation") {
      attempt.steps.push({
        number: attempt.steps.length + 1,
        line,
        fields: new Map([[name, field]]),
        exits: new Map(),
        frames: [],
      });
    } else if (name.endsWith("REWARDS")) attempt.rewards = field;
    else if (name.startsWith(EXITS)) step?.exits.set(name.slice(EXITS.length), field);
    else if (!NOT_KEPT.has(name)) step?.fields.set(SPELLINGS[name] ?? name, field);
    inMacro = name === "Navigation step";
  }
  if (attempts.some(({ steps }) => steps.length > 0)) return attempts;
  const first = lines.findIndex((content) => content.trim() !== "");
  const found = JSON.stringify((lines[first] ?? "").slice(0, 60));
  const wanted = '"Attempt: 1" and steps with "Observation:"';
  throw new UsageError(
    `cannot replay ${file}: line ${
      first + 1
    } is ${found}, wanted ${wanted}; give a run log of the AriGraph authors`,
  );
}

/** Cuts lines into fields; one without a name is a rule or a heading. */
function fieldsIn(
  lines: readonly string[],
): { readonly name: string; readonly line: number; readonly text: string }[] {
  const markers = lines.flatMap((content, index) => {
    const found = content.match(MARKER);
    return found ? [{ index, marker: found[0], name: found[1] ?? "" }] : [];
  });
  return markers.map(({ index, marker, name }, at) => {
    const content = lines.slice(index, markers[at + 1]?.index);
    return { name, line: index + 1, text: content.join("\n").slice(marker.length) };
  });
}

/** Lines that begin a field; no observation and no answer of a model contains one. */
const MARKER = new RegExp(
  "^(?:(Attempt|Step|Navigation step|Observation|Inventory|Inventort|Action that led to this observation|Crucial items|" +
    "Subjective perception|New triplets|Outdated triplets|Length of subgraph|Associated triplets|Associated_subgraph|Episodic memory|Graph|" +
    "If explore|Unexplored exits for [^:]+|Valid actions|Actions that isn't tried|Plan0|Action|Actions scores|" +
    "tokens (?:prompt|completion) (?:plan|action|total)|Step cost|Total cost|Total amount|Total time|(?:TOTAL )?REWARDS|Game itog): ?" +
    "|(NAVIGATION$|={20,}$))",
);

const EXITS = "Unexplored exits for ";

const NOT_KEPT: ReadonlySet<string> = new Set(["", "Step", "Navigation step", "Game itog"]);

/** Misspelt name → the field's name. */
const SPELLINGS: Readonly<Record<string, string>> = {
  Inventort: "Inventory",
  Associated_subgraph: "Associated triplets",
};
