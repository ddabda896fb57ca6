/** The registry of methods. */

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
 * assert.throws(() => METHODS["act"]!.create({ maxSteps: 0 }), /act cannot take these options: maxSteps/);
 * ```
 */
export const METHODS: Registry<MethodEntry> = registryOf<MethodEntry>(list);
