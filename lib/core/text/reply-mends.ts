/**
 * What is mended on a reply as a whole: other turns, tags, fences, and words and marks around the
 * answer. Their rules are in `reading-rules.ts`.
 */

/**
 * A special token of a chat template: ChatML, Llama 3, Phi, Command R, GLM, gpt-oss; DeepSeek's
 * with wide bars; Gemma, Llama 2, Mistral.
 */
const TOKEN = String
  .raw`[<[][|｜][^<>|｜\n]{1,40}[|｜]?[>\]]|<[a-z]{1,12}\|>|</?s>|<(?:start|end)_of_(?:turn|utterance)>|<(?:seed:)?(?:[be]os|eo[adt])>|<pad>|\[/?INST\]`;
const AT_START = new RegExp(
  String.raw`^(?:\s*(?:${TOKEN})(?:\s*(?:assistant|model|final|json)(?=\s*(?:\n|${TOKEN})))?)+`,
  "i",
);
/** Llama 3's next turn has a name alone where its tokens are left out. */
const FIRST_TOKEN = new RegExp(`${TOKEN}|<[|｜][\\w▁]*$|(?<=[^\\s-])assistant(?:\n\n|$)`, "i");
export function firstTurn(text: string): string {
  const begun = text.replace(AT_START, "").replace(/<\|begin_of_box\|>/g, "");
  const end = begun.search(FIRST_TOKEN);
  return end < 0 ? begun : begun.slice(0, end);
}

const TAG =
  /(?<!\[)<\/?(?:final_)?(?:answer|response|output|final|result|action|summary|lesson|text)>/gi;
export function untagged(text: string): string {
  const tags = [...text.matchAll(TAG)];
  const last = tags.findLast(([tag]) => tag[1] === "/")?.index;
  const open = tags.findLast(({ index, 0: tag }) => tag[1] !== "/" && index < (last ?? Infinity));
  const close = open && tags.find(({ index }) => index > open.index)?.index;
  return text.slice(open ? open.index + open[0].length : 0, close ?? last);
}

/** Characters of the longest text around a fence that is only an introduction to it. */
const LONGEST_FRAME = 300;

const FENCE = /^[ \t]*```.*$/gm;

export function unfenced(tildes: string): string {
  const text = tildes.replaceAll(/^[ \t]*~~~+/gm, "```");
  const [, inline] =
    /^\s*```(?:(?:json|text|txt|plaintext|python)\s)?([^`\n]+)```\s*$/i.exec(text) ?? [];
  if (inline !== undefined) return inline;
  const [before = "", inside = "", after = "", ...more] = text.split(FENCE);
  const isFrame = before.length + after.length <= LONGEST_FRAME;
  return more.length === 0 && inside.trim() !== "" && isFrame ? inside : text.replaceAll(FENCE, "");
}

/**
 * What announces an answer, with the sign of a heading or emphasis: a label, a whole line, the name
 * of the turn, a rule.
 */
const BEFORE = new RegExp(
  [
    String.raw`^\s*(?:#{1,6}\s+|\*\*)?(?:`,
    String
      .raw`(?:(?:the |my |your |final |updated |new |current |revised |rewritten |resolved )*(?:answer|output|response|summary|description|lessons?|reflection|text)(?: is| learned)?|assistant)`,
    String.raw`(?:\**\s*:\**|\**\s*\n)|`,
    String
      .raw`(?:(?:based on [^:;\n]{0,80}, )?here(?:['’]s| is| are)|sure|certainly|okay|ok|of course)\b[^:;\n]{0,120}:\**\s*\n|`,
    String.raw`-{3,}\s*\n)\s*(?=\S)`,
  ].join(""),
  "i",
);
const AFTER =
  /\n[ \t]*-{3,}\s*$|\n[ \t]*\n[^\w\n]{0,5}(?:(?:please )?let me know|feel free to (?:ask|reach)|i hope (?:this|that) helps|is there anything else|(?:would|do) you (?:like|want))\b[^\n]*\s*$/i;

const CLOSING = 400;

export function unframed(text: string): string {
  let bare = text;
  for (let layer = 0; layer < 3; layer++) {
    const begun = bare.replace(BEFORE, "");
    bare = begun.slice(0, -CLOSING) + begun.slice(-CLOSING).replace(AFTER, "");
  }
  return bare;
}

/**
 * Removes the quotation marks around a text, and the escapes of a JSON string. A text with inner
 * quotation marks is unchanged.
 */
export function unquoted(text: string): string {
  const [, inside] = /^\s*["“]([^"“”]*)["”]\s*$/.exec(text) ?? [];
  try {
    const decoded: unknown = JSON.parse(text);
    return typeof decoded === "string" ? decoded : text;
  } catch {
    return inside ?? text;
  }
}
