/**
 * From what a model wrote to an action that the world knows (SwiftSage's evaluation, which ReasonPlanner's baselines are run by).
 *
 * @module
 */

import type { Embedder } from "../retrieval/embedder.ts";

/**
 * The possible action that is written as wanted; else the first that is the same but for case, white space, quotation marks and final dots.
 * Nothing more is guessed: an action that means something else would be worse than none.
 */
export function matchAction(wanted: string, possible: readonly string[]): string | undefined {
  if (possible.includes(wanted)) return wanted;
  const bare = bareOf(wanted);
  return possible.find((action) => bareOf(action) === bare);
}

function bareOf(action: string): string {
  return action.toLowerCase().replace(/[\s"'`’.]+/g, " ").trim();
}

/**
 * The first of the wanted actions that is possible; else the possible one that shares the most words with the first wanted one, of equal ones
 * that with the fewest other words, then the first. `undefined` where none shares a word.
 *
 * @param wanted what a model wrote, best first; at least one
 * @param possible in the world's own order
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

function wordsOf(text: string): ReadonlySet<string> {
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

/** What `swiftsageActions` depends on. */
export interface ActionScene {
  /** The last actions taken, oldest first. */
  readonly recent: readonly string[];
  /** What is seen and carried now, as text. */
  readonly seen: string;
}

/**
 * The possible actions of ScienceWorld that SwiftSage's evaluation grounds to: doors are only opened, to any room; nothing is focused on that
 * is not seen, nor the agent, the air or a room; none of the last three actions is taken again.
 */
export function swiftsageActions(possible: readonly string[], { recent, seen }: ActionScene): string[] {
  const barred = new Set([...recent.slice(-3), ...["agent", "air", ...ROOMS].map((thing) => `focus on ${thing}`)]);
  const visible = wordsOf(seen);
  const all = new Set([...possible, ...ROOMS.map((room) => `open door to ${room}`)]);
  return [...all].filter((action) => {
    if (barred.has(action) || (/\bdoor\b/.test(action) && !action.startsWith("open "))) return false;
    if (!action.startsWith("focus on ")) return true;
    return [...wordsOf(action.slice("focus on ".length))].every((word) => word === "in" || word === "to" || visible.has(word));
  });
}

/** ScienceWorld's ten places. */
const ROOMS = ["kitchen", "foundry", "workshop", "bathroom", "outside", "living room", "bedroom", "greenhouse", "art studio", "hallway"];
