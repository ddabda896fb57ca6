/**
 * Reading the options of the methods that work with a memory.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import type { Schema } from "../text/json.ts";
import { checkOptions } from "../text/registry.ts";

/**
 * The options of a method as its schema reads them, and its memory.
 *
 * @param examples Memories that the message names where none is given.
 * @throws {UsageError} without a memory, or if an option is unknown or out of range.
 */
export function optionsWithMemory<T extends object>(
  method: string,
  schema: Schema<T>,
  { memory, ...options }: { readonly memory: MemoryFactory },
  examples: string,
): T & { readonly memory: MemoryFactory } {
  if (typeof memory !== "function") throw new UsageError(`${method} needs a memory: name one, such as ${examples}`);
  return { ...checkOptions(`the method ${method}`, schema, options), memory };
}
