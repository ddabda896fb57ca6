/**
 * Language models: the `ChatModel` port, prompts and askers, providers and role maps.
 *
 * @module
 */
export { type Answer, type Asker, type AskOptions, createAsker } from "./asker.ts";
export type { Breaker } from "./breaker.ts";
export * from "./chat-model.ts";
export type { LimitOptions } from "./limit.ts";
export type { Limiter } from "../semaphore.ts";
export type { EndpointOptions } from "./endpoint-connection.ts";
export { createOpenAIModel, type OpenAIOptions } from "./openai.ts";
export type { EndpointStyle } from "./openai-completion.ts";
export { type ListedPrice, listPrices, type Price } from "./prices.ts";
export { type Prompt, type PromptOverrides, type PromptValues, renderPrompt } from "./prompt.ts";
export type { Refusals } from "./refusals.ts";
export type { Provider, ProviderContext, ServedModel } from "./provider.ts";
export { localProvider, registerProvider } from "./providers.ts";
export { type Attempt, type RetryOptions } from "./retry.ts";
export { parseRoleMap } from "./role-map.ts";
export { type Endpoint, type Maker, type ModelBinding, ROLE_MAPS, type RoleMap } from "./roles.ts";
export * from "./scripted.ts";
export type { AskTools } from "./tool-calls.ts";
