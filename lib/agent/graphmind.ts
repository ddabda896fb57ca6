/**
 * GraphMind: plan in a language of instructions, execute, verify, revise, with a memory that is asked by functions (Shin et al. 2026, *GraphMind:
 * LLMs as Dynamic Knowledge Builders for Sequential Decision-Making*, §3.2 and App. A.2).
 *
 * | GraphMind §3.2 | here |
 * |---|---|
 * | Plan with DSLs | `plan` |
 * | Execute | `carryOutByWorld`, `carryOutByModel` in `graphmind-actor.ts` |
 * | Verify Completion | `verify` |
 * | Revise Plan | `revise`: the next instruction, the same once more, or a new plan |
 * | decision step | one instruction carried out, seen and judged |
 *
 * Deviations are numbered in `docs/deviations/graphmind.md`.
 *
 * @module
 */

import type { Turn } from "../env/environment.ts";
import { UsageError } from "../errors.ts";
import type { ToolCall } from "../llm/chat-model.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { AskTools } from "../llm/tool-calls.ts";
import type { MemoryTool, Recollection } from "../memory/memory.ts";
import { describeView } from "../memory/view.ts";
import { inWorld } from "./ariadne-loop.ts";
import { carryOutByModel, carryOutByWorld } from "./graphmind-actor.ts";
import { type GraphMindOptions, graphmindOptions, type GraphMindSetting } from "./graphmind-options.ts";
import { callOf, completionPrompt, executePrompt, parsePlan, parseVerdict, planPrompt, type Verdict } from "./graphmind.prompts.ts";
import type { Episode, Method, Outcome } from "./method.ts";
import { perceive } from "./perceive.ts";

/** All prompts of the method: roles `graphmind/plan`, `graphmind/verify-completion`, `graphmind/execute`; the memory has its own. */
export const graphmindPrompts: readonly Prompt[] = [planPrompt, completionPrompt, executePrompt];

/**
 * GraphMind with a memory.
 *
 * What it reports to the recorder: `malformed-reply` (an answer that stayed unreadable), `invalid-action` (an instruction or primitive action that
 * the world refuses), `fallback` (the world's fallback was taken in the place of a plan or instruction), `refused-call` (a function called with
 * unknown arguments), `call-limit` (all calls of a plan used up), `try-limit` (a plan given up because an instruction was tried too often), and
 * whatever the memory reports.
 *
 * What it records of each decision step, besides the turn with the primitive steps as frames: `plan`, `target`, `instruction`, `planned` (whether
 * the plan was made at this step), `calls` of functions, `verdict`, `tries`, and `beliefs` of the memory about what the step led to.
 *
 * @throws {UsageError} without a memory; {@linkcode z.ZodError} if an option is unknown or out of range.
 *
 * @example A door, passed
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createGraphMind } from "labyrinth/agent";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createNoMemory } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const seen = { goal: "open the red door", observation: "Red_Closed_Door", sections: {}, frames: [], score: 0, maxScore: 1 };
 * const world = {
 *   spec: { id: "door", version: "1", parameters: {}, sections: [], actions: [], fallback: "find_door()", identity: "0".repeat(64) },
 *   reset: async () => seen,
 *   step: async (action: string) => action === "pass_door(red door)" ? { ...seen, score: 1, end: "won" as const } : seen,
 *   validActions: async () => undefined,
 *   close: async () => {},
 * };
 * const model = scripted({ "graphmind/plan": ['{"subplan_target_entity": "red door", "subplans": ["pass_door(red door)"]}'] });
 * const { passes } = await createGraphMind({ memory: createNoMemory() }).run({
 *   world: async () => world,
 *   ask: createAsker({ model }),
 *   embedder: createLexicalEmbedder(),
 *   recorder: { step: async () => {}, event: () => {} },
 *   seed: 1,
 * });
 * assert.deepEqual(passes, [{ kind: "only", score: 1, maxScore: 1, steps: 1, end: "won" }]);
 * ```
 */
