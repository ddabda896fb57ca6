/** @module */
export * from "./asker.ts";
export * from "./budget.ts";
export * from "./cache.ts";
export * from "./chat-model.ts";
export * from "./limit.ts";
export * from "./meter.ts";
export * from "./openai.ts";
export * from "./prices.ts";
export * from "./prompt.ts";
export * from "./providers.ts";
export * from "./retry.ts";
export * from "./roles.ts";
export * from "./scripted.ts";
export * from "./stack.ts";
