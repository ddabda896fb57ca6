/**
 * ReasonPlanner's prompts and their parsers: Pham-Dinh et al. 2024, arXiv 2410.09252, §3.3, §3.5
 * and Algorithm 1. The paper prints no prompt: wording and answer formats are ours.
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { parseJson, type Schema } from "../text/json.ts";
import { keepSound } from "../text/read-lists.ts";
import { mend } from "../text/reading-rules.ts";
import { refined, type ReplyParser } from "../text/reply-text.ts";

const SITUATION = {
  task: "Task",
  subtask: "Present sub-task",
  reflections: "Reflections",
} as const;
const PREDICTION = {
  ...SITUATION,
  trajectory: "Trajectory",
  answers: "World model",
  queries: "Queries left",
} as const;

const QUERYING =
  `You may ask the agent's world model first, a graph of everything that it has learnt in this laboratory and in earlier tasks: answer with one question as "query" and null for the rest, and you will be asked again with what it says. Do so while queries are left and something that matters is unknown: where a thing is, how an action works, which steps served such a task before. Do not repeat a question.

`;

const query = z.string().max(200).nullable();
const predictedAction = { action: z.string().max(200), response: z.string().max(500) };
const predictedState = {
  state: z.object({ observation: z.string().max(2500), inventory: z.string().max(500) }),
  done: z.boolean(),
};

/** The forms of both predictions where no question may be asked. */
export const PREDICTION_FORMS: Readonly<Record<"action" | "state", z.ZodType>> = {
  action: z.object(predictedAction),
  state: z.object(predictedState),
};

/** M_a, with or without a world model: predicts the next action and the world's answer. */
export function predictActionPrompt(
  { mayAsk }: { readonly mayAsk: boolean },
): Prompt<keyof typeof PREDICTION> {
  return predictionPrompt(
    "action",
    `Predict the next action after its end: the one that brings the task, and first of all the present sub-task, nearest to its end; and the short answer that the world will give to it.

- One action that can be done in one go or in a few commands, with the things of this laboratory named as the world names them.
- Keep to what the reflections say about earlier deviations.
- If the task is not yet understood, or a thing has to be found, plan to look for it.`,
    `"action": "...", "response": "..."}`,
    mayAsk && {
      action: predictedAction.action.nullable(),
      response: predictedAction.response.nullable(),
    },
  );
}

/**
 * M_s, with the world model to ask or without one: predicts the state after the predicted action,
 * and whether the task is then over.
 */
export function predictStatePrompt(
  { mayAsk }: { readonly mayAsk: boolean },
): Prompt<keyof typeof PREDICTION> {
  return predictionPrompt(
    "state",
    "Predict the state after the last predicted action and response: what the agent will see, in a few lines, and what it will carry; and whether the task is then finished.",
    `"state": {"observation": "...", "inventory": "..."}, "done": true or false}`,
    mayAsk && {
      state: predictedState.state.nullable(),
      done: predictedState.done.nullable(),
    },
  );
}

/** @param asking the fields of a form in which the model may ask the world model instead */
function predictionPrompt(
  part: "action" | "state",
  task: string,
  answer: string,
  asking: false | Readonly<Record<string, z.ZodType>>,
): Prompt<keyof typeof PREDICTION> {
  return {
    role: `reasonplanner/predict-${part}`,
    instructions:
      `You plan for an agent that works in a simulated laboratory, by thinking ahead: the trajectory holds what has happened, and then what you predict. ${task}

${asking ? QUERYING : ""}Answer with JSON alone: {${asking ? '"query": null, ' : ""}${answer}`,
    sections: PREDICTION,
    sampling: { temperature: 0, maxTokens: 1000 },
    form: asking ? z.object({ query, ...asking }) : PREDICTION_FORMS[part],
  };
}

/** What was to be predicted; or a question to the world model, with the prediction beside it. */
export type Prediction<T> =
  | { readonly kind: "predicted"; readonly value: T }
  | { readonly kind: "query"; readonly question: string; readonly beside?: T };

const words = z.unknown().transform(textOf).catch("");
const line = z.string().max(2000).transform((text) => mend("entry", text).trim()).refine(
  (text) => mend("name", text) !== "",
  "it is a placeholder",
);
const readQuery = parseJson(z.object({ query: line }));
const actionSchema = z.object({ action: line, response: words });
const stateSchema = z.union([
  z.object({ observation: words, inventory: words }),
  z.string().transform((observation) => ({ observation, inventory: "" })),
]);
const outcomeSchema = z.object({
  state: stateSchema,
  done: z.boolean().nullable().transform((done) => done ?? false),
});

/** The prediction of M_a: an action, and the world's answer to it. */
export interface PredictedAction {
  /** The action in the model's words; not empty. */
  readonly action: string;
  /** What the world is expected to say; may be empty. */
  readonly response: string;
}
/** A state s = (o, i): the observation and the inventory. */
export interface PredictedState {
  /** What the agent would see, o. */
  readonly observation: string;
  /** What it would carry, i. */
  readonly inventory: string;
}
/** The prediction of M_s: the state, and whether the task is then over. */
export interface PredictedOutcome {
  /** The state after the action. */
  readonly state: PredictedState;
  /** Whether the task would be over. */
  readonly done: boolean;
}

/** Reads `{"action", "response"}`, or `{"query"}` where `mayAsk`. */
export function parsePredictAction(mayAsk: boolean): ReplyParser<Prediction<PredictedAction>> {
  return orQuery(mayAsk, actionSchema);
}

/** Reads `{"state", "done"}`, or `{"query"}` where `mayAsk`. */
export function parsePredictState(mayAsk: boolean): ReplyParser<Prediction<PredictedOutcome>> {
  return orQuery(mayAsk, outcomeSchema);
}

