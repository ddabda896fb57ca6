/**
 * What the chaos suite draws from: seeds, damage, faults of endpoints, hostile text. The short form
 * runs in CI, the long one with `./lab test --slow chaos`.
 */

import { env } from "../../lib/core/platform.ts";
import { createDraw, type Draw } from "../../lib/core/random.ts";
import { type Behaviour, choice, completion, failure } from "../core/llm/fake-endpoint.ts";
import { wantsSlow } from "../slow.ts";

/** Whether the long form is wanted. */
export const FULL = wantsSlow("the long form of the chaos suite");

/** The seed of all draws; set `LAB_SEED` for another run of the suite, or to repeat one. */
export const SEED = env("LAB_SEED") ?? "1";

/** A stream of draws that says how to repeat it. */
export function chaosDraw(name: string): Draw {
  if (FULL) console.log(`  ${name}: LAB_SEED=${SEED}`);
  return createDraw(`${name} ${SEED}`);
}

/** A whole number from 0 below `end`. */
export function below(draw: Draw, end: number): number {
  return Math.floor(draw.next() * end);
}

/** Cuts a file off, flips one bit, or overwrites a run of bytes; says what it did. */
export function damage(
  whole: Uint8Array,
  draw: Draw,
): { readonly bytes: Uint8Array; readonly what: string } {
  const at = below(draw, whole.length);
  const how = draw.next();
  if (how < 0.05) return { bytes: whole.slice(0, at), what: `cut at byte ${at}` };
  const bytes = Uint8Array.from(whole);
  if (how < 0.1) {
    const end = at + 1 + below(draw, 4096);
    bytes.fill(below(draw, 2) * 255, at, end);
    return { bytes, what: `bytes ${at} to ${end} overwritten` };
  }
  const bit = below(draw, 8);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return { bytes, what: `bit ${bit} of byte ${at} flipped` };
}

/** The tokens that a well-formed answer is charged. */
export const TOKENS = 15;

/** A connection that is lost after the beginning of an answer: less comes than was announced. */
function broken(beginning: string): Response {
  const headers = { "content-type": "application/json", "content-length": "5000" };
  return new Response(new Blob([beginning]).stream(), { headers });
}

/**
 * Kinds of fault of an endpoint, each with the tokens that it charges for it. A gateway that gave
 * up may have had the answer made.
 */
export const FAULTS: Readonly<Record<string, readonly [Behaviour, number]>> = {
  "rate limit": [() => failure(429, "slow down"), 0],
  "rate limit with a wait": [
    () => failure(429, "slow down", { headers: { "retry-after": "2" } }),
    0,
  ],
  "server error": [() => failure(500, "oops"), TOKENS],
  "bad gateway": [
    () =>
      new Response("<html>bad gateway", { status: 502, headers: { "content-type": "text/html" } }),
    TOKENS,
  ],
  "busy": [() => failure(503, "busy"), 0],
  "gateway timeout": [() => failure(504, "too late"), TOKENS],
  "overloaded": [() => failure(529, "overloaded"), 0],
  "silence": [() => "hang", TOKENS],
  "cut JSON": [
    () => new Response('{"choices": [{"mess', { headers: { "content-type": "application/json" } }),
    TOKENS,
  ],
  "connection lost": [() => broken('{"id": "1", "choices": [{"mess'), TOKENS],
  "no JSON": [
    () => new Response("<html>hello", { headers: { "content-type": "text/html" } }),
    TOKENS,
  ],
  "nonsense": [() => Response.json({ nonsense: true }), TOKENS],
  "an error as a success": [() => Response.json({ error: { message: "oops", code: 500 } }), TOKENS],
  "no usage": [() => completion("hello", { usage: undefined }), TOKENS],
  "odd usage": [() => completion("hello", { usage: { prompt_tokens: "many" } }), TOKENS],
  "no choices": [() => completion("hello", { choices: [] }), TOKENS],
  "no text": [() => completion("", { choices: [choice(null, { finish_reason: "stop" })] }), TOKENS],
  "longer than allowed": [() => completion("long ".repeat(40_000), { usage: undefined }), 40_010],
};

/** Signs and scraps that some reader of a file or terminal takes for more than text. */
const SCRAPS: readonly string[] = [
  ...[
    "\u0000",
    "\u0001",
    "\u0007",
    "\u001b[31m",
    "\u001b]0;title\u0007",
    "\u0085",
    "\u009b31m",
    "\u007f",
    "\uFFFE",
    "\uFFFF",
    "\uD800",
    "\uDC00",
  ],
  ...[
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt;",
    "]]>",
    "<!--",
    "-->",
    "<b>",
    "&",
    '"',
    "'",
  ],
  ...[
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "+1",
    "-2+3",
    "\t=1",
    "|",
    "`code`",
    "[links](javascript:alert(1))",
    "![to](http://x)",
    "# head",
    "---",
  ],
  ...[
    "\\input{/etc/passwd}",
    "%",
    "$x^2$",
    "#1_2~",
    "{",
    "}",
    "\\",
    "\\end{table}",
    "ключ",
    "箱子",
    "مفتاح",
    "é\u0301",
    "👩‍🚀",
    "\u202Eevil",
    "\r\n",
    "\n",
    ",",
  ],
  ...[
    '{"labyrinth":"0"}',
    "../../x",
    "C:\\x",
    "%00",
    "${x}",
    "{{x}}",
    "null",
    "NaN",
    "1e999",
    "  ",
  ],
];
const WORDS: readonly string[] = [
  "kitchen",
  "table",
  "key",
  "locker",
  "is in",
  "has",
  "room",
  "is",
];

/**
 * A reply that a model may give: triplets, plans and actions among hostile scraps, now and then a
 * long line.
 */
export function hostileText(draw: Draw): string {
  const word = (): string =>
    draw.next() < 0.5 ? draw.pick(WORDS) : draw.pick(WORDS) + draw.pick(SCRAPS) + draw.pick(SCRAPS);
  const triplets = (): string =>
    Array.from({ length: 1 + below(draw, 3) }, () => `${word()}, ${word()}, ${word()}`).join("; ");
  const how = below(draw, 200);
  if (how === 0) return "x".repeat(1_000_000);
  if (how < 20) return draw.pick(SCRAPS);
  if (how < 60) {
    return JSON.stringify({
      action_to_take: word(),
      plan: [{ sub_goal_1: word(), reason: word() }],
      emotion: { emotion_state: word() },
    });
  }
  if (how < 70) return `${JSON.stringify({ action_to_take: word() })}${draw.pick(SCRAPS)}`;
  return triplets();
}
