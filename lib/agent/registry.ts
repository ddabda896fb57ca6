/**
 * The methods that a study can name: one line each.
 *
 * @module
 */

import { type Registry, registryOf } from "../text/registry.ts";
import { act, react, saycan } from "./act.ts";
import { answer } from "./answer.ts";
import { ariadne } from "./ariadne.ts";
import { cot } from "./cot.ts";
import { graphmind } from "./graphmind.ts";
import type { MethodEntry } from "./method.ts";
import { netplay } from "./netplay.ts";
import { random, randomWalk } from "./random.ts";
import { reactReflexion, reflexion } from "./reflexion.ts";
import { reasonplanner } from "./reasonplanner.ts";
import { sese, wese } from "./wese.ts";

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
export const METHODS: Registry<MethodEntry> = registryOf<MethodEntry>([
  act,
  answer,
  ariadne,
  graphmind,
  cot,
  netplay,
  random,
  randomWalk,
  react,
  reactReflexion,
  reasonplanner,
  reflexion,
  saycan,
  sese,
  wese,
]);