export function createGraphMind({ memory, ...options }: GraphMindOptions): Method {
  if (typeof memory !== "function") throw new UsageError("graphmind needs a memory: name one, such as room-graph, stacked or none");
  const setting = { ...graphmindOptions.parse(options), memory };
  return { id: "graphmind", run: (episode) => play(episode, setting) };
}

/** A plan under way. */
interface Course {
  readonly target: string;
  readonly instructions: readonly string[];
  /** How many of them are done. */
  done: number;
  /** How often the next one has been tried. */
  tries: number;
  /** What came of the last instruction tried, in one line. */
  outcome: string;
  /** Whether a new plan is wanted, with this one done or not. */
  over: boolean;
}

function play(episode: Episode, setting: GraphMindSetting & GraphMindOptions): Promise<Outcome> {
  return inWorld(episode, async (world) => {
    const { ask, recorder, signal } = episode;
    const { maxSteps, maxCalls, maxTries, reAsks, image } = setting;
    let step = 0;
    const report = (kind: string, detail: string): void => recorder.event({ pass: 0, step, kind, detail });
    const memory = setting.memory({ ask: ask.at({ pass: 0 }), embedder: episode.embedder, onEvent: report, signal });
    if (episode.artefact) memory.load(episode.artefact);
    const graph = memory.graph ? { graph: memory.graph } : {};
    const calls = world.spec.actions.filter(({ name }) => name.includes("("));
    const dsl = calls.map(({ name, description }) => `${name.replaceAll(/[{}]/g, "")}: ${description}`).join("\n");
    const names = calls.map(({ name }) => callOf(name));
    const previousPlans: string[] = [];
    let course: Course | undefined;

    let turn = await world.reset();
    await memory.observe(perceive(turn, 1));
    let recollection = await recall();
    await recorder.step({ pass: 0, step, turn, ...graph, details: beliefsOf(recollection) });

    while (!turn.end && step < maxSteps) {
      signal?.throwIfAborted();
      step += 1;
      const asked: Record<string, unknown>[] = [];
      const planned = course === undefined || course.over;
      if (planned) course = await plan(course, asked);
      const current = course as Course;
      const instruction = current.instructions[current.done] as string;
      const carried = await execute(instruction);
      turn = carried.turn;
      current.tries += 1;
      await memory.observe({ ...perceive(turn, step + 1), action: carried.action, ...(turn.frames.length > 0 ? { macro: true } : {}) });
      recollection = await recall();
      const verdict = turn.end ? undefined : await verify(current, instruction);
      await recorder.step({
        pass: 0,
        step,
        action: carried.action,
        turn,
        ...graph,
        details: {
          plan: current.instructions,
          target: current.target,
          instruction,
          planned,
          tries: current.tries,
          ...(asked.length > 0 ? { calls: asked } : {}),
          ...(verdict ? { verdict } : {}),
          ...(carried.instead ? { fallback: carried.instead } : {}),
          ...beliefsOf(recollection),
        },
      });
      if (verdict) revise(current, verdict);
    }
    const pass = { kind: "only" as const, score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end ?? "limit" };
    return { passes: [pass], artefact: memory.save() };

    function recall(): Promise<Recollection> {
      return memory.recall({ ...perceive(turn, step + 1), plan: course?.instructions.slice(course.done).join("\n") ?? "" });
    }

    async function plan(last: Course | undefined, asked: Record<string, unknown>[]): Promise<Course> {
      if (last) previousPlans.push(last.instructions.join(" "));
      const tools = toolsOf(recollection.tools ?? [], { most: maxCalls, report, asked });
      const answer = await ask.at({ pass: 0, step })(planPrompt, {
        goal: turn.goal,
        dsl,
        ...memorySection(recollection),
        inventory: turn.sections["inventory"] ?? "",
        lastPlan: last ? describePlan(last) : "",
        completion: last ? last.outcome : "",
        observation: describeView(turn),
      }, { parse: parsePlan(names), images: pictures(turn), reAsks, ...(tools ? { tools } : {}) });
      const begun = { done: 0, tries: 0, outcome: "", over: false };
      if (answer.kind === "ok") return { ...answer.value, ...begun };
      report("malformed-reply", `${planPrompt.role}: ${answer.problem}`);
      report("fallback", `${world.spec.fallback}, after malformed-reply`);
      return { target: "", instructions: [world.spec.fallback], ...begun };
    }

    function execute(instruction: string): ReturnType<typeof carryOutByWorld> {
      if (setting.actor === "heuristic") return carryOutByWorld(instruction, { world, turn, report });
      return carryOutByModel(instruction, {
        world,
        turn,
        report,
        ask: ask.at({ pass: 0, step }),
        ...memorySection(recollection),
        images: pictures(turn),
        reAsks,
        ...(signal ? { signal } : {}),
      });
    }

    /** A verdict that stays unreadable is one against the plan. */
    async function verify({ tries }: Course, instruction: string): Promise<Verdict> {
      const answer = await ask.at({ pass: 0, step })(completionPrompt, {
        dsl,
        ...memorySection(recollection),
        previousPlans: previousPlans.slice(-PREVIOUS_PLANS).join("\n"),
        lastPlan: instruction,
        repeats: String(tries),
        result: turn.sections["result"] ?? "",
        inventory: turn.sections["inventory"] ?? "",
        passedDoor: turn.sections["passed_door"] ?? "",
        observation: describeView(turn),
      }, { parse: parseVerdict, images: pictures(turn), reAsks });
      if (answer.kind === "ok") return answer.value;
      report("malformed-reply", `${completionPrompt.role}: ${answer.problem}`);
      return { complete: false, adjust: true };
    }

    /** Goes on to the next instruction, stays with this one, or ends the course. */
    function revise(course: Course, { complete, adjust }: Verdict): void {
      const instruction = course.instructions[course.done] as string;
      const result = turn.sections["result"] ?? "";
      course.outcome = `${instruction}: ${complete ? "completed" : `not completed${result === "" ? "" : ` (${result})`}`}`;
      if (complete) {
        course.done += 1;
        course.tries = 0;
      }
      const spent = course.tries >= maxTries;
      if (spent && !adjust) report("try-limit", `${instruction}: tried ${course.tries} times`);
      course.over = adjust || spent || course.done === course.instructions.length;
    }

    function pictures({ image: png }: Turn): Uint8Array[] {
      return image && png ? [png] : [];
    }
  });
}

