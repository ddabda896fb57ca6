/**
 * Makes `data/examples` anew: `deno run -A tests/core/agent/examples/make.ts
 * [alfworld|scienceworld|wiki]`. Households and encyclopedias are drawn from seeds that no study
 * plays; ScienceWorld's are training variations, by their gold paths. Thoughts are ours.
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  connectWorlds,
  createAsker,
  createReact,
  type MeasuredEnvironment,
  type StepRecord,
  type Turn,
} from "../../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../../lib/core/retrieval/lexical.ts";
import { createStandIn } from "../../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../../lib/offline/responders/mod.ts";
import { checkoutRoot } from "../../../../lib/core/platform.ts";
import { LABORATORY_THOUGHTS, WORKED_TASKS } from "./thoughts.ts";

interface Step {
  readonly thought?: string;
  readonly action: string;
  readonly observation: string;
}

interface Example {
  readonly world: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly like?: string;
  readonly goal: string;
  readonly opening: string;
  readonly steps: readonly Step[];
}

/** The first seed of what examples are drawn from. */
const FIRST_SEED = 900_001;

const worlds = connectWorlds();
const model = createStandIn({ responders: offlineResponders });
function keep(name: string, examples: readonly Example[]): void {
  writeFileSync(
    join(checkoutRoot(), "data", "examples", `${name}.json`),
    `${JSON.stringify(examples, null, 1)}\n`,
  );
}

/**
 * What the offline ReAct agent did and thought, where it won; thoughts stand with the action that
 * follows them.
 */
async function played(
  world: string,
  params: Record<string, unknown>,
): Promise<Omit<Example, "world"> | undefined> {
  const records: StepRecord[] = [];
  const recorder = {
    step: (record: StepRecord) => Promise.resolve(void records.push(record)),
    event: () => {},
  };
  await createReact({ examples: 0 }).run({
    world: () => worlds.open(world, params),
    ask: createAsker({ model }),
    embedder: createLexicalEmbedder(),
    recorder,
    seed: 1,
  });
  const [first, ...rest] = records;
  if (!first || rest.at(-1)?.turn.end !== "won") return undefined;
  const steps: Step[] = [];
  let thought: string | undefined;
  for (const { action = "", turn, details } of rest) {
    if (action.startsWith("think: ")) thought = action.slice("think: ".length);
    else {
      const said = thought ?? details?.["reason"];
      steps.push({
        ...(typeof said === "string" ? { thought: said } : {}),
        action,
        observation: turn.observation.trim(),
      });
      thought = undefined;
    }
  }
  const opening = first.turn.observation === first.turn.goal ? "" : first.turn.observation.trim();
  return { goal: first.turn.goal, opening, steps };
}

const KINDS = {
  put: ["^put (?!a clean|a hot|a cool|two)", "I need to find one, take it, and bring it there."],
  examine: [
    "^(?:look at|examine)",
    "I need to find one and take it, then find the lamp, and turn it on beside me.",
  ],
  clean: ["clean", "I need to find one and take it, clean it at a sink, and then bring it there."],
  heat: [
    "\\b(?:hot|heat)\\b",
    "I need to find one and take it, heat it with a microwave, and then bring it there.",
  ],
  cool: [
    "\\bcool\\b",
    "I need to find one and take it, cool it with a fridge, and then bring it there.",
  ],
  puttwo: [
    "\\btwo\\b",
    "I need two of them, and can carry one: I find and bring the first, then the second.",
  ],
} as const;

/** Two short plays of each type of household task, in both dialects. */
async function households(): Promise<Example[]> {
  const examples: Example[] = [];
  for (const [type, [like, plan]] of Object.entries(KINDS)) {
    for (let seed = FIRST_SEED, found = 0; found < 2; seed++) {
      const moved = await played("alfworld", { set: "fresh", type, seed, dialect: "move" });
      if (!moved || moved.steps.length > 14) continue;
      found += 1;
      const put = await inOldDialect(moved, { set: "fresh", type, seed, dialect: "put" });
      for (const [dialect, play] of [["move", moved], ["put", put]] as const) {
        const [first, ...rest] = play.steps;
        const steps = first
          ? [{ ...first, thought: `${plan} ${first.thought ?? ""}`.trim() }, ...rest]
          : [];
        examples.push({ world: "alfworld", where: { dialect }, like, ...play, steps });
      }
    }
  }
  return examples;
}

