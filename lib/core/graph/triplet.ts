/**
 * The triplet (subject, relation, object) and its normal form.
 *
 * | paper (AriGraph §2) | here |
 * |---|---|
 * | (object₁, relation, object₂) ∈ E_s | `Triplet {subject, relation, object}` |
 *
 * The normal form is that of the authors' code: each part lower-cased and stripped of quotes, dots,
 * back-ticks, spaces, colons and semicolons at its ends; "I" is the inventory and "P" the player;
 * relation "free" is dropped; equal triplets are one.
 */

/** One semantic edge: subject —relation→ object. */
export interface Triplet {
  /** First vertex, e.g. `key 1`; in normal form in every graph. */
  readonly subject: string;
  /** Label of the edge, e.g. `is in`. */
  readonly relation: string;
  /** Second vertex, e.g. `inventory`. */
  readonly object: string;
}

export function normaliseTriplet(triplet: Triplet): Triplet | undefined {
  const subject = normaliseEntity(triplet.subject);
  const relation = strip(triplet.relation).toLowerCase();
  const object = normaliseEntity(triplet.object);
  if (!subject || !relation || !object || relation === "free") return undefined;
  return { subject, relation, object };
}

/**
 * An entity in normal form: the vertex name in V_s.
 *
 * @example
 * ```ts
 * import { normaliseEntity } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(normaliseEntity(" `Golden  Locker`."), "golden locker");
 * assert.equal(normaliseEntity("I"), "inventory");
 * ```
 */
export function normaliseEntity(text: string): string {
  const bare = strip(text);
  if (bare === "I") return "inventory";
  if (bare === "P") return "player";
  return bare.toLowerCase();
}

/**
 * Formats a triplet as `subject, relation, object`, as in prompts, answers and figures.
 *
 * @example
 * ```ts
 * import { formatTriplet } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatTriplet({ subject: "key", relation: "opens", object: "locker" }), "key, opens, locker");
 * ```
 */
export function formatTriplet(triplet: Triplet): string {
  return `${triplet.subject}, ${triplet.relation}, ${triplet.object}`;
}

/**
 * A key that is equal exactly for equal triplets, for maps and sets.
 *
 * @example
 * ```ts
 * import { tripletKey } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const key = { subject: "key", relation: "is in", object: "locker" };
 * assert.equal(new Set([tripletKey(key), tripletKey({ ...key })]).size, 1);
 * ```
 */
export function tripletKey(triplet: Triplet): string {
  return `${triplet.subject}\u0000${triplet.relation}\u0000${triplet.object}`;
}

/**
 * The triplets, each once, in order of their first occurrence.
 *
 * @example
 * ```ts
 * import { distinctTriplets } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const key = { subject: "key", relation: "is in", object: "locker" };
 * assert.deepEqual(distinctTriplets([key, { ...key }]), [key]);
 * ```
 */
export function distinctTriplets(triplets: readonly Triplet[]): Triplet[] {
  return [...new Map(triplets.map((triplet) => [tripletKey(triplet), triplet])).values()];
}

/** Parses one `s, r, o` into normal form; `undefined` if it has other than three fields. */
export function parseTriplet(part: string): Triplet | undefined {
  const [subject, relation, object, ...rest] = part.split(",");
  if (subject === undefined || relation === undefined || object === undefined || rest.length > 0) {
    return undefined;
  }
  return normaliseTriplet({ subject, relation, object });
}

function strip(text: string): string {
  return text.replace(/^[\s"'`.:;]+|[\s"'`.:;]+$/g, "").replace(/\s+/g, " ");
}
