/**
 * JSON out of a model's reply, which may stand in a fence, between sentences, or be written a little wrong.
 *
 * @module
 */

import { jsonrepair } from "jsonrepair";
import { z } from "zod";

/** What a value must look like, as `parseJson` and registries of options want it; every Zod schema is one. */
export interface Schema<T> {
  /** The value as the schema reads it, defaults filled in; throws the schema's own error where it does not fit. */
  parse(value: unknown): T;
  /** The same without throwing: `data`, or what does not fit and where (`path`: keys and indices from the top). */
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: SchemaError };
}

/** What a schema found wrong. */
export interface SchemaError {
  /** At least one, in the order of the schema; an empty `path` is the value itself. */
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** What came of reading: a value, or what is wrong in one line. */
export type ParsedJson<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "malformed"; readonly problem: string };

/**
 * A parser of replies that hold JSON as the schema wants it. Tried in turn: the whole reply; what stands in code fences; whatever else is
 * enclosed in brackets; the later before the earlier of each, for models think first and answer last. Every one is read as it stands, and
 * then mended (comments, single quotes, missing and trailing commas, `True`, `None`); the first that fits the schema counts. What is cut off
 * before its closing bracket is never completed.
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
export function parseJson<T>(schema: Schema<T>): (reply: string) => ParsedJson<T> {
  return (reply) => {
    let problem = reply.trim() === "" ? "the reply is empty" : "there is no JSON in it";
    let judged = false;
    for (const candidate of candidatesIn(reply)) {
      for (const value of readings(candidate)) {
        const checked = schema.safeParse(value);
        if (checked.success) return { kind: "ok", value: checked.data };
        if (!judged) problem = problemOf(checked.error); // the first candidate read is the likeliest to have been meant
        judged = true;
      }
    }
    return { kind: "malformed", problem };
  };
}

/**
 * The JSON object in a reply (see `parseJson`), or `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { jsonObjectIn } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(jsonObjectIn('Sure: {"action": "look",}'), { action: "look" });
 * assert.equal(jsonObjectIn("no JSON here"), undefined);
 * ```
 */
export function jsonObjectIn(reply: string): Record<string, unknown> | undefined {
  const parsed = parseAnyObject(reply);
  return parsed.kind === "ok" ? parsed.value : undefined;
}

const parseAnyObject = parseJson(z.record(z.string(), z.unknown()));

/** So many bracketed spans are tried, so that 100 kB of nonsense stay cheap. */
const MOST_SPANS = 20;

function* candidatesIn(reply: string): Generator<string> {
  const whole = reply.trim();
  if (/^["[{\d\-tfn]/.test(whole)) yield whole;
  const fences = [...reply.matchAll(/```[\w-]*\s*\n?(.*?)```/gs)].map((match) => (match[1] ?? "").trim());
  yield* fences.reverse();
  yield* spansIn(reply).slice(-MOST_SPANS).reverse();
}

/** The value as it stands; else, of what is enclosed in brackets, the mended one. */
function* readings(text: string): Generator<unknown> {
  try {
    yield JSON.parse(text);
    return;
  } catch {
    // mend it, then
  }
  if (!/^\{.*\}$|^\[.*\]$/s.test(text)) return;
  try {
    yield JSON.parse(jsonrepair(text));
  } catch {
    // not even nearly JSON
  }
}

/** Every outermost span from a bracket to the one that closes it, in one pass. Inside brackets, strings are skipped. */
function spansIn(text: string): string[] {
  const open: number[] = [];
  const spans: { start: number; end: number }[] = [];
  const token = /"(?:[^"\\\n]|\\.)*"|[[\]{}]/g;
  const opener = /[[{]/g;
  for (;;) {
    // Outside, a quotation mark may stand alone (5" wide).
    const pattern = open.length > 0 ? token : opener;
    const found = pattern.exec(text);
    if (!found) break;
    token.lastIndex = opener.lastIndex = pattern.lastIndex;
    if (found[0] === "{" || found[0] === "[") open.push(found.index);
    else if (found[0] === "}" || found[0] === "]") {
      // A bracket that nothing closes (a smiley, a cut list) must not hide what comes after it.
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
  const shown = error.issues.slice(0, 3).map(({ path, message }) => path.length > 0 ? `${path.join(".")}: ${message}` : message);
  const more = error.issues.length > shown.length ? `; and ${error.issues.length - shown.length} more` : "";
  return `the JSON does not fit: ${shown.join("; ")}${more}`;
}
