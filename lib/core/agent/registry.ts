import { type Registry, registryOf } from "../text/registry.ts";
import type { MethodEntry } from "./method.ts";
import * as list from "./method-list.ts";

/**
 * All methods by id.
 *
 * @example
 * ```ts
 * import { METHODS } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const settings: object = { maxSteps: 0 }; // as read from a file
 * assert.throws(() => METHODS["act"]!.create(settings), /act cannot take these options: maxSteps/);
 * ```
 */
export const METHODS: Registry<MethodEntry> = registryOf<MethodEntry>(list);
