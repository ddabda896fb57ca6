/**
 * The methods that can be named on the command line and in a study.
 *
 * @module
 */

import type { Prompt } from "../llm/prompt.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import { checkOptions } from "../text/registry.ts";
import type { Schema } from "../text/json.ts";
import { actPrompts, createAct, createReact, createSaycan, reactPrompts, saycanOptions, saycanPrompts } from "./act.ts";
import { type AnswerOptions, answerOptions, answerPrompts, createAnswer } from "./answer.ts";
import { type AriadneOptions, ariadneOptions } from "./ariadne-options.ts";
import { ariadnePrompts, createAriadne } from "./ariadne.ts";
import { type GraphMindOptions, graphmindOptions } from "./graphmind-options.ts";
import { createGraphMind, graphmindPrompts } from "./graphmind.ts";
import { cotOptions, cotPrompts, createCot } from "./cot.ts";
import type { Method } from "./method.ts";
import { createNetPlay, type NetPlayOptions, netplayOptions, netplayPrompts } from "./netplay.ts";
import { createRandomWalk, type RandomWalkOptions, randomWalkOptions } from "./random-walk.ts";
import { createRandom, randomOptions } from "./random.ts";
import { reasonPlannerOptions } from "./reasonplanner-options.ts";
import { createReasonPlanner, reasonPlannerPrompts } from "./reasonplanner.ts";
import { textAgentOptions } from "./text-agent-options.ts";
import { examplesHash } from "./examples.ts";
import { createReactReflexion, reactReflexionOptions, reactReflexionPrompts } from "./react-reflexion.ts";
import { createReflexion, type ReflexionOptions, reflexionOptions, reflexionPrompts } from "./reflexion.ts";
import { createSese, createWese, sesePromptList, weseOptions, wesePromptList } from "./wese.ts";

/** A method by its id. */
export interface MethodEntry {
  /** How it works, in one line without a full stop; lists show it. */
  readonly description: string;
  /** Raised when what it does changes: with id, options and prompts it is its part of an episode's identity. */
  readonly version: string;
  /** What its options may be, but for the memory; reading them fills in the defaults. */
  readonly options: Schema<Record<string, unknown>>;
  /** Its prompts, without its memory's: their hash is part of an episode's identity. */
  readonly prompts: readonly Prompt[];
  /** Whether it works with a memory of the user's choice. */
  readonly takesMemory: boolean;
  /**
   * Makes the method; absent options take their defaults. @throws {UsageError} if one is unknown or out of range, or a memory is missing.
   */
  create(options: Readonly<Record<string, unknown>> & { readonly memory?: MemoryFactory }): Method;
}

