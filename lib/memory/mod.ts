/**
 * Memories: what an agent keeps of what it saw. A new one is one file and one line in the registry below.
 *
 * @module
 */
export * from "./memory.ts";
export * from "./observation.ts";
export * from "./navigator.ts";
export * from "./arigraph.ts";
export * from "./arigraph.prompts.ts";
export * from "./full-history.ts";
export * from "./options.ts";
export * from "./registry.ts";
