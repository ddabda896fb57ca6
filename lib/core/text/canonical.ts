/**
 * Canonical JSON and the hashes over it: equal values have equal text, in whatever order their keys
 * were written.
 */

import { hash } from "node:crypto";

export function canonicalJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, member: unknown) =>
      isObject(member) && !isSorted(Object.keys(member)) ? sorted(member) : member,
  );
}

function isSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
}

export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content);
}

export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
