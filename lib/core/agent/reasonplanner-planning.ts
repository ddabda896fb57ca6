/**
 * ReasonPlanner's planning: Algorithm 1 of Pham-Dinh et al. 2024, arXiv 2410.09252.
 *
 * | Algorithm 1 | here |
 * |---|---|
 * | T | `PlanningInput.done`, the rollout's turn, and the steps of `Plan` |
 * | R | `Situation.reflections` |
 * | L | `PlanningInput.lookAhead` |
 * | k | `PlanningInput.queries` |
 * | M_a(T, R, k) → â, r̂ | `predict` with `predictActionPrompt` |
 * | M_s(T, R, k) → ŝ, d | `predict` with `predictStatePrompt` |
 *
 * Deviations are numbered in `docs/explanation/deviations/reasonplanner.md`.
 */

import type { z } from "zod";
import type { ReplyParser } from "../text/reply-text.ts";
import type { WorldModel } from "../memory/world-model.ts";
import {
  parsePredictAction,
  parsePredictState,
  predictActionPrompt,
  type Prediction,
  PREDICTION_FORMS,
  predictStatePrompt,
} from "./reasonplanner.prompts.ts";
import {
  type DoneStep,
  type formatTrajectory,
  type PlannedStep,
  type Situation,
  stateOf,
} from "./reasonplanner-trajectory.ts";
import type { Rollout } from "./rollout.ts";

export interface PlanningInput {
  readonly situation: Situation;
  readonly done: readonly DoneStep[];
  readonly lookAhead: number;
  readonly queries: number;
  readonly endsEarly: boolean;
  readonly format: typeof formatTrajectory;
  readonly worldModel?: Pick<WorldModel, "query">;
  /**
   * Questions that were explored already: none is explored twice. Absent where nothing is explored.
   */
  readonly explored?: Set<string>;
  readonly rollout: Rollout;
}

export interface Plan {
  readonly steps: readonly PlannedStep[];
  readonly answers: readonly string[];
}

/**
 * Looks ahead up to L times: an action and a response, then the state after them, from the
 * trajectory, the reflections and the world model's answers. Ends early with an exploration step if
 * a prediction cannot be read or a query finds nothing (§3.4, D8); with `endsEarly` also at the
 * predicted end (D9). Reports `malformed-reply`, `query`, `repeated-query`, `unanswered-query` and
 * `exploration`.
 */
export async function planTrajectory(input: PlanningInput): Promise<Plan> {
  const steps: PlannedStep[] = [];
  const answers: string[] = [];
  for (let i = 1; i <= input.lookAhead; i++) {
    // Alg. 1, l. 2–3
    const predicted = await predict(input, { ...MODELS.action, steps, answers });
    if (predicted.kind === "explore") steps.push(exploration(predicted.question));
    if (predicted.kind !== "predicted") break;
    const { action, response } = predicted.value;
    steps.push({ action, response });
    // l. 4–5
    const next = await predict(input, { ...MODELS.state, steps, answers });
    if (next.kind === "explore") steps.push(exploration(next.question));
    if (next.kind !== "predicted") break;
    steps[steps.length - 1] = { action, response, ...next.value };
    if (next.value.done && input.endsEarly) break;
  }
  return { steps, answers };
}

/** A step that is to find out what the world model does not know (§3.4, D8). */
function exploration(question: string): PlannedStep {
  return { action: `explore: find out: ${question}`, response: "" };
}

const MODELS = {
  action: {
    promptOf: predictActionPrompt,
    form: PREDICTION_FORMS.action,
    parse: parsePredictAction,
  },
  state: {
    promptOf: predictStatePrompt,
    form: PREDICTION_FORMS.state,
    parse: parsePredictState,
  },
};

type Predicted<T> =
  | { readonly kind: "predicted"; readonly value: T }
  | { readonly kind: "explore"; readonly question: string }
  | { readonly kind: "none" };

async function predict<T>(
  input: PlanningInput,
  made: {
    readonly promptOf: typeof predictActionPrompt;
    readonly form: z.ZodType;
    readonly parse: (mayAsk: boolean) => ReplyParser<Prediction<T>>;
    readonly steps: readonly PlannedStep[];
    readonly answers: string[];
  },
): Promise<Predicted<T>> {
  const { situation, done, worldModel, queries, rollout, format } = input;
  const { promptOf, form, parse, steps, answers } = made;
  const trajectory = format(done, stateOf(rollout.turn), steps);
  const prompt = promptOf({ mayAsk: worldModel !== undefined });
  for (let left = worldModel ? queries : 0;; left--) {
    const known = worldModel && { answers: answers.join("\n\n"), queries: `${left}` };
    const asking = { parse: parse(left > 0), ...(left > 0 ? {} : { form }) };
    const prediction = await rollout.ask(
      prompt,
      { ...situation, trajectory, ...known },
      asking,
      rollout.step + 1,
    );
    if (!prediction) return { kind: "none" };
    if (prediction.kind === "predicted") return prediction;
    const { question, beside } = prediction;
    const outcome = await consult(question, input, answers);
    if (outcome === "unanswered") return { kind: "explore", question };
    if (outcome === "repeated" && beside) return { kind: "predicted", value: beside };
  }
}

async function consult(
  question: string,
  { worldModel, rollout, explored }: PlanningInput,
  answers: string[],
): Promise<"answered" | "repeated" | "unanswered"> {
  const asked = `Query: ${question}`;
  const line = question.slice(0, 200).replaceAll(/\s+/g, " ");
  if (!worldModel || answers.some((one) => one.startsWith(`${asked}\n`))) {
    rollout.report("repeated-query", line);
    return "repeated";
  }
  const found = await worldModel.query(question, { step: rollout.step + 1 });
  rollout.report(found.kind === "answer" ? "query" : "unanswered-query", line);
  answers.push(`${asked}\nAnswer: ${found.kind === "answer" ? found.text : "nothing is known"}`);
  if (found.kind === "answer" || !explored || explored.has(question)) return "answered";
  explored.add(question);
  rollout.report("exploration", line);
  return "unanswered";
}