/** Plans that the verifier is shown. */
const PREVIOUS_PLANS = 5;

function beliefsOf({ beliefs }: Recollection): Record<string, unknown> {
  return beliefs ? { beliefs } : {};
}

/** What a memory recalls as one text; nothing where it recalls nothing. */
function memorySection({ sections }: Recollection): { readonly memory?: string } {
  const parts = Object.entries(sections).map(([title, text]) => `${title}:\n${text === "" ? "(none)" : text}`);
  return parts.length > 0 ? { memory: parts.join("\n\n") } : {};
}

function describePlan({ target, instructions }: Course): string {
  return [...(target === "" ? [] : [`Target: ${target}`]), ...instructions].join("\n");
}

/** The memory's functions as the model calls them; each call is noted in `asked`. */
function toolsOf(
  tools: readonly MemoryTool[],
  { most, report, asked }: {
    readonly most: number;
    readonly report: (kind: string, detail: string) => void;
    readonly asked: Record<string, unknown>[];
  },
): AskTools | undefined {
  if (tools.length === 0) return undefined;
  const names = tools.map(({ spec }) => spec.name).join(", ");

  function call({ name, arguments: text }: ToolCall): string {
    const tool = tools.find(({ spec }) => spec.name === name);
    const args = jsonOf(text);
    const answer = tool
      ? tool.call(args)
      : { kind: "refused" as const, text: `There is no function ${name.slice(0, 64)}; there are ${names}.` };
    asked.push({ name: name.slice(0, 64), arguments: text.slice(0, 200), kind: answer.kind });
    if (answer.kind === "refused") report("refused-call", `${name.slice(0, 64)} ${JSON.stringify(text.slice(0, 100))}`);
    return answer.text;
  }

  return {
    specs: tools.map(({ spec }) => spec),
    call,
    most,
    onSpent: () => report("call-limit", `${most} calls before one plan`),
  };
}

/** What the text says as JSON; the text itself where it says nothing. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
