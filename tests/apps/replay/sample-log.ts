/**
 * Small logs of our own in the forms of the published ones: a hall, a kitchen to the east of it, a
 * key.
 */

/** The parts of a step that tests change. */
export interface SampleStep {
  readonly observation: string;
  /** @default {"You are carrying nothing."} */
  readonly inventory?: string | undefined;
  readonly fresh: readonly string[];
  readonly outdated?: string;
  readonly recalled?: readonly string[];
  readonly graph?: readonly string[];
  readonly exits?: Readonly<Record<string, readonly string[]>>;
  readonly action: string;
  readonly frames?: readonly string[];
}

export const HALL = "-= Hall =-\nA bare hall. An exit leads east.\n";
export const KITCHEN = "-= Kitchen =-\nA kitchen. An exit leads west.\n";

const plan =
  '{"main_goal": "win", "plan_steps": [{"sub_goal_1": "look around", "reason": "it is dark"}], "your_emotion": {"your_current_emotion": "calm", "reason_behind_emotion": "none"}}';

/** A log in the form with the whole graph. */
export function graphLog(steps: readonly SampleStep[], rewards: readonly number[]): string {
  const lines = steps.flatMap((step, index) => [
    `Step: ${index + 1}`,
    `Observation: \nGame step #${index + 1}\n${step.observation}`,
    `Inventory: ${step.inventory ?? "You are carrying nothing."}`,
    "Crucial items: {'hall': 1}",
    `New triplets: ${python(step.fresh)}`,
    `Outdated triplets: ${step.outdated ?? "[]"}`,
    "Associated_subgraph: {1. broken, 'by a model'",
    "Episodic memory: []",
    `Graph: ${python(step.graph ?? [])}`,
    `Plan0: ${plan}`,
    `Action: {"reason_for_action": "why not", "action_to_take": "${step.action}"}`,
    "Step cost: 0.5",
    `Total cost: ${0.5 * (index + 1)}`,
    ...macro(step),
    "",
  ]);
  return ["Attempt: 1", "", ...lines, `Game itog: over`, `REWARDS: ${python(rewards)}`, ""].join(
    "\n",
  );
}

/** A log in the newest form, with unexplored exits. */
export function newestLog(steps: readonly SampleStep[]): string {
  const lines = steps.flatMap((step, index) => [
    `Step: ${index + 1}`,
    `Observation: Game step #${index + 1}\n${step.observation}`,
    `Inventory: ${step.inventory ?? "You are carrying nothing."}`,
    "Crucial items: {'hall': 1}",
    `New triplets: ${python(step.fresh)}`,
    `Outdated triplets: Replacing: ${step.outdated ?? "[]"}`,
    `Length of subgraph: ${step.recalled?.length ?? 0}`,
    `Associated triplets: ${python(step.recalled ?? [])}`,
    `Episodic memory: ${
      python(
        steps.slice(Math.max(0, index - 2), index).map((past, at) =>
          `Game step #${Math.max(0, index - 2) + at + 1}\n${past.observation}`
        ),
      )
    }`,
    `If explore: ${step.exits ? "True" : "False"}`,
    "",
    ...Object.entries(step.exits ?? {}).map(([place, exits]) =>
      `Unexplored exits for ${place}: ${exits.length > 0 ? python(exits) : "none"}`
    ),
    `Plan0: ${plan}`,
    `Action: {"reason_for_action": "why not", "action_to_take": "${step.action}"}`,
    ...macro(step),
    `Total amount: ${(index + 1) / 10}$, attempt amount: ${(index + 1) / 10}$, step amount: 0.1$`,
    "=".repeat(70),
    `TOTAL REWARDS: ${python(steps.slice(0, index + 1).map(() => 0))}`,
    "",
  ]);
  return ["Attempt: 1", "=".repeat(70), ...lines].join("\n");
}

function macro({ frames = [] }: SampleStep): string[] {
  return frames.length === 0 ? [] : [
    "",
    "NAVIGATION",
    "",
    ...frames.flatMap((
      text,
      index,
    ) => [`Navigation step: ${index + 1}`, `Observation: ${text}`, ""]),
  ];
}

/** As Python's `repr` prints lists of strings and numbers. */
function python(values: readonly (string | number)[]): string {
  const quote = (text: string): string =>
    text.includes("'") ? JSON.stringify(text) : `'${text.replaceAll("\n", "\\n")}'`;
  return `[${
    values.map((value) => typeof value === "number" ? value.toFixed(1) : quote(value)).join(", ")
  }]`;
}
