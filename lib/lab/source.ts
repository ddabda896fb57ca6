/**
 * The source of user-defined code as a hash, so that an edit changes the identity of what it plays.
 *
 * Source is what the runtime gives back of a function: the code without its types. What it uses of other cells of a notebook belongs to it:
 * functions, classes, objects of them, and plain data. Names imported from modules do not.
 *
 * @module
 */

import { hashOf } from "../store/canonical.ts";

/** Hashes the source of functions, or of objects that hold some, together with the variables of cells that it uses; 16 hex digits. */
export function sourceHash(...values: readonly unknown[]): string {
  const seen = new Map<unknown, number>();
  return hashOf(values.map((value) => describe(value, seen))).slice(0, 16);
}

/** Code and data as JSON: what was described before is named by its number, so that circles end. */
function describe(value: unknown, seen: Map<unknown, number>): unknown {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return `${typeof value} ${String(value)}`;
  if (seen.has(value)) return `as ${seen.get(value)}`;
  seen.set(value, seen.size);
  if (typeof value === "function") {
    const text = String(value);
    if (text.endsWith("{ [native code] }")) return value.name;
    const used = freeNames(text).flatMap((name) => {
      const found = variable(name);
      return found === undefined ? [] : [[name, describe(found.value, seen)]];
    });
    return [text, used];
  }
  return isPlain(value) ? Object.entries(value).map(([name, member]) => [name, describe(member, seen)]) : String(value);
}

/** A variable of the cells of a notebook, which every piece of code can read. The built-in ones and modules count as none. */
function variable(name: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = new Function(`return ${name};`)();
    const isOwn = typeof value === "function" ? !String(value).endsWith("{ [native code] }") : typeof value !== "object" || isPlain(value);
    return value !== undefined && isOwn && !BUILT_IN.has(name) ? { value } : undefined;
  } catch {
    return undefined; // no such variable, or no name
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

function isPlain(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const TOKEN = /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\.\.\./g;
const NAME = /(?<![.\w$])[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Parameters of functions, and what is declared, in one piece of code: their names are its own. */
const BOUND =
  /(?<!\b(?:if|for|while|switch|with)\s*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*(?:=>|\{)|([\p{L}_$][\p{L}\p{N}_$]*)\s*=>|\b(?:const|let|var)\s+(\{[^}]*\}|\[[^\]]*\]|[\p{L}_$][\p{L}\p{N}_$]*)|\b(?:function\*?|class)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** The names that a piece of code uses and does not declare itself, as far as its text tells without a parser; sorted. */
export function freeNames(code: string): string[] {
  const plain = code.replaceAll(TOKEN, (token) => {
    return token.startsWith("`") ? token.split("${").slice(1).map((part) => ` ${part.split("}")[0]} `).join(";") : " ";
  });
  const bound = new Set([...plain.matchAll(BOUND)].flatMap((match) => namesIn(match.slice(1).join(" ").replaceAll(/=(?!>)[^,}\]]*/g, ""))));
  return [...new Set(namesIn(plain))].filter((name) => !bound.has(name)).sort();
}

function namesIn(code: string): string[] {
  return [...code.matchAll(NAME)].map(([name]) => name);
}
