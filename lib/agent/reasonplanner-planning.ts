/**
 * ReasonPlanner's planning: Algorithm 1 of Pham-Dinh et al. 2024, arXiv 2410.09252.
 *
 * | Algorithm 1 | here |
 * |---|---|
 * | T | `PlanningInput.done`, `.now`, and the steps of `Plan` |
 * | R | `PlanningInput.reflections` |
 * | L | `PlanningInput.lookAhead` |
 * | k | `PlanningInput.queries` |
 * | M_a(T, R, k) → â, r̂ | `predict` with `predictActionPrompt` |
 * | M_s(T, R, k) → ŝ, d | `predict` with `predictStatePrompt` |
 *
 * Deviations are numbered in `docs/deviations/reasonplanner.md`.
 *
 * @module
 */

import type { Asker, ReplyParser } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { WorldModel } from "../memory/temporal-graph.ts";
import {
  parsePredictAction,
  parsePredictState,
  predictActionPrompt,
  type PredictedState,
  type Prediction,
  predictStatePrompt,
} from "./reasonplanner.prompts.ts";
import { type DoneStep, formatTrajectory, type PlannedStep } from "./reasonplanner-trajectory.ts";

/** What a plan is made of. */
export interface PlanningInput {
  readonly task: string;
  /** What is to be done next; empty where it is the task itself. */
  readonly subtask: string;
  /** R, compressed; empty where nothing has deviated yet. */
  readonly reflections: string;
  readonly done: readonly DoneStep[];
  readonly now: PredictedState;
  readonly lookAhead: number;
  /** The most queries for one prediction; 0 without a world model. */
  readonly queries: number;
  readonly ask: Asker;
  /** The agent step that the plan is made for. */
  readonly step: number;
  readonly worldModel?: Pick<WorldModel, "query">;
  /** Questions that were explored already: none is explored twice. Absent where nothing is explored. */
  readonly explored?: Set<string>;
  readonly reAsks: number;
  readonly report: (kind: string, detail: string) => void;
}

/** What is going to be done. */
export interface Plan {
  /** Up to L; none where nothing could be predicted. */
  readonly steps: readonly PlannedStep[];
  /** Questions asked and their answers, in order. */
  readonly answers: readonly string[];
}

/**
 * Looks ahead: up to L times an action and a response, then the state after them, each from the trajectory so far, the reflections and the
 * answers of the world model. Ends early where the task is predicted to be over (D9), a prediction cannot be read, or a query finds nothing: then
 * the last step is one of exploration (§3.4, D8).
 *
 * Reports `malformed-reply`, `query`, `repeated-query`, `unanswered-query` and `exploration`.
 */
export async function planTrajectory(input: PlanningInput): Promise<Plan> {
  const steps: PlannedStep[] = [];
  const answers: string[] = [];
  for (let i = 1; i <= input.lookAhead; i++) {
    // Alg. 1, l. 2–3
    const predicted = await predict(input, { prompt: predictActionPrompt, parse: parsePredictAction, steps, answers });
    if (predicted.kind === "explore") steps.push(exploration(predicted.question));
    if (predicted.kind !== "predicted") break;
    const { action, response } = predicted.value;
    steps.push({ action, response });
    // l. 4–5
    const next = await predict(input, { prompt: predictStatePrompt, parse: parsePredictState, steps, answers });
    if (next.kind === "explore") steps.push(exploration(next.question));
    if (next.kind !== "predicted") break;
    steps[steps.length - 1] = { action, response, ...next.value };
    if (next.value.done) break;
  }
  return { steps, answers };
}

/** A step that is to find out what the world model does not know (§3.4, D8). */
function exploration(question: string): PlannedStep {
  return { action: `explore: find out: ${question}`, response: "" };
}

type Predicted<T> =
  | { readonly kind: "predicted"; readonly value: T }
  /** The world model knows nothing that bears on the question, and it was not explored before. */
  | { readonly kind: "explore"; readonly question: string }
  /** The reply stayed unreadable. */
  | { readonly kind: "none" };

/** One of the two models, with at most k queries before it predicts. */
async function predict<T>(
  input: PlanningInput,
  made: {
    readonly prompt: Prompt<"task" | "subtask" | "reflections" | "trajectory" | "answers" | "queries">;
    readonly parse: (mayAsk: boolean) => ReplyParser<Prediction<T>>;
    readonly steps: readonly PlannedStep[];
    /** Those of the whole plan: what was asked for an earlier step need not be asked again. */
    readonly answers: string[];
  },
): Promise<Predicted<T>> {
  const { task, subtask, reflections, done, now, ask, worldModel, queries, reAsks, report } = input;
  const { prompt, parse, steps, answers } = made;
  for (let left = worldModel ? queries : 0;; left--) {
    const values = {
      task,
      subtask,
      reflections,
      trajectory: formatTrajectory(done, now, steps),
      answers: answers.join("\n\n"),
      queries: `${left}`,
    };
    const answer = await ask(prompt, values, { parse: parse(left > 0), reAsks });
    if (answer.kind === "malformed") {
      report("malformed-reply", `${prompt.role}: ${answer.problem}`);
      return { kind: "none" };
    }
    if (answer.value.kind === "predicted") return answer.value;
    const unanswered = await consult(answer.value.question, input, answers);
    if (unanswered) return { kind: "explore", question: answer.value.question };
  }
}

/** Puts a question to the world model, and its answer to the others; `true` if nothing is known and that should be explored. */
async function consult(question: string, { worldModel, step, explored, report }: PlanningInput, answers: string[]): Promise<boolean> {
  const asked = `Query: ${question}`;
  if (!worldModel || answers.some((one) => one.startsWith(`${asked}\n`))) {
    report("repeated-query", question.slice(0, 200).replaceAll(/\s+/g, " "));
    return false;
  }
  const found = await worldModel.query(question, { step });
  report(found.kind === "answer" ? "query" : "unanswered-query", question.slice(0, 200).replaceAll(/\s+/g, " "));
  answers.push(`${asked}\nAnswer: ${found.kind === "answer" ? found.text : "nothing is known"}`);
  if (found.kind === "answer" || !explored || explored.has(question)) return false;
  explored.add(question);
  report("exploration", question.slice(0, 200).replaceAll(/\s+/g, " "));
  return true;
}