/** All methods by id. */
export const METHODS: Readonly<Record<string, MethodEntry>> = {
  act: {
    description: "the next action from task, examples and history (Act)",
    get version() {
      return textAgentVersion();
    },
    options: textAgentOptions,
    prompts: actPrompts,
    takesMemory: false,
    create: (options) => createAct(checkOptions("the method act", textAgentOptions, options)),
  },
  answer: {
    description: "read every paragraph of a question, recall, answer by a chain of thought, with a memory",
    version: "1",
    options: answerOptions,
    prompts: answerPrompts,
    takesMemory: true,
    create: ({ memory, ...options }) =>
      createAnswer({ ...checkOptions("the method answer", answerOptions, options), memory } as AnswerOptions),
  },
  ariadne: {
    description: "observe, recall, plan, act, with a memory (Ariadne)",
    version: "1",
    options: ariadneOptions,
    prompts: ariadnePrompts,
    takesMemory: true,
    create: ({ memory, ...options }) =>
      createAriadne({ ...checkOptions("the method ariadne", ariadneOptions, options), memory } as AriadneOptions),
  },
  graphmind: {
    description: "plan in instructions, execute, verify, revise, with a memory that is asked by functions (GraphMind)",
    version: "1",
    options: graphmindOptions,
    prompts: graphmindPrompts,
    takesMemory: true,
    create: ({ memory, ...options }) =>
      createGraphMind({ ...checkOptions("the method graphmind", graphmindOptions, options), memory } as GraphMindOptions),
  },
  cot: {
    description: "one chain of thought over the paragraphs that a question needs (CoT)",
    get version() {
      return textAgentVersion();
    },
    options: cotOptions,
    prompts: cotPrompts,
    takesMemory: false,
    create: (options) => createCot(checkOptions("the method cot", cotOptions, options)),
  },
  netplay: {
    description: "the next skill from what is seen and a short history (NetPlay)",
    version: "1",
    options: netplayOptions,
    prompts: netplayPrompts,
    takesMemory: false,
    create: (options) => createNetPlay(checkOptions("the method netplay", netplayOptions, options) as NetPlayOptions),
  },
  random: {
    description: "a random possible action at every step: the floor",
    version: "1",
    options: randomOptions,
    prompts: [],
    takesMemory: false,
    create: (options) => createRandom(checkOptions("the method random", randomOptions, options)),
  },
  "random-walk": {
    description: "random possible actions before the eyes of a memory: how its graph grows",
    version: "1",
    options: randomWalkOptions,
    prompts: [],
    takesMemory: true,
    create: ({ memory, ...options }) =>
      createRandomWalk({ ...checkOptions("the method random-walk", randomWalkOptions, options), memory } as RandomWalkOptions),
  },
  react: {
    description: "the next thought or action from task, examples and history (ReAct)",
    get version() {
      return textAgentVersion();
    },
    options: textAgentOptions,
    prompts: reactPrompts,
    takesMemory: false,
    create: (options) => createReact(checkOptions("the method react", textAgentOptions, options)),
  },
  "react-reflexion": {
    description: "ReAct over several trials, with the lesson of each failed trial in the next (Reflexion)",
    get version() {
      return textAgentVersion();
    },
    options: reactReflexionOptions,
    prompts: reactReflexionPrompts,
    takesMemory: false,
    create: (options) => createReactReflexion(checkOptions("the method react-reflexion", reactReflexionOptions, options)),
  },
  reasonplanner: {
    description: "plan ahead with a temporal knowledge graph as world model, act, criticise, plan anew (ReasonPlanner)",
    version: "1",
    options: reasonPlannerOptions,
    prompts: reasonPlannerPrompts,
    takesMemory: false,
    create: (options) => createReasonPlanner(checkOptions("the method reasonplanner", reasonPlannerOptions, options)),
  },
  reflexion: {
    description: "Ariadne over several trials, with the lesson of each failed trial in the next, with a memory (Reflexion)",
    version: "1",
    options: reflexionOptions,
    prompts: reflexionPrompts,
    takesMemory: true,
    create: ({ memory, ...options }) =>
      createReflexion({ ...checkOptions("the method reflexion", reflexionOptions, options), memory } as ReflexionOptions),
  },
  saycan: {
    description: "several candidates for the next action, matched with the possible ones by an embedder (SayCan)",
    get version() {
      return textAgentVersion();
    },
    options: saycanOptions,
    prompts: saycanPrompts,
    takesMemory: false,
    create: (options) => createSaycan(checkOptions("the method saycan", saycanOptions, options)),
  },
  sese: {
    description: "strong exploration, a graph of it, then strong exploitation in a fresh world (SESE)",
    get version() {
      return textAgentVersion(2);
    },
    options: weseOptions,
    prompts: sesePromptList,
    takesMemory: false,
    create: (options) => createSese(checkOptions("the method sese", weseOptions, options)),
  },
  wese: {
    description: "weak exploration, a graph of it, then strong exploitation in a fresh world (WESE)",
    get version() {
      return textAgentVersion(2);
    },
    options: weseOptions,
    prompts: wesePromptList,
    takesMemory: false,
    create: (options) => createWese(checkOptions("the method wese", weseOptions, options)),
  },
};

/** Of a text agent: its own, and that of the examples that it shows. */
function textAgentVersion(own = 1): string {
  return `${own} (examples ${examplesHash()})`;
}
