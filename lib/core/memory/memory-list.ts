/** The memories that a study can name, one line each, in alphabetical order. */
export { createAMem as aMem } from "./others/a-mem.ts";
export { createAriGraph as arigraph } from "./arigraph.ts";
export { createFullHistory as fullHistory } from "./full-history.ts";
export { createGraphiti as graphiti } from "./others/graphiti.ts";
export { createGraphRag as graphrag } from "./others/graphrag.ts";
export { createHippoRag as hipporag } from "./others/hipporag.ts";
export { createMem0 as mem0 } from "./others/mem0.ts";
export { createMemGpt as memGpt } from "./others/memgpt.ts";
export { createNoMemory as none } from "./none.ts";
export { createPassages as passages } from "./passages.ts";
export { createPlainNotes as plainNotes } from "./plain-notes.ts";
export { createRag as rag } from "./rag.ts";
export { createRoomGraph as roomGraph } from "./room-graph.ts";
export { createSimulacra as simulacra } from "./simulacra.ts";
export { createStacked as stacked } from "./stacked.ts";
export { createSummary as summary } from "./summary.ts";
