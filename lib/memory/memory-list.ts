/** The memories that a study can name, one line each, in alphabetical order. */
export { aMem } from "./a-mem.ts";
export { arigraph } from "./arigraph.ts";
export { fullHistory } from "./full-history.ts";
export { graphiti } from "./graphiti.ts";
export { hipporag } from "./hipporag.ts";
export { mem0 } from "./mem0.ts";
export { memGpt } from "./memgpt.ts";
export { none } from "./none.ts";
export { passages } from "./passages.ts";
export { plainNotes } from "./plain-notes.ts";
export { rag } from "./rag.ts";
export { roomGraph } from "./room-graph.ts";
export { simulacra } from "./simulacra.ts";
export { stacked } from "./stacked.ts";
export { summary } from "./summary.ts";
