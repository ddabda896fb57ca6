/**
 * Methods: whole ways of working in a world. A new one is one file and one line in
 * `method-list.ts`.
 *
 * @module
 */
export { createAct, createReact, createSaycan, type SaycanOptions } from "./act.ts";
export {
  type AnswerOptions,
  type CotOptions,
  createAnswer,
  createConverse,
  createCot,
} from "./answer.ts";
export { createAriadne } from "./ariadne.ts";
export { ARIADNE_PAPER, type AriadneOptions } from "./ariadne-options.ts";
export { createGoldWalk } from "./gold-walk.ts";
export { createGraphMind } from "./graphmind.ts";
export { type GraphMindOptions } from "./graphmind-options.ts";
export * from "./method.ts";
export { createNetPlay, NETPLAY_PAPER, type NetPlayOptions } from "./netplay.ts";
export { createRandom, type RandomOptions } from "./random.ts";
export {
  createReactReflexion,
  createReflexion,
  type ReactReflexionOptions,
  REFLEXION_PAPER,
  type ReflexionOptions,
  type TrialLimits,
} from "./reflexion.ts";
export { REASONPLANNER_PAPER, type ReasonPlannerOptions } from "./reasonplanner-options.ts";
export { createReasonPlanner } from "./reasonplanner.ts";
export { METHODS } from "./registry.ts";
export { SWIFTSAGE_RULES, type TextAgentOptions } from "./text-agent-options.ts";
export { type LoopOptions } from "./rollout.ts";
export { createWese, WESE_PAPER, type WeseOptions } from "./wese.ts";
export { examplesFor } from "./examples.ts";
export { type Move, parseMove, type TextPrompt, textPrompt } from "./text-agent.prompts.ts";
export { formatEntry, type HistoryEntry } from "./text-history.ts";
export {
  ENOUGH,
  KNOWLEDGE_TITLE,
  parseEntities,
  parseExtracted,
  type WesePrompts,
  wesePrompts,
} from "./wese.prompts.ts";
export { answerPrompt, parseAnswer } from "./answer.prompts.ts";
export { type AriadnePrompts, ariadnePrompts } from "./ariadne.prompts.ts";
export { actForm, formatPlan, parseAct, parsePlan, type Plan } from "./ariadne-replies.ts";
export { formLine, matchAction } from "./ground-action.ts";
/** The prompts of ReasonPlanner and their parsers. */
export * as reasonPlannerPrompts from "./reasonplanner.prompts.ts";
/** How ReasonPlanner shows a trajectory in prompts. */
export * as reasonPlannerTrajectory from "./reasonplanner-trajectory.ts";
export { GRAPHMIND_PROMPTS } from "./graphmind.prompts.ts";
export { parsePlan as parseInstructions, parseVerdict } from "./graphmind-replies.ts";
export { toolsOf } from "./memory-tools.ts";
export type { AriadneSection, Offered } from "./ariadne.prompts.ts";
export type { Example } from "./examples.ts";
export type { CompletionSection, ExecuteSection, PlanSection } from "./graphmind.prompts.ts";
export type { InstructionPlan, Verdict } from "./graphmind-replies.ts";
export type { ToolOptions } from "./memory-tools.ts";
export type { TextAgentSection, TextPromptOptions } from "./text-agent.prompts.ts";
