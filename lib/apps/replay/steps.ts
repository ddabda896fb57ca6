/** Reads the fields of an attempt's steps: triplets, actions, exits, tokens. */

import { UsageError } from "../../core/errors.ts";
import type { Usage } from "../../core/llm/chat-model.ts";
import { itemsAsLogged } from "./answers.ts";
import type { Field, LoggedAttempt, LoggedStep } from "./log.ts";
import { parsePython, parseStrings } from "./python-value.ts";
import { versionOf, type VersionRules, VERSIONS } from "./versions.ts";

/** A step, read. What a version does not print is undefined. */
export interface Step {
  readonly number: number;
  /** As printed, with the step's number and the task. */
  readonly observation: string;
  readonly inventory?: string;
  /** The action that led here, by the log. */
  readonly lastAction?: string;
  /** The answer to the question for entities. */
  readonly entities: string;
  /** The same, read: lower-cased entity → importance. */
  readonly items: ReadonlyMap<string, number>;
  /** Triplets logged as new, as written. */
  readonly fresh: readonly string[];
  /** The answer about stale triplets. */
  readonly outdated: string;
  readonly recalled?: readonly string[];
  /** Number of recalled triplets, by the log. */
  readonly recalledLength?: number;
  readonly episodes?: readonly string[];
  readonly graph?: readonly string[];
  readonly explore?: boolean;
  /** Known place → unexplored exits. */
  readonly exits: ReadonlyMap<string, readonly string[]>;
  readonly valid?: readonly string[];
  readonly untried?: readonly string[];
  /** The planner's and the actor's answers. */
  readonly plan: string;
  readonly action: string;
  /** The observation after each move of the macro. */
  readonly frames: readonly string[];
  /** The tokens of plan and action, where both are printed, and the attempt's sums so far. */
  readonly tokens?: { readonly calls?: readonly Usage[]; readonly sum: Usage };
  /** The dollars of this step and of the attempt so far. */
  readonly dollars?: { readonly step: number; readonly attempt: number; readonly rounded: boolean };
}

/** An attempt, read. */
export interface Attempt {
  readonly number: number;
  readonly rules: VersionRules;
  readonly steps: readonly Step[];
  /** The step in which the log breaks off, with the rest of its observation. */
  readonly cut?: { readonly number: number; readonly line: number; readonly observation: string };
  /** Cumulative rewards, one a step. */
  readonly rewards?: readonly number[];
}

/**
 * Reads an attempt. A last step that is cut off becomes `cut`.
 *
 * @param before The previous attempt; its version counts for an attempt that is cut off in its first step.
 * @throws {UsageError} if the version is unknown or a field cannot be read, with file and line.
 */
export function readAttempt(attempt: LoggedAttempt, file: string, before?: LoggedAttempt): Attempt {
  const version = versionOf(attempt) ?? (before && attempt.steps.length < 2 ? versionOf(before) : undefined);
  if (version === undefined) {
    const line = attempt.steps[0]?.line ?? attempt.line;
    throw new UsageError(
      `cannot replay ${file}: the step at line ${line} has the fields of no known version (${Object.keys(VERSIONS).join(", ")}); ` +
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
        throw new UsageError(`cannot replay ${file}: the step at line ${step.line}: ${error.message}; give the log as published`);
      }
      cut = { number: step.number, line: step.line, observation: step.fields.get("Observation")?.text ?? "" };
    }
  }
  return { number: attempt.number, rules, steps, cut, rewards: readRewards(attempt.rewards) };
}

function readStep(step: LoggedStep): Step {
  const text = (name: string): string => step.fields.get(name)?.text ?? "";
  const strings = (name: string): string[] | undefined =>
    step.fields.has(name) ? parseField(step.fields.get(name), parseStrings) : undefined;
  // a model rewrote these lists, with broken brackets and numbered lines, so that they cannot be read
  const recalled = step.fields.has("Graph") ? undefined : strings("Associated triplets");
  return {
    number: step.number,
    observation: text("Observation"),
    inventory: step.fields.get("Inventory")?.text,
    lastAction: step.fields.get("Action that led to this observation")?.text.trim(),
    entities: text("Crucial items"),
    items: parseField(step.fields.get("Crucial items"), itemsAsLogged),
    fresh: strings("New triplets") ?? [],
    outdated: text("Outdated triplets"),
    recalled,
    recalledLength: step.fields.has("Length of subgraph") ? Number(text("Length of subgraph")) : undefined,
    episodes: strings("Episodic memory"),
    graph: strings("Graph"),
    explore: step.fields.has("If explore") ? text("If explore").trim() === "True" : undefined,
    exits: new Map([...step.exits].map(([place, field]) => [place, field.text.trim() === "none" ? [] : parseField(field, parseStrings)])),
    valid: strings("Valid actions"),
    untried: strings("Actions that isn't tried"),
    plan: text("Plan0"),
    action: text("Action"),
    frames: step.frames.map((frame) => frame.text),
    tokens: readTokens(step),
    dollars: readDollars(step),
  };
}

function parseField<T>(field: Field | undefined, parse: (text: string) => T): T {
  try {
    return parse(field?.text ?? "");
  } catch (error) {
    if (error instanceof SyntaxError) throw new SyntaxError(`line ${field?.line} cannot be read: ${error.message}`);
    throw error;
  }
}

function readTokens(step: LoggedStep): Step["tokens"] {
  const [plan, action, sum] = ["plan", "action", "total"].map((of): Usage | undefined => {
    const [prompt = NaN, completion = NaN] = ["prompt", "completion"].map((kind) => numberIn(step.fields.get(`tokens ${kind} ${of}`)));
    return Number.isFinite(prompt + completion) ? { prompt, completion, cached: 0, reasoning: 0 } : undefined;
  });
  return sum && { calls: plan && action && [plan, action], sum };
}

function readDollars(step: LoggedStep): Step["dollars"] {
  const exact = { step: numberIn(step.fields.get("Step cost")), attempt: numberIn(step.fields.get("Total cost")) };
  if (Number.isFinite(exact.step + exact.attempt)) return { ...exact, rounded: false };
  const rounded = step.fields.get("Total amount")?.text.match(/attempt amount: (-?[\d.]+)\$, step amount: (-?[\d.]+)\$/);
  return rounded ? { step: Number(rounded[2]), attempt: Number(rounded[1]), rounded: true } : undefined;
}

function numberIn(field: Field | undefined): number {
  return field === undefined || field.text.trim() === "" ? NaN : Number(field.text);
}

function readRewards(field: Field | undefined): number[] | undefined {
  if (!field) return undefined;
  try {
    const value = parsePython(field.text.trim());
    return Array.isArray(value) && value.every((number) => typeof number === "number") ? value as number[] : undefined;
  } catch {
    return undefined; // the list is cut off
  }
}
