/**
 * Equal values get equal text and an equal hash, whatever order their keys were written in.
 *
 * @module
 */

import { createHash } from "node:crypto";

/**
 * JSON with the keys of every object sorted; members that are `undefined` are left out, as in `JSON.stringify`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(canonicalJson({ b: 1, a: [{ d: 2, c: undefined }] }), '{"a":[{"d":2}],"b":1}');
 * ```
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, member: unknown) =>
      isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) : member,
  );
}

/** SHA-256 of a text, in hex (64 digits). */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** SHA-256 (hex) of a value's canonical JSON. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
