/**
 * From what a model wrote to an action that the world knows (SwiftSage's evaluation, which ReasonPlanner's baselines are run by).
 *
 * @module
 */

import type { Embedder } from "../retrieval/embedder.ts";
import { matchAction } from "./match-action.ts";

/**
 * The first of the wanted actions that is possible; else the possible one that shares the most words with the first wanted one, of equal ones
 * that with the fewest other words, then the first. `undefined` where none shares a word.
 *
 * @param wanted what a model wrote, best first; at least one
 * @param possible in the world's own order
 *
 * @example
 * ```ts
 * import { groundByWords } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const possible = ["look around", "open door to kitchen", "open cupboard", "pick up thermometer"];
 * assert.equal(groundByWords(["grab the thermometer", "open cupboard"], possible), "open cupboard");
 * assert.equal(groundByWords(["open the kitchen door"], possible), "open door to kitchen");
 * assert.equal(groundByWords(["fly"], possible), undefined);
 * ```
 */
export function groundByWords(wanted: readonly string[], possible: readonly string[]): string | undefined {
  const exact = exactly(wanted, possible);
  if (exact !== undefined) return exact;
  const words = wordsOf(wanted[0] ?? "");
  let best: { readonly action: string; readonly shared: number; readonly other: number } | undefined;
  for (const action of possible) {
    const own = wordsOf(action);
    const shared = [...own].filter((word) => words.has(word)).length;
    const other = own.size - shared;
    if (shared > (best?.shared ?? 0) || (best && shared === best.shared && other < best.other)) best = { action, shared, other };
  }
  return best?.action;
}

/**
 * The first of the wanted actions that is possible; else the possible one with the greatest sum of cosines to all wanted ones, of equal ones
 * the first (SayCan with candidates). `undefined` where nothing is possible.
 *
 * @param wanted what a model wrote, best first; at least one
 *
 * @example
 * ```ts
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { groundByEmbedding } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const possible = ["look around", "open door to kitchen", "pick up thermometer"];
 * const action = await groundByEmbedding(["take thermometer", "grab a thermometer"], possible, createLexicalEmbedder());
 * assert.equal(action, "pick up thermometer");
 * ```
 */
export async function groundByEmbedding(
  wanted: readonly string[],
  possible: readonly string[],
  embedder: Embedder,
): Promise<string | undefined> {
  const exact = exactly(wanted, possible);
  if (exact !== undefined) return exact;
  const vectors = await embedder.embed([...wanted, ...possible]);
  const targets = vectors.slice(0, wanted.length);
  let best: { readonly action: string; readonly sum: number } | undefined;
  for (const [i, action] of possible.entries()) {
    const vector = vectors[wanted.length + i] as Float32Array;
    const sum = targets.reduce((total, target) => total + cosine(target, vector), 0);
    if (!best || sum > best.sum) best = { action, sum };
  }
  return best?.action;
}

function exactly(wanted: readonly string[], possible: readonly string[]): string | undefined {
  for (const text of wanted) {
    const found = matchAction(text, possible);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB);
}

/** What `swiftsageActions` goes by. */
export interface ActionScene {
  /** The last actions taken, oldest first. */
  readonly recent: readonly string[];
  /** What is seen and carried now, as text. */
  readonly seen: string;
}

/**
 * The possible actions of ScienceWorld that SwiftSage's evaluation grounds to: doors are only opened, to any room; nothing is focused on that
 * is not seen, nor the agent, the air or a room; none of the last three actions is taken again.
 *
 * @example
 * ```ts
 * import { swiftsageActions } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const possible = ["close door to hallway", "focus on agent", "focus on banana", "focus on kettle", "look around"];
 * const kept = swiftsageActions(possible, { recent: ["look around"], seen: "On the table is a banana." });
 * assert.deepEqual(kept.slice(0, 2), ["focus on banana", "open door to kitchen"]);
 * ```
 */
export function swiftsageActions(possible: readonly string[], { recent, seen }: ActionScene): string[] {
  const barred = new Set([...recent.slice(-3), ...["agent", "air", ...ROOMS].map((thing) => `focus on ${thing}`)]);
  const visible = new Set(seen.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const all = new Set([...possible, ...ROOMS.map((room) => `open door to ${room}`)]);
  return [...all].filter((action) => {
    if (barred.has(action) || (/\bdoor\b/.test(action) && !action.startsWith("open "))) return false;
    if (!action.startsWith("focus on ")) return true;
    const words = action.slice("focus on ".length).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return words.every((word) => word === "in" || word === "to" || visible.has(word));
  });
}

/** ScienceWorld's ten places. */
const ROOMS = [
  "kitchen",
  "foundry",
  "workshop",
  "bathroom",
  "outside",
  "living room",
  "bedroom",
  "greenhouse",
  "art studio",
  "hallway",
] as const;
