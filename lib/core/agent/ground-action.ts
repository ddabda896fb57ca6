/**
 * From what a model wrote to an action of the world: by the forms of action, or by the possible
 * actions (SwiftSage's evaluation, for ReasonPlanner's baselines).
 */

import type { ActionSpec } from "../env/environment.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { nearestName } from "../text/did-you-mean.ts";
import { mend } from "../text/reading-rules.ts";
import { leaveOut } from "../text/reply-text.ts";

/**
 * The possible action that equals the wanted one; else the first that differs only in case, white
 * space, quotation marks and final stops; else the only one that differs only in articles and list
 * marks. Nothing more is guessed.
 *
 * @example
 * ```ts
 * import { matchAction } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(matchAction("Take the key.", ["take key", "open door"]), "take key");
 * assert.equal(matchAction("grab key", ["take key", "open door"]), undefined);
 * ```
 */
export function matchAction(wanted: string, possible: readonly string[]): string | undefined {
  if (possible.includes(wanted)) return wanted;
  const bare = bareOf(wanted);
  const same = possible.find((action) => bareOf(action) === bare);
  if (same !== undefined) return same;
  const plain = plainOf(mend("entry", wanted));
  const [only, ...others] = possible.filter((action) => plainOf(action) === plain);
  return others.length === 0 && plain !== "" ? only : undefined;
}

/**
 * Whether an action has no capitals, articles, quotation marks or stops, so `matchAction` adds
 * nothing.
 */
export function isBare(action: string): boolean {
  return plainOf(mend("entry", action)) === action;
}

