/**
 * Tables, figures and files out of the record of truth.
 *
 * @module
 */

export * from "./arigraph.ts";
export * from "./export.ts";
export * from "./figure.ts";
export * from "./figures/graph-growth.ts";
export * from "./figures/memory-graph.ts";
export * from "./figures/score-steps.ts";
export * from "./figures/scores.ts";
export * from "./frame.ts";
export * from "./names.ts";
export * from "./paper.ts";
export * from "./summary.ts";
export * from "./table.ts";
export * from "./tables/textworld-scores.ts";
