/** The memories that a study can name, one line each, in alphabetical order. */
export { arigraph } from "./arigraph.ts";
export { fullHistory } from "./full-history.ts";
export { graphiti } from "./graphiti.ts";
export { hipporag } from "./hipporag.ts";
export { none } from "./none.ts";
export { passages } from "./passages.ts";
export { rag } from "./rag.ts";
export { roomGraph } from "./room-graph.ts";
export { simulacra } from "./simulacra.ts";
export { stacked } from "./stacked.ts";
export { summary } from "./summary.ts";
