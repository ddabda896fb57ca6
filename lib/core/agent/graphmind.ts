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
 * Deviations are numbered in `docs/explanation/deviations/graphmind.md`.
 */

import type { z } from "zod";
import type { Memory, Recollection } from "../memory/memory.ts";
import { describeView } from "../memory/view.ts";
import { executeByModel, isCall } from "./graphmind-actor.ts";
import { GRAPHMIND_PROMPTS } from "./graphmind.prompts.ts";
import { parsePlan, parseVerdict, type Verdict } from "./graphmind-replies.ts";
import { toolsOf } from "./memory-tools.ts";
import type { MethodMaker } from "./method.ts";
import { artefactOf, type Done, onePass, type Rollout } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";
import { type GraphMindOptions, graphmindOptions } from "./graphmind-options.ts";

/**
 * GraphMind with a memory. It reports `malformed-reply`, `invalid-action` (refused by the world),
 * `fallback` (taken instead of a plan or instruction), `refused-call` (unknown arguments),
 * `call-limit`, `try-limit` (a plan was given up), `dropped-entries` (unreadable instructions or
 * actions), and what the memory reports.
 *
 * Each decision step is recorded with its primitive steps as frames, `plan`, `target`,
 * `instruction`, `planned` (the plan is new), `calls`, `verdict`, `tries`, and the memory's
 * `beliefs` after it.
 * @throws {UsageError} without a memory, or for an invalid option.
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
    return await artefactOf(memory);
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
   * Whether the instruction is done; of the memory the verifier sees only the agent's room. An
   * unreadable verdict is one against the plan.
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
