/** Reads the logged answers as the authors' code did, and answers our memory with them. */

import { formatTriplet, type Triplet, tripletKey } from "../../core/graph/triplet.ts";
import type { Answer, Asker } from "../../core/llm/asker.ts";
import { scripted } from "../../core/llm/scripted.ts";
import type { StaleAnswer } from "../../core/memory/arigraph-replies.ts";
import { parsePython, type PythonDict } from "./python-value.ts";

/** Reads a printed triplet and strips nothing, as in the authors' graphs. */
export function tripletAsWritten(text: string): Triplet {
  const [subject = "", relation = "", ...object] = text.split(", ");
  return { subject, relation, object: object.join(", ") };
}

/**
 * Reads an answer `[[old -> new], …]` as the authors' code does: the text after the last `[[`, cut
 * at `],`. A pair has one arrow and two commas before it; spaces, line breaks and quotes around
 * parts are stripped.
 */
export function staleAsLogged(answer: string): StaleAnswer {
  const body = (answer.split("[[").at(-1) ?? "").replaceAll("[", "").trim().replace(/\]+$/, "");
  const pairs = body.split("],").filter((pair) => pair.includes("->"));
  const stale = pairs.flatMap((pair) => {
    const sides = pair.split("->");
    const parts = (sides[0] ?? "").split(",").map((part) =>
      part.replace(/^[ \n'"]+|[ \n'"]+$/g, "")
    );
    const [subject = "", relation = "", object = ""] = parts;
    return sides.length === 2 && parts.length === 3 ? [{ subject, relation, object }] : [];
  });
  return { stale, ignored: pairs.length - stale.length };
}

/**
 * Reads logged entities with their importance, in lower case: a dict gives each its number, a plain
 * list of older logs 1, and `None` holds none.
 *
 * @throws {SyntaxError} if the text is neither.
 */
export function itemsAsLogged(text: string): Map<string, number> {
  const value = parsePython(text);
  if (value === null) return new Map();
  if (Array.isArray(value)) return new Map(value.map((name) => [String(name).toLowerCase(), 1]));
  if (typeof value === "object" && "entries" in value) {
    const numbers = (value as PythonDict).entries.map(([name, importance]) =>
      [String(name).toLowerCase(), Number(importance)] as const
    );
    return new Map(numbers.filter(([, importance]) => Number.isFinite(importance)));
  }
  throw new SyntaxError("it is neither a dict nor a list");
}

/** Reads the action in an answer of the actor; `look` if it names none. */
export function actionAsLogged(answer: string): string {
  return answer.match(/"action_to_take"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1] ?? "look";
}

/**
 * Returns the action with the highest score where the answer is a table `{"go east": "0.6", …}`.
 */
export function bestScored(answer: string): string | undefined {
  const rows = [...answer.matchAll(/^\s*"(.+)": "?([\d.]+)"?,?$/gm)].map((row) => ({
    action: row[1] ?? "",
    score: Number(row[2]),
  }));
  return rows.length === 0
    ? undefined
    : rows.reduce((best, row) => row.score > best.score ? row : best).action;
}

export function written(triplets: readonly Triplet[]): string[] {
  return triplets.map(formatTriplet);
}

/** Returns the triplets that are not among the others. */
export function without(triplets: readonly Triplet[], others: readonly Triplet[]): Triplet[] {
  const keys = new Set(others.map(tripletKey));
  return triplets.filter((triplet) => !keys.has(tripletKey(triplet)));
}

/**
 * Creates an asker that answers each role with what the log holds for it on the present step.
 * @throws {TypeError} if it holds none.
 */
export function loggedAsker(answers: () => Readonly<Record<string, unknown>>): Asker {
  const usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
  const asker: Asker = Object.assign(
    <Name extends string, T>(prompt: { readonly role: string }): Promise<Answer<T>> => {
      const value = answers()[prompt.role];
      if (value === undefined) throw new TypeError(`the log has no answer for ${prompt.role}`);
      return Promise.resolve({ kind: "ok", value: value as T, text: "", asked: 1, usage });
    },
    { at: () => asker, model: scripted([]), sample: {} },
  );
  return asker;
}
