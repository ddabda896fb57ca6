/**
 * The memory benchmark: any memory on one planner, in worlds that know the truth at every step, by the protocol `labyrinth-memory v1`.
 *
 * @module
 */
import "../offline/mod.ts"; // the protocol's readers

export type { BenchCard } from "./card.ts";
export { type Bench, type BenchOptions, type BenchPlan, type BenchStudy, planBench } from "./plan.ts";
export { playBench } from "./play.ts";
export { type BenchWorld, PROTOCOL_HASH, type SeedRanges } from "./protocol.ts";
export { benchResult, verifyResult } from "./result.ts";
