/**
 * Methods: whole ways of working in a world. A new one is one file and one line in the registry below.
 *
 * @module
 */
export { createGoldWalk } from "./gold-walk.ts";
export * from "./method.ts";
export { createAct, createReact, createSaycan, type SaycanOptions } from "./act.ts";
export { type AnswerOptions, createAnswer } from "./answer.ts";
export * from "./answer.prompts.ts";
export { ARIADNE_PAPER, type AriadneOptions } from "./ariadne-options.ts";
export { ariadnePrompts, createAriadne } from "./ariadne.ts";
export { type CotOptions, createCot } from "./cot.ts";
export * from "./ground-action.ts";
export { type GraphMindOptions } from "./graphmind-options.ts";
export { createGraphMind, graphmindPrompts } from "./graphmind.ts";
export * from "./match-action.ts";
export { type FilledForm, fillForm } from "./action-forms.ts";
export { createNetPlay, NETPLAY_PAPER, type NetPlayOptions } from "./netplay.ts";
export { createReactReflexion, type ReactReflexionOptions } from "./react-reflexion.ts";
export { createRandomWalk, type RandomWalkOptions } from "./random-walk.ts";
export { createReflexion, type ReflexionOptions, reflexionPrompts } from "./reflexion.ts";
export { createRandom, type RandomOptions } from "./random.ts";
export { REASONPLANNER_PAPER, type ReasonPlannerOptions } from "./reasonplanner-options.ts";
export { createReasonPlanner, reasonPlannerPrompts } from "./reasonplanner.ts";
export * from "./registry.ts";
export { SWIFTSAGE_RULES, type TextAgentOptions } from "./text-agent-options.ts";
export { type Move, parseMove, TEXT_AGENT_SECTIONS, type TextAgentSection } from "./text-agent.prompts.ts";
export * from "./text-history.ts";
export { REFLEXION_PAPER, type TrialLimits } from "./trials.ts";
export { createSese, createWese, WESE_PAPER, type WeseOptions } from "./wese.ts";
