/** Observations as the text that prompts, memories and histories show. */

import type { Cue, Perception } from "./memory.ts";

/** An observation as it is shown. */
export interface Observed {
  /** Agent step, from 1. */
  readonly step: number;
  /** The observation as the world words it; white space at its ends is dropped. */
  readonly observation: string;
  /** The inventory; absent where the world does not tell. */
  readonly inventory?: string;
  /** The action that led here; only histories show it. */
  readonly action?: string;
}

/**
 * `Game step #n`, the observation and, where given, the inventory and the action that led there.
 *
 * @example
 * ```ts
 * import { formatObservation } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const text = formatObservation({ step: 3, observation: "You are in a hall.\n", inventory: "a key" });
 * assert.equal(text, "Game step #3\nYou are in a hall.\nInventory: a key");
 * ```
 */
export function formatObservation({ step, observation, inventory, action }: Observed): string {
  const lines = [`Game step #${step}`, observation.trim()];
  if (inventory !== undefined) lines.push(`Inventory: ${inventory.trim()}`);
  if (action !== undefined) lines.push(`Action that led to this observation: ${action}`);
  return lines.join("\n");
}

/**
 * A past observation as histories show it in the authors' order: with the action that was taken
 * after it.
 */
export function withActionTaken(observation: string, action: string): string {
  return `${observation}\nAction taken: ${action}`;
}

export function formatCue({ step, observation, inventory, plan }: Cue): string {
  return withPlan(formatObservation({ step, observation, inventory }), plan);
}

export function withPlan(observation: string, plan: string): string {
  return plan === "" ? observation : `${observation}\nPlan: ${plan}`;
}

export function splitObservations(text: string): string[] {
  return text.split(/\n\n(?=Game step #\d+\n)/);
}

/**
 * The layout of prompts: `cacheable` puts what stays the same first, `paper` follows the authors.
 */
export type PromptOrder = "cacheable" | "paper";

/** The default number of observations by which a window moves: one in the paper's order. */
export function slideOf(order: PromptOrder, nPrev: number): number {
  return order === "paper" ? 1 : Math.max(1, nPrev);
}

/**
 * The last observations, as prompts show them, `nPrev` at least. With `slide` above 1 they grow to
 * nPrev + slide − 1 before the oldest `slide` are dropped, so that prompts in between repeat the
 * earlier text.
 */
export class ObservationWindow {
  readonly #nPrev: number;
  readonly #slide: number;
  readonly #texts: string[] = [];

  /** @param options `nPrev` ≥ 0 and `slide` ≥ 1, in observations */
  constructor({ nPrev, slide }: { readonly nPrev: number; readonly slide: number }) {
    this.#nPrev = nPrev;
    this.#slide = slide;
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  get surplus(): number {
    return Math.max(0, this.#texts.length - this.#nPrev);
  }

  add(text: string): void {
    this.#texts.push(text);
    if (this.#texts.length >= this.#nPrev + this.#slide) this.#texts.splice(0, this.#slide);
  }
}

/**
 * The observations of a chain as texts, oldest first: those of earlier episodes, then those of the
 * present one.
 */
export class ObservationLog {
  #earlier: readonly string[] = [];
  readonly #entries: { readonly step: number; readonly text: string }[] = [];

  add(perception: Perception): void {
    this.#entries.push({ step: perception.step, text: formatObservation(perception) });
  }

  before(step: number): string[] {
    return [
      ...this.#earlier,
      ...this.#entries.filter((entry) => entry.step < step).map(({ text }) => text),
    ];
  }

  load(texts: readonly string[]): void {
    this.#earlier = texts;
    this.#entries.length = 0;
  }
}
