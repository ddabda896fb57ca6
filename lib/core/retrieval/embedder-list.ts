/** The embedders that a study can name, one line each, in alphabetical order. */
export { lexical } from "./lexical.ts";
export { hub } from "./hub.ts";
export { openai } from "./openai.ts";
export { minilm, transformers } from "./transformers.ts";
