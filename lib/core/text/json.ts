/**
 * Extraction of JSON from a model's reply, where it may be fenced, surrounded by sentences or
 * slightly malformed.
 */

import { safeValue } from "../foreign-text.ts";
import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import { mend } from "./reading-rules.ts";
import { forgetLeftOut, reader, type ReaderOptions, type ReplyParser } from "./reply-text.ts";

/**
 * The schema of a value, as `parseJson` and registries of options take it; every Zod schema is one.
 */
export interface Schema<T> {
  /**
   * Returns the value with defaults filled in; throws the schema's own error if the value does not
   * fit.
   */
  parse(value: unknown): T;
  /** Returns the value or the error, without throwing. */
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | {
    readonly success: false;
    readonly error: SchemaError;
  };
}

/** The error of a schema. */
export interface SchemaError {
  /**
   * At least one issue, in the order of the schema; `path` holds keys and indices from the top and
   * is empty for the value itself; `values` are those that it may have.
   */
  readonly issues: readonly {
    readonly path: readonly PropertyKey[];
    readonly message: string;
    readonly values?: readonly unknown[];
  }[];
}

/**
 * Creates a parser of replies that contain JSON of a schema. Candidates are the whole reply, code
 * fences, then other spans, objects before lists and later ones first, because models reason first.
 * Each is parsed as it is, then repaired (comments, single quotes, missing and trailing commas,
 * `True`, `None`); the first that fits is returned, also an object alone in a list or object. Of
 * cut JSON only the complete entries of its outermost list are read. Escapes do not bring back what
 * `safeText` keeps out.
 *
 * @example
 * ```ts
 * import { parseJson } from "labyrinth/text";
 * import assert from "node:assert/strict";
 * import { z } from "zod";
 *
 * const parse = parseJson(z.object({ action: z.string() }));
 * assert.deepEqual(parse("It is dark, so: {'action': 'look',}"), { kind: "ok", value: { action: "look" } });
 * assert.equal(parse('{"act": "look"}').kind, "malformed");
 * ```
 */
export function parseJson<T>(
  schema: Schema<T>,
  { longest }: Pick<ReaderOptions, "longest"> = {},
): ReplyParser<T> {
  return reader((text) => {
    let problem = text === "" ? "the reply is empty" : "there is no JSON in it";
    let judged = false;
    for (const candidate of candidatesIn(text)) {
      for (const value of readings(candidate)) {
        for (const answer of [value, ...onlyObjectOf(value)]) {
          const checked = schema.safeParse(safeValue(answer));
          if (checked.success) return { kind: "ok", value: checked.data };
          forgetLeftOut();
          if (!judged) problem = problemOf(checked.error); // the first candidate is the most likely to be the answer
          judged = true;
        }
      }
    }
    return { kind: "malformed", problem };
  }, { completed: completeJson, longest });
}

export function jsonObjectIn(reply: string): Record<string, unknown> | undefined {
  const parsed = parseAnyObject(reply);
  return parsed.kind === "ok" ? parsed.value : undefined;
}

const parseAnyObject = parseJson(z.record(z.string(), z.unknown()));

/** The most bracketed spans that are tried, which bounds the time on 100 kB of malformed text. */
const MAX_SPANS = 20;

function* candidatesIn(text: string): Generator<string> {
  const reply = text.replace(NEXT_TURN, "");
  const whole = reply.trim();
  if (/^["[{\d\-tfn]/.test(whole)) yield whole;
  const fences = [...reply.matchAll(/```[\w-]*\s*\n?(.*?)```/gs)].map((match) =>
    (match[1] ?? "").trim()
  );
  yield* fences.reverse();
  const spans = spansIn(reply).slice(-MAX_SPANS).reverse();
  yield* spans.filter((span) => span.startsWith("{"));
  yield* spans.filter((span) => LIST.test(span));
}

/** A list of values, not of words in brackets as prose has them. */
const LIST = /^\[\s*(?:["'“‘{[\]\d-]|(?:true|false|null|none)\b)/i;
/** What follows an answer in an imagined turn of the world or the user. */
const NEXT_TURN = /(?<=[}\]`]\s{0,9})\n\s{0,9}(?:observation|user|human)\b[^\n]*:[\s\S]*$/i;

function* readings(text: string): Generator<unknown> {
  const whole = jsonOf(text);
  if (whole !== undefined) {
    if (nests(whole, DEEPEST)) yield whole;
    return;
  }
  if (!/^\{.*\}$|^\[.*\]$/s.test(text)) return;
  let repaired: string;
  try {
    repaired = jsonrepair(mend("json", text));
  } catch {
    return; // beyond repair
  }
  const value = jsonOf(repaired);
  if (Array.isArray(value) !== text.startsWith("[")) return; // several objects, and the words between them
  if (value !== undefined && nests(value, DEEPEST)) yield value;
}

/** The object that is all that a list or another object holds: `[{…}]`, `{"answer": {…}}`. */
function onlyObjectOf(value: unknown): unknown[] {
  const members = typeof value === "object" && value !== null ? Object.values(value) : [];
  return members.length === 1 && typeof members[0] === "object" && !Array.isArray(members[0])
    ? members
    : [];
}

/** The value of a text that is JSON as a whole; `otherwise` of any other text. */
export function jsonOf(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * The most levels of arrays and objects in a value: what walks one level by level would overflow
 * the stack on a reply of brackets alone.
 */
const DEEPEST = 200;

function nests(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => nests(member, levels - 1));
}

/**
 * What is complete in JSON that was cut: the text up to the last entry of its outermost list,
 * closed; where no list is open the text itself.
 */
function completeJson(text: string): string {
  const open: string[] = [];
  let [complete, closing] = [text, ""];
  for (const { index, 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},]/gs)) {
    if (token === "{" || token === "[") open.push(token);
    else if (token === "}" || token === "]") open.pop();
    const list = open.indexOf("[");
    if (list >= 0 && list === open.length - 1 && (token === "," || token === "[")) {
      complete = text.slice(0, token === "," ? index : index + 1);
      closing = open.toReversed().map((bracket) => bracket === "{" ? "}" : "]").join("");
    }
  }
  return open.includes("[") ? complete + closing : text;
}

/**
 * All outermost spans from an opening bracket to its closing one, found in one pass. Strings inside
 * brackets are skipped.
 */
export function spansIn(text: string): string[] {
  const open: number[] = [];
  const spans: { start: number; end: number }[] = [];
  const token = /"(?:[^"\\\n]|\\.)*"|[[\]{}]/g;
  const opener = /[[{]/g;
  for (;;) {
    // Outside brackets a quotation mark may be unpaired (5" wide).
    const pattern = open.length > 0 ? token : opener;
    const found = pattern.exec(text);
    if (!found) break;
    token.lastIndex = opener.lastIndex = pattern.lastIndex;
    if (found[0] === "{" || found[0] === "[") open.push(found.index);
    else if (found[0] === "}" || found[0] === "]") {
      // An unclosed bracket (a smiley, a cut list) must not hide what follows it.
      const at = open.findLastIndex((start) => text[start] === (found[0] === "}" ? "{" : "["));
      const start = open[at];
      if (start === undefined) continue;
      open.length = at;
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: found.index + 1 });
    }
  }
  return spans.map(({ start, end }) => text.slice(start, end));
}

function problemOf(error: SchemaError): string {
  const issues = issuesOf(error);
  const more = issues.length > 3 ? `; and ${issues.length - 3} more` : "";
  return `the JSON does not fit: ${issues.slice(0, 3).join("; ")}${more}`;
}

export function issuesOf({ issues }: SchemaError): string[] {
  return issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message
  );
}
