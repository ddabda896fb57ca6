/**
 * The logged answers of the authors' models, read as their own code read them.
 *
 * @module
 */

import { formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import { isDict, parsePython } from "./python-value.ts";

/**
 * A triplet as it is printed, nothing stripped: final dots and quotes stayed in the authors' graphs. What has fewer than three parts keeps an
 * empty one.
 */
export function tripletAsWritten(text: string): Triplet {
  const [subject = "", relation = "", ...object] = text.split(", ");
  return { subject, relation, object: object.join(", ") };
}

/** What was read of a logged answer about stale triplets. */
export interface LoggedStale {
  /** The old sides, in order, as written. */
  readonly stale: readonly Triplet[];
  /** Pairs with other than one arrow, or an old side of other than three parts. */
  readonly ignored: number;
}

/**
 * The authors' way to read `[[old -> new], …]`: what follows the last `[[`, without brackets, cut at `],`. A pair counts with exactly one arrow
 * and exactly two commas before it; its parts lose spaces, line breaks and quotes at their ends and nothing else.
 */
export function staleAsLogged(answer: string): LoggedStale {
  const body = (answer.split("[[").at(-1) ?? "").replaceAll("[", "").trim().replace(/\]+$/, "");
  const pairs = body.split("],").filter((pair) => pair.includes("->"));
  const stale = pairs.map((pair) => {
    const sides = pair.split("->");
    const parts = (sides[0] ?? "").split(",").map((part) => part.replace(/^[ \n'"]+|[ \n'"]+$/g, ""));
    const [subject = "", relation = "", object = ""] = parts;
    return sides.length === 2 && parts.length === 3 ? { subject, relation, object } : undefined;
  });
  const read = stale.filter((triplet) => triplet !== undefined);
  return { stale: read, ignored: stale.length - read.length };
}

/**
 * Entity → importance, keys lower-cased, of a logged dict; a plain list of older logs gives each 1, `None` nothing.
 *
 * @throws {SyntaxError} if the text is neither.
 */
export function itemsAsLogged(text: string): Map<string, number> {
  const value = parsePython(text);
  if (isDict(value)) {
    const numbers = value.entries.map(([name, importance]) => [String(name).toLowerCase(), Number(importance)] as const);
    return new Map(numbers.filter(([, importance]) => Number.isFinite(importance)));
  }
  if (value === null) return new Map();
  if (Array.isArray(value)) return new Map(value.map((name) => [String(name).toLowerCase(), 1]));
  throw new SyntaxError("it is neither a dict nor a list");
}

/** The action that an answer of the actor names; `look` where it names none, as the authors' code does. */
export function actionAsLogged(answer: string): string {
  return answer.match(/"action_to_take"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1] ?? "look";
}

/** Triplets as the log prints them. */
export function written(triplets: readonly Triplet[]): string[] {
  return triplets.map(formatTriplet);
}

/** Those of the first that are not among the second. */
export function without(triplets: readonly Triplet[], others: readonly Triplet[]): Triplet[] {
  const keys = new Set(others.map(tripletKey));
  return triplets.filter((triplet) => !keys.has(tripletKey(triplet)));
}