const MAX_COMMANDS = 10;

/** The actor: from a planned action to commands. */
export const actorPrompt: Prompt<keyof typeof SITUATION | "trajectory" | "action" | "commands"> = {
  role: "reasonplanner/actor",
  instructions:
    `You control an agent in a simulated laboratory, which takes commands of fixed forms alone. Break the planned action down into the commands that carry it out from the present state, in order, and predict for each the state after it in a few words.

- Every command must be of one of the permissible forms, with things of the present state or of a state before it put in for the words in braces.
- As few as possible, at least one, at most ten; go where the action has to be done first.
- If the world has asked which of several things is meant, the command is the number of the right one alone.

Answer with JSON alone: {"commands": [{"command": "...", "state": "..."}, ...]}`,
  sections: {
    ...SITUATION,
    trajectory: "Trajectory",
    action: "Planned action",
    commands: "Permissible commands",
  },
  sampling: { temperature: 0, maxTokens: 1000 },
  form: z.object({
    commands: z.array(z.object({ command: z.string().max(120), state: z.string().max(200) })).max(
      MAX_COMMANDS,
    ),
  }),
};

const commandSchema = z.union([
  z.object({ command: z.union([line, z.number().transform(String)]), state: words }),
  line.transform((command) => ({ command, state: "" })),
]).refine(({ command }) => !/[\n\r]/.test(command), "the command holds a line break");

/** A command, and the state that the actor expects after it, perhaps empty. */
export interface Command {
  /** As the world takes it. */
  readonly command: string;
  /** The state expected after it; may be empty. */
  readonly state: string;
}

/**
 * Reads commands, at least one, the first ten. Empty ones and those with a line break are left out.
 */
export const parseCommands: ReplyParser<Command[]> = parseJson(
  z.object({ commands: keepSound(commandSchema, MAX_COMMANDS).refine(({ length }) => length > 0) })
    .transform(({ commands }) => commands),
);

/** The critic: whether to plan again. */
export const criticPrompt: Prompt<keyof typeof SITUATION | "commands" | "expected" | "actual"> = {
  role: "reasonplanner/critic",
  instructions:
    `You judge how an agent in a simulated laboratory carries out its plan. One command has been given; compare what came of it with what was predicted, and say whether the rest of the plan has to be made anew.

- Plan anew only if something stands in the way of the next steps: the world refused the command, the score is lower than before, or a later step can no longer be done or is no longer needed.
- Keep the plan otherwise. Other words, details and things that were not foreseen are no reason.

Answer with JSON alone: {"replan": true or false, "reason": "..."}`,
  sections: {
    ...SITUATION,
    commands: "Permissible commands",
    expected: "Predicted",
    actual: "What happened",
  },
  sampling: { temperature: 0, maxTokens: 300 },
  form: z.object({ replan: z.boolean(), reason: z.string().max(400) }),
};

/** Reads whether the critic wants another plan, and why. */
export const parseVerdict: ReplyParser<{ readonly replan: boolean; readonly reason: string }> =
  parseJson(
    z.object({ replan: z.boolean(), reason: words }),
  );

/** A new reflection, merged into the earlier ones, and the next sub-task. */
export const reflectPrompt: Prompt<keyof typeof SITUATION | "reason" | "expected" | "actual"> = {
  role: "reasonplanner/reflect",
  instructions:
    `An agent in a simulated laboratory has to plan anew, because something came otherwise than predicted. Write down what is to be learnt from it, and what is to be done about it now.

- "reflection": the earlier reflections with the new one merged in, as short as they can be, at most 200 words: what deviated, why, and what to do or not to do. Drop what no longer holds.
- "subtask": what to do next in one sentence, so that the task can go on from here.

Answer with JSON alone: {"reflection": "...", "subtask": "..."}`,
  sections: {
    ...SITUATION,
    reason: "Why to plan anew",
    expected: "Predicted",
    actual: "What happened",
  },
  sampling: { temperature: 0, maxTokens: 500 },
  form: z.object({ reflection: z.string().max(1600), subtask: z.string().max(200) }),
};

/** Reads all reflections so far, compressed (R, not empty), and the next sub-task. */
export const parseReflection: ReplyParser<
  { readonly reflection: string; readonly subtask: string }
> = parseJson(
  z.object({
    reflection: z.string().trim().max(8000).refine((text) => mend("name", text) !== ""),
    subtask: words,
  }),
);

/** All prompts of the method, without its world model's. */
export const planningPrompts: readonly Prompt[] = [
  ...[true, false].flatMap((
    mayAsk,
  ) => [predictActionPrompt({ mayAsk }), predictStatePrompt({ mayAsk })]),
  ...[actorPrompt, criticPrompt, reflectPrompt],
];

function orQuery<T>(mayAsk: boolean, schema: Schema<T>): ReplyParser<Prediction<T>> {
  const predicted = refined(
    parseJson(schema),
    (value) => ({ kind: "ok", value: { kind: "predicted" as const, value } }),
  );
  return (reply, isCut) => {
    const reading = predicted(reply, isCut);
    const asked = readQuery(reply, isCut);
    if (asked.kind === "malformed" || (!mayAsk && reading.kind === "ok")) return reading;
    if (!mayAsk) return { kind: "malformed", problem: "no query is left" };
    const beside = reading.kind === "ok" && { beside: reading.value.value };
    return { kind: "ok", value: { kind: "query", question: asked.value.query, ...beside } };
  };
}

/**
 * A text: numbers and texts as they are, a list with commas between, an object with its keys;
 * nothing for a placeholder.
 */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((one) => mend("entry", textOf(one))).filter((text) => text !== "").join(", ");
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(([key, of]) => `${key}: ${textOf(of)}`).join(", ");
  }
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return mend("name", text).trim() === "" ? "" : text;
}
