/** Reads the fields of an attempt's steps: triplets, actions, exits, tokens. */

import { UsageError } from "../../core/errors.ts";
import { itemsAsLogged } from "./answers.ts";
import type { Field, LoggedAttempt, LoggedStep } from "./log.ts";
import { parsePython, parseStrings } from "./python-value.ts";
import { versionOf, type VersionRules, VERSIONS } from "./versions.ts";

/** A step, read. What a version does not print is undefined. */
export type Step = ReturnType<typeof readStep>;

export interface Attempt {
  readonly number: number;
  readonly rules: VersionRules;
  readonly steps: readonly Step[];
  /** The step in which the log breaks off, with the rest of its observation. */
  readonly cut?: { readonly number: number; readonly line: number; readonly observation: string };
  readonly rewards?: readonly number[];
}

/**
 * Reads an attempt. A last step that is cut off becomes `cut`.
 *
 * @param before The previous attempt; its version counts for an attempt that is cut off in its
 *   first step.
 * @throws {UsageError} if the version is unknown or a field cannot be read, with file and line.
 */
export function readAttempt(attempt: LoggedAttempt, file: string, before?: LoggedAttempt): Attempt {
  const version = versionOf(attempt) ??
    (before && attempt.steps.length < 2 ? versionOf(before) : undefined);
  if (version === undefined) {
    const line = attempt.steps[0]?.line ?? attempt.line;
    throw new UsageError(
      `cannot replay ${file}: the step at line ${line} has the fields of no known version (${
        Object.keys(VERSIONS).join(", ")
      }); ` +
        "give a log of AriGraph itself, baselines log no triplets",
    );
  }
  const rules = VERSIONS[version];
  const steps: Step[] = [];
  let cut: Attempt["cut"];
  for (const step of attempt.steps) {
    const lacking = rules.fields.filter((name) => !step.fields.has(name));
    const isLast = step === attempt.steps.at(-1);
    try {
      if (lacking.length > 0) throw new SyntaxError(`it lacks ${lacking.join(", ")}`);
      steps.push(readStep(step));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (!isLast) {
        throw new UsageError(
          `cannot replay ${file}: the step at line ${step.line}: ${error.message}; give the log as published`,
        );
      }
      cut = {
        number: step.number,
        line: step.line,
        observation: step.fields.get("Observation")?.text ?? "",
      };
    }
  }
  return { number: attempt.number, rules, steps, cut, rewards: readRewards(attempt.rewards) };
}

/** Reads the fields of a step. @throws {SyntaxError} for one that cannot be read */
// deno-lint-ignore explicit-function-return-type
function readStep(step: LoggedStep) {
  const text = (name: string): string => step.fields.get(name)?.text ?? "";
  const strings = (name: string): readonly string[] | undefined =>
    step.fields.has(name) ? parseField(step.fields.get(name), parseStrings) : undefined;
  const items: ReadonlyMap<string, number> = parseField(
    step.fields.get("Crucial items"),
    itemsAsLogged,
  );
  const exits: ReadonlyMap<string, readonly string[]> = new Map(
    [...step.exits].map((
      [place, field],
    ) => [place, field.text.trim() === "none" ? [] : parseField(field, parseStrings)]),
  );
  return {
    number: step.number,
    /** As printed, with the step's number and the task. */
    observation: text("Observation"),
    inventory: step.fields.get("Inventory")?.text,
    /** The action that led here, by the log. */
    lastAction: step.fields.get("Action that led to this observation")?.text.trim(),
    /**
     * The answer to the question for entities; and the same, read: lower-cased entity → importance.
     */
    ...{ entities: text("Crucial items"), items },
    /** Triplets logged as new, as written; and the answer about stale triplets. */
    ...{ fresh: strings("New triplets") ?? [], outdated: text("Outdated triplets") },
    /** A model rewrote these lists where the graph is logged; they cannot be read. */
    recalled: step.fields.has("Graph") ? undefined : strings("Associated triplets"),
    recalledLength: step.fields.has("Length of subgraph")
      ? Number(text("Length of subgraph"))
      : undefined,
    ...{ episodes: strings("Episodic memory"), graph: strings("Graph") },
    exits,
    ...{ valid: strings("Valid actions"), untried: strings("Actions that isn't tried") },
    ...{ plan: text("Plan0"), action: text("Action") },
    frames: step.frames.map((frame) => frame.text),
  };
}

function parseField<T>(field: Field | undefined, parse: (text: string) => T): T {
  try {
    return parse(field?.text ?? "");
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new SyntaxError(`line ${field?.line} cannot be read: ${error.message}`);
    }
    throw error;
  }
}

function readRewards(field: Field | undefined): number[] | undefined {
  if (!field) return undefined;
  try {
    const value = parsePython(field.text.trim());
    return Array.isArray(value) && value.every((number) => typeof number === "number")
      ? value as number[]
      : undefined;
  } catch {
    return undefined; // the list is cut off
  }
}
