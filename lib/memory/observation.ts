/**
 * How an observation is written in prompts, memories and histories.
 *
 * @module
 */

/** What is written. */
export interface Observed {
  /** Agent step, from 1. */
  readonly step: number;
  /** Text as the world gives it; white space at its ends is dropped. */
  readonly observation: string;
  /** What the agent carries; left out where the world does not tell. */
  readonly inventory?: string;
  /** The action that led here; shown in histories only. */
  readonly action?: string;
}

/**
 * `Game step #n`, the observation, the inventory where the world tells it and, where given, the action that led there.
 *
 * @example
 * ```ts
 * import { formatObservation } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.equal(
 *   formatObservation({ step: 2, observation: "You take the key.", inventory: "You are carrying: a key.", action: "take key" }),
 *   "Game step #2\nYou take the key.\nInventory: You are carrying: a key.\nAction that led to this observation: take key",
 * );
 * ```
 */
export function formatObservation({ step, observation, inventory, action }: Observed): string {
  const lines = [`Game step #${step}`, observation.trim()];
  if (inventory !== undefined) lines.push(`Inventory: ${inventory.trim()}`);
  if (action !== undefined) lines.push(`Action that led to this observation: ${action}`);
  return lines.join("\n");
}
