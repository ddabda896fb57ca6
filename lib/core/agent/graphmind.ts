/**
 * GraphMind: plan in a language of instructions, execute, verify, revise, with a memory that is
 * asked by functions (Shin et al. 2026, *GraphMind: LLMs as Dynamic Knowledge Builders for
 * Sequential Decision-Making*, §3.2 and App. A.2).
 *
 * | GraphMind §3.2 | here |
 * |---|---|
 * | Plan with DSLs | `#plan` |
 * | Execute | `Rollout.act` (the world's heuristic actor), `executeByModel` in `graphmind-actor.ts` |
 * | Verify Completion | `#verify` |
 * | Revise Plan | `#revise`: the next instruction, the same once more, or a new plan |
 * | decision step | `#decisionStep`: one instruction carried out, seen and judged |
 *
 * Deviations are numbered in `docs/deviations/graphmind.md`.
 */

import { z } from "zod";
import type { Memory, MemoryFactory, Recollection } from "../memory/memory.ts";
import { describeView } from "../memory/view.ts";
import { executeByModel, isCall } from "./graphmind-actor.ts";
import { GRAPHMIND_PROMPTS, parsePlan, parseVerdict, type Verdict } from "./graphmind.prompts.ts";
import type { PromptOrder } from "../memory/observation.ts";
import { toolsOf } from "./memory-tools.ts";
import type { MethodMaker } from "./method.ts";
import {
  type Done,
  type LoopOptions,
  loopOptions,
  methodEntry,
  onePass,
  type Rollout,
} from "./rollout.ts";

/** Options of the method. */
export interface GraphMindOptions extends LoopOptions {
  /** Makes the memory of an episode: `room-graph`, `stacked`, `none`, or any other. */
  readonly memory: MemoryFactory;
  /**
   * Who carries out instructions: the world's own heuristic actor, or a model by primitive actions.
   * @default {"heuristic"}
   */
  readonly actor?: "heuristic" | "llm";
  /**
   * Whether planner, verifier and actor are shown pictures, where the world gives any.
   * @default {true}
   */
  readonly image?: boolean;
  /**
   * Most decision steps, 1 … 1,000,000 (§4.1); the world's own limit of primitive steps holds
   * besides.
   * @default {400}
   */
  readonly maxSteps?: number;
  /**
   * Calls of the memory's functions that are answered before one plan, 1 … 1,000,000.
   * @default {100}
   */
  readonly maxCalls?: number;
  /**
   * How often an instruction is tried before its plan is given up, whatever the verifier says, 1 …
   * 1,000,000.
   * @default {100}
   */
  readonly maxTries?: number;
  /**
   * Whether verifier and planner are told what the heuristic actor reports, such as that a door is
   * locked (D21).
   * @default {false}
   */
  readonly actorReport?: boolean;
  /**
   * The layout of the prompts: the `paper`'s, or `cacheable`, what changes least first (D20).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
}

const MOST = 1_000_000;
const graphmindOptions = z.strictObject(
  {
    actor: z.enum(["heuristic", "llm"]).default("heuristic"),
    image: z.boolean().default(true),
    maxSteps: z.int().min(1).max(MOST).default(400),
    maxCalls: z.int().min(1).max(MOST).default(100),
    maxTries: z.int().min(1).max(MOST).default(100),
    actorReport: z.boolean().default(false),
    order: z.enum(["paper", "cacheable"]).default("paper"),
    reAsks: loopOptions.reAsks,
  } satisfies Record<Exclude<keyof GraphMindOptions, "memory">, z.ZodType>,
);

/**
 * GraphMind with a memory.
 *
 * It reports `malformed-reply` (a reply that stayed unreadable), `invalid-action` (an instruction
 * or primitive action that the world refuses),
 * `fallback` (the world's fallback was taken in the place of a plan or instruction), `refused-call`
 * (a function called with unknown arguments),
 * `call-limit` (all calls of a plan used up), `try-limit` (a plan given up because an instruction
 * was tried too often), `dropped-entries` (instructions or primitive actions that could not be
 * read, beside others that could), and whatever the memory reports.
 *
 * It records of each decision step, besides the turn with the primitive steps as frames: `plan`,
 * `target`, `instruction`, `planned` (whether the plan was made at this step), `calls` of
 * functions, `verdict`, `tries`, and `beliefs` of the memory about what the step led to.
 *
 * @throws {UsageError} without a memory, or if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createGraphMind, createRoomGraph } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createGraphMind({ memory: createRoomGraph(), actor: "llm" }).id, "graphmind");
 * assert.throws(() => createGraphMind({ memory: createRoomGraph(), maxTries: 0 }), /maxTries/);
 * ```
 */
export const createGraphMind: MethodMaker<GraphMindOptions> = methodEntry({
  id: "graphmind",
  description:
    "plan in instructions, execute, verify, revise, with a memory that is asked by functions (GraphMind)",
  version: "3",
  options: graphmindOptions,
  prompts: Object.values(GRAPHMIND_PROMPTS).flatMap((prompts) => Object.values(prompts)),
  memories: "room-graph, stacked or none",
}, (episode, options) =>
  onePass(episode, options, async (rollout) => {
    const memory = rollout.remember(options.memory);
    await new GraphMindRun(rollout, memory, options).toItsEnd();
    return memory.save();
  }));

interface Course {
  readonly target: string;
  readonly instructions: readonly string[];
  done: number;
  tries: number;
  outcome: string;
  over: boolean;
}

/** Most plans that the verifier is shown, the latest; the paper names no most. */
const PREVIOUS_PLANS = 50;

class GraphMindRun {
  readonly #rollout: Rollout;
  readonly #memory: Memory;
  readonly #options: z.output<typeof graphmindOptions>;
  readonly #prompts: typeof GRAPHMIND_PROMPTS["paper"];
  readonly #dsl: string;
  readonly #forms: readonly string[];
  readonly #previousPlans: string[] = [];
  #course?: Course;
  #recollection: Recollection = { sections: {} };

