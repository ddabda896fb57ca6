/**
 * The laboratory: studies as data, the runner, the recorder, statistics.
 *
 * @module
 */
export * from "./identity.ts";
export * from "./lab.ts";
export * from "./models.ts";
export * from "./offline.ts";
export * from "./plan.ts";
export * from "./ports.ts";
export * from "./progress.ts";
export * from "./recorded-graph.ts";
export * from "./recorder.ts";
export * from "./runner.ts";
export * from "./statistics.ts";
export * from "./estimate.ts";
export * from "./studies/mod.ts";
export * from "./study.ts";
