/** @module */
export * from "./asker.ts";
export * from "./chat-model.ts";
export * from "./prompt.ts";