function bareOf(action: string): string {
  return action.toLowerCase().replaceAll(/[\s"'`’“”.]+/g, " ").replace(/[\s,;:!]+$/, "").trim();
}

function plainOf(action: string): string {
  return bareOf(action).replaceAll(/\b(?:the|an?)\b/g, "").replaceAll(/\s+/g, " ").trim();
}

/**
 * The first wanted action that is possible; else the possible one that shares most words with the
 * first wanted one; ties go to the one with fewest other words, then the first. `undefined` if none
 * shares a word.
 * @param wanted what a model wrote, best first; at least one
 * @param possible in the world's own order
 */
export function groundByWords(
  wanted: readonly string[],
  possible: readonly string[],
): string | undefined {
  const exact = exactly(wanted, possible);
  if (exact !== undefined) return exact;
  const words = wordsOf(wanted[0] ?? "");
  let best:
    | { readonly action: string; readonly shared: number; readonly other: number }
    | undefined;
  for (const action of possible) {
    const own = wordsOf(action);
    const shared = [...own].filter((word) => words.has(word)).length;
    const other = own.size - shared;
    if (shared > (best?.shared ?? 0) || (best && shared === best.shared && other < best.other)) {
      best = { action, shared, other };
    }
  }
  return best?.action;
}

/**
 * The first wanted action that is possible; else the possible one with the greatest sum of cosines
 * to all wanted ones (SayCan with candidates); ties go to the first.
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
  const sums = vectors.slice(wanted.length).map((vector) =>
    targets.reduce((total, target) => total + cosine(target, vector), 0)
  );
  return possible[sums.indexOf(Math.max(...sums))];
}

function exactly(wanted: readonly string[], possible: readonly string[]): string | undefined {
  return wanted.map((text) => matchAction(text, possible)).find((found) => found !== undefined);
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

/**
 * The possible actions that SwiftSage's evaluation keeps in ScienceWorld: doors are only opened;
 * only seen things are focused on; none of the last three actions is repeated.
 * @param scene `recent`: the last actions, oldest first; `seen`: what is seen and carried now, as
 * text
 */
export function swiftsageActions(
  possible: readonly string[],
  scene: { readonly recent: readonly string[]; readonly seen: string },
): string[] {
  const { recent, seen } = scene;
  const barred = new Set([
    ...recent.slice(-3),
    ...["agent", "air", ...ROOMS].map((thing) => `focus on ${thing}`),
  ]);
  const visible = wordsOf(seen);
  const all = new Set([...possible, ...ROOMS.map((room) => `open door to ${room}`)]);
  return [...all].filter((action) => {
    if (barred.has(action) || (/\bdoor\b/.test(action) && !action.startsWith("open "))) {
      return false;
    }
    if (!action.startsWith("focus on ")) return true;
    return [...wordsOf(action.slice("focus on ".length))].every((word) =>
      word === "in" || word === "to" || visible.has(word)
    );
  });
}

const ROOMS = [
  ...["kitchen", "foundry", "workshop", "bathroom", "outside", "living room", "bedroom"],
  ...["greenhouse", "art studio", "hallway"],
];

/**
 * A form and its description, as prompts list it.
 *
 * @example
 * ```ts
 * import { formLine } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const form = { name: "go {direction}", params: ["direction"], description: "walk to the next room", explores: true };
 * assert.equal(formLine(form), "go {direction}: walk to the next room");
 * ```
 */
export function formLine({ name, description }: ActionSpec): string {
  return `${name}: ${description}`;
}

/**
 * The name of a form without its parameters: `move_to(x={x}, y={y})` → `move_to`, `take {object}
 * from {place}` → `take`.
 */
export function headOf({ name }: ActionSpec): string {
  return name.split(/[({]/)[0]?.trim() ?? "";
}

/** A call, or in one line what is wrong with the name or a value. */
export type FilledForm = { readonly kind: "ok"; readonly call: string } | {
  readonly kind: "malformed";
  readonly problem: string;
};

/**
 * Fills the form of this name with values. Of several forms the one whose parameters are given is
 * taken. Only a form in parentheses may lack a parameter; an unknown parameter is left out unless
 * it looks like a misspelt missing one.
 * @param given values by parameter; null counts as absent
 */
export function fillForm(
  forms: readonly ActionSpec[],
  name: string,
  given: Readonly<Record<string, unknown>>,
): FilledForm {
  const named = forms.filter((form) => headOf(form) === name.trim());
  if (named.length === 0) {
    return malformed(
      `there is no skill ${quoted(name)}; there are ${forms.map(headOf).join(", ")}`,
    );
  }
  const all = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  const known = ({ params }: ActionSpec) => all.filter(([key]) => params.includes(key));
  const isWhole = (form: ActionSpec): boolean =>
    form.params.length === all.length && known(form).length === all.length;
  const form = named.find(isWhole) ??
    named.reduce((best, other) => known(other).length > known(best).length ? other : best);
  const values = known(form);
  const missing = form.params.filter((param) => !values.some(([key]) => key === param));
  const misspelt = all.find(([key]) =>
    !form.params.includes(key) && nearestName(key, missing) !== undefined
  )?.[0];
  if (misspelt !== undefined) {
    return malformed(
      `${name} has no parameter ${quoted(misspelt)}; its parameters are ${form.params.join(", ")}`,
    );
  }
  leaveOut(all.length - values.length);
  const odd = values.find(([, value]) => typeof value === "object");
  if (odd) {
    return malformed(`${name}: ${odd[0]} must be a number, a text, true or false`);
  }
  return form.name.includes("(")
    ? { kind: "ok", call: `${name.trim()}(${values.map(written).join(", ")})` }
    : filled(form, new Map(values));
}

function written([key, value]: readonly [string, unknown]): string {
  return `${key}=${JSON.stringify(value)}`;
}

function filled(form: ActionSpec, values: ReadonlyMap<string, unknown>): FilledForm {
  const missing = form.params.find((param) => !values.has(param));
  if (missing !== undefined) {
    return malformed(`${headOf(form)} needs ${quoted(missing)}`);
  }
  return {
    kind: "ok",
    call: form.name.replaceAll(
      /\{(\w+)\}/g,
      (slot, param: string) => String(values.get(param) ?? slot),
    ),
  };
}

function malformed(problem: string): FilledForm {
  return { kind: "malformed", problem };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