  constructor(rollout: Rollout, memory: Memory, options: z.output<typeof graphmindOptions>) {
    this.#rollout = rollout;
    this.#memory = memory;
    this.#options = options;
    this.#prompts = GRAPHMIND_PROMPTS[options.order];
    const calls = rollout.world.spec.actions.filter(({ name }) => isCall(name));
    this.#dsl = calls.map(({ name, description }) =>
      `${name.replaceAll(/[{}]/g, "")}: ${description}`
    ).join("\n");
    this.#forms = calls.map(({ name }) => name);
  }

  async toItsEnd(): Promise<void> {
    await this.#rollout.reset();
    await this.#see();
    await this.#rollout.record(undefined, { beliefs: this.#recollection.beliefs });
    while (!this.#rollout.isOver) await this.#decisionStep();
  }

  async #decisionStep(): Promise<void> {
    const rollout = this.#rollout;
    rollout.beginStep();
    const calls: Record<string, unknown>[] = [];
    const last = this.#course;
    const planned = !last || last.over;
    const course = this.#course = planned ? await this.#plan(last, calls) : last;
    const instruction = course.instructions[course.done] as string;
    const { action, fallback } = await this.#execute(instruction);
    course.tries += 1;
    await this.#see(action);
    const verdict = rollout.turn.end ? undefined : await this.#verify(course, instruction);
    await rollout.record(action, {
      plan: course.instructions,
      target: course.target,
      instruction,
      planned,
      tries: course.tries,
      calls: calls.length > 0 ? calls : undefined,
      verdict,
      fallback,
      beliefs: this.#recollection.beliefs,
    });
    if (verdict) this.#revise(course, verdict);
  }

