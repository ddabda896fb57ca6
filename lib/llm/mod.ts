/** @module */
export * from "./asker.ts";
export * from "./chat-model.ts";
export * from "./prompt.ts";
export * from "./roles.ts";
export * from "./scripted.ts";