/** The same play in the older dialect. */
async function inOldDialect(
  play: Omit<Example, "world">,
  params: Record<string, unknown>,
): Promise<Omit<Example, "world">> {
  const world = await worlds.open("alfworld", params);
  try {
    const opening = (await world.reset()).observation.trim();
    const steps: Step[] = [];
    for (const step of play.steps) {
      const action = step.action.replace(/^move (.+) to (.+)$/, "put $1 in/on $2");
      steps.push({ ...step, action, observation: (await world.step(action)).observation.trim() });
    }
    return { ...play, opening, steps };
  } finally {
    await world.close();
  }
}

/**
 * Questions and claims, each worked by a search and by a chain of thought over the sentences that
 * it needs.
 */
async function research(): Promise<Example[]> {
  const examples: Example[] = [];
  for (const { ask, index, steps: worked, reasoning } of WORKED_TASKS) {
    const like = ask === "claims" ? "^Claim" : "^Question";
    const world = await worlds.open("wiki/encyclopedia", {
      seed: FIRST_SEED,
      ask,
      index,
      documents: "sentences",
    });
    const { goal, documents = [] } = await world.reset();
    const steps: Step[] = [];
    for (const [thought, action] of worked) {
      steps.push({ thought, action, observation: (await world.step(action)).observation.trim() });
    }
    assert.equal(steps.at(-1)?.observation, "Episode finished, reward = 1", goal);
    examples.push({ world: "wiki/", like, goal, opening: "", steps });
    const answer = worked.at(-1)?.[1].match(/\[(.*)\]$/)?.[1];
    const texts = documents.map(({ title, text }) => `${title}\n${text}\n`).join("");
    examples.push({
      world: "cot",
      like,
      goal,
      opening: `${texts}CoT: ${reasoning}\nDirect answer: ${answer}`,
      steps: [],
    });
  }
  return examples;
}

/**
 * One training variation of each task of the laboratory; kept one by one, for some of the gold
 * paths are long.
 */
async function laboratory(): Promise<void> {
  const examples: Example[] = [];
  for (const [task, thought] of Object.entries(LABORATORY_THOUGHTS)) {
    const world = await worlds.open("scienceworld", {
      task,
      split: "train",
      index: 5,
      stepLimit: 1000,
    })
      .catch(() =>
        worlds.open("scienceworld", { task, split: "train", index: 3, stepLimit: 1000 })
      ); // a few tasks have four for training
    try {
      const { goldPath, opening } = await startOf(world);
      const steps: Step[] = [];
      for (const action of goldPath) {
        const turn: Turn = await world.step(action);
        steps.push({
          ...(steps.length === 0 ? { thought } : {}),
          action,
          observation: turn.observation.trim(),
        });
        if (turn.end) break;
      }
      examples.push({
        world: "scienceworld",
        where: { task },
        goal: opening.goal,
        opening: opening.observation.trim(),
        steps: withoutRepeats(steps),
      });
      keep("scienceworld", examples);
    } catch (error) {
      process.stdout.write(`${task} has no example: ${(error as Error).message}\n`); // some gold paths take too long to be found
    } finally {
      await world.close();
    }
  }
}

async function startOf(
  world: MeasuredEnvironment,
): Promise<{ readonly goldPath: readonly string[]; readonly opening: Turn }> {
  const opening = await world.reset();
  const { goldPath } = await world.truth();
  return { goldPath: goldPath as string[], opening };
}

/**
 * An action that was taken twice is shown twice: what waits and measures again and again is left
 * out.
 */
function withoutRepeats(steps: readonly Step[]): Step[] {
  const times = new Map<string, number>();
  return steps.filter(({ action }, i) => {
    times.set(action, (times.get(action) ?? 0) + 1);
    return i === steps.length - 1 || (times.get(action) ?? 0) <= 2;
  });
}

const wanted = process.argv[2];
if (wanted === undefined || wanted === "alfworld") keep("alfworld", await households());
if (wanted === undefined || wanted === "wiki") keep("wiki", await research());
if (wanted === undefined || wanted === "scienceworld") await laboratory();
await worlds.close();