  async #see(action?: string): Promise<void> {
    const seen = this.#rollout.perceive(this.#rollout.step + 1);
    await this.#memory.observe({
      ...seen,
      action,
      macro: action !== undefined && seen.frames ? true : undefined,
    });
    const { instructions = [], done = 0 } = this.#course ?? {};
    this.#recollection = await this.#memory.recall({
      ...seen,
      plan: instructions.slice(done).join("\n"),
    });
  }

  async #plan(last: Course | undefined, calls: Record<string, unknown>[]): Promise<Course> {
    const { turn, world, report } = this.#rollout;
    const { tools = [] } = this.#recollection;
    if (last) this.#previousPlans.push(last.instructions.join(" "));
    const plan = await this.#rollout.ask(this.#prompts.plan, {
      goal: turn.goal,
      dsl: this.#dsl,
      memory: textOf(this.#recollection),
      inventory: turn.sections["inventory"] ?? "",
      lastPlan: last ? describePlan(last) : "",
      completion: last ? last.outcome : "",
      observation: describeView(turn),
    }, {
      parse: parsePlan(this.#forms),
      images: this.#images(),
      tools: toolsOf(tools, { most: this.#options.maxCalls, report, calls }),
    });
    if (!plan) report("fallback", `${world.spec.fallback}, after malformed-reply`);
    return {
      target: "",
      instructions: [world.spec.fallback],
      ...plan,
      done: 0,
      tries: 0,
      outcome: "",
      over: false,
    };
  }

  async #execute(instruction: string): Promise<Done> {
    if (this.#options.actor === "heuristic") return await this.#rollout.act(instruction);
    await executeByModel(instruction, this.#rollout, {
      memory: textOf(this.#recollection),
      images: this.#images(),
      prompt: this.#prompts.execute,
    });
    return { action: instruction };
  }

  /**
   * Whether the instruction is done, judged without the memory: of the graph the verifier is told
   * the agent's room alone. A verdict that stays unreadable is one against the plan.
   */
  async #verify({ tries }: Course, instruction: string): Promise<Verdict> {
    const { turn } = this.#rollout;
    const verdict = await this.#rollout.ask(this.#prompts.verify, {
      dsl: this.#dsl,
      graph: this.#recollection.status,
      previousPlans: this.#previousPlans.slice(-PREVIOUS_PLANS).join("\n"),
      lastPlan: instruction,
      repeats: String(tries),
      result: this.#report,
      inventory: turn.sections["inventory"] ?? "",
      passedDoor: turn.sections["passed_door"] ?? "",
      observation: describeView(turn),
    }, { parse: parseVerdict, images: this.#images() });
    return verdict ?? { complete: false, adjust: true };
  }

  #revise(course: Course, { complete, adjust }: Verdict): void {
    const instruction = course.instructions[course.done] as string;
    const told = this.#report ? ` (${this.#report})` : "";
    course.outcome = `${instruction}: ${complete ? "completed" : `not completed${told}`}`;
    if (complete) {
      course.done += 1;
      course.tries = 0;
    }
    const spent = course.tries >= this.#options.maxTries;
    if (spent && !adjust) {
      this.#rollout.report("try-limit", `${instruction}: tried ${course.tries} times`);
    }
    course.over = adjust || spent || course.done === course.instructions.length;
  }

  /**
   * What the heuristic actor says of the last instruction; `undefined` where nobody is to be told.
   */
  get #report(): string | undefined {
    return this.#options.actorReport ? this.#rollout.turn.sections["result"] ?? "" : undefined;
  }

  #images(): Uint8Array[] {
    const { image } = this.#rollout.turn;
    return this.#options.image && image ? [image] : [];
  }
}

function textOf({ sections }: Recollection): string | undefined {
  const parts = Object.entries(sections).map(([title, text]) =>
    `${title}:\n${text === "" ? "(none)" : text}`
  );
  return parts.length > 0 ? parts.join("\n\n") : undefined;
}

function describePlan({ target, instructions }: Course): string {
  return [...(target === "" ? [] : [`Target: ${target}`]), ...instructions].join("\n");
}
