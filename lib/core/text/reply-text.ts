/**
 * Where a model's reply becomes the text that a parser reads: thoughts, chat tokens, a byte order
 * mark and fences are removed here and nowhere else, for all parsers made by `reader`. The record
 * keeps what was written.
 */

import { mend } from "./reading-rules.ts";

/**
 * The result of reading a reply: the value with the number of its elements that could not be read,
 * or in one line what is wrong.
 */
export type Reading<T> =
  | {
    readonly kind: "ok";
    readonly value: T;
    /** Elements that were left out, such as an entry of a list that has no name. @default {0} */
    readonly dropped?: number;
  }
  | { readonly kind: "malformed"; readonly problem: string };

/**
 * Reads a reply: a value, or in one line the problem, which is shown to the model when it is asked
 * again.
 *
 * @param isCut whether the reply was cut at its ceiling of tokens. @default {false}
 */
export type ReplyParser<T> = (reply: string, isCut?: boolean) => Reading<T>;

export interface ReplyText {
  readonly text: string;
  readonly thought?: string;
  readonly isThought: boolean;
}

export function replyText(reply: string): ReplyText {
  const thoughts: string[] = [];
  let [text, from, isThought] = ["", 0, false];
  const whole = reply.replace(/^\uFEFF/, "")
    .replace(/^\s*<reflection>([\s\S]*)<\/reflection>\s*$/, "$1"); // asked for, it is the answer
  for (const { index, 0: tag, groups } of whole.matchAll(THOUGHT_TAG)) {
    const before = whole.slice(from, index);
    if (isThought && groups?.["open"] === undefined) thoughts.push(before);
    else if (!isThought && groups?.["open"] !== undefined) text += before;
    else if (!isThought && groups?.["close"] !== undefined) { // templates put the opening tag into the prompt
      thoughts.push(text + before);
      text = "";
    } else continue;
    isThought = groups?.["open"] !== undefined;
    from = index + tag.length;
  }
  if (isThought) thoughts.push(whole.slice(from));
  else text += whole.slice(from);
  const thought = thoughts.map((part) => part.trim()).filter((part) => part !== "").join("\n");
  return {
    text: isThought ? "" : mend("reply", text).trim(),
    ...(thought === "" ? {} : { thought }),
    isThought,
  };
}

/**
 * The tags around thoughts: DeepSeek, Qwen and most others; Magistral; Kimi; Sky-T1; Command A;
 * MedGemma; gpt-oss, where `<|end|>` ends one too; Granite, in words.
 */
const THOUGHT_TAG = new RegExp(
  [
    String
      .raw`(?<open><(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratch_?pad|seed:think)>|Here(?:'s| is) my thought process:(?=[\s\S]*my response:)|\[THINK\]|◁think▷`,
    String
      .raw`<\|begin_of_thought\|>|<\|inner_prefix\|>|<\|START_THINKING\|>|<unused94>(?:thought\b)?|<\|channel\|?>\s*(?:analysis|commentary|thought)[^<\n]*(?:<\|message\|>)?)`,
    String
      .raw`(?<close></(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratch_?pad|seed:think)>|Here(?:'s| is) my response:|\[/THINK\]|◁/think▷`,
    String.raw`<\|end_of_thought\|>|<\|inner_suffix\|>|<\|END_THINKING\|>|<unused95>|<channel\|>)`,
    String.raw`(?<end><\|end\|>)`,
  ].join("|"),
  "gi",
);

/**
 * The length limit of a reply in characters, without its thoughts, where a parser sets no other
 * one.
 */
export const LONGEST_REPLY = 20_000;

const readers = new WeakSet<ReplyParser<unknown>>();

let leftOut = 0;

/** Counts elements of the reply that is being read as left out. */
export function leaveOut(count = 1): void {
  leftOut += count;
}

export function forgetLeftOut(): void {
  leftOut = 0;
}

/** How a parser takes replies. */
export interface ReaderOptions {
  /**
   * Returns what is complete in a text that was cut, empty where nothing is.
   * @default nothing is
   */
  readonly completed?: (text: string) => string;
  /** Characters of the longest text that is accepted, > 0. @default {20_000} */
  readonly longest?: number;
}

/**
 * Makes a parser from a function that reads the text left of a reply (see `replyText`). A reply
 * that ends within a thought, is too long, or was cut is malformed, unless `completed` gives its
 * complete part.
 * @param parse reads the text; it reports to `leaveOut` what it skips
 *
 * @example
 * ```ts
 * import { reader } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const parse = reader((text) => ({ kind: "ok" as const, value: text.split("\n") }), {
 *   completed: (text) => text.slice(0, text.lastIndexOf("\n")),
 * });
 * assert.deepEqual(parse("<think>Hm.</think>key\nhall</s>"), { kind: "ok", value: ["key", "hall"] });
 * assert.deepEqual(parse("key\nhal", true), { kind: "ok", value: ["key"], dropped: 1 });
 * ```
 */
export function reader<T>(
  parse: (text: string) => Reading<T>,
  { completed = () => "", longest = LONGEST_REPLY }: ReaderOptions = {},
): ReplyParser<T> {
  if (readers.has(parse)) return parse;
  return made((reply, isCut = false) => {
    const { text, isThought } = replyText(reply);
    if (isThought) {
      return { kind: "malformed", problem: "it ends within a thought and holds no answer" };
    }
    if (text.length > longest) {
      return {
        kind: "malformed",
        problem: `it has ${text.length} characters and may have ${longest}`,
      };
    }
    const whole = isCut ? completed(text).trim() : text;
    if (isCut && whole === "") {
      return { kind: "malformed", problem: "it has been cut off before its end" };
    }
    return counted(() => {
      if (whole !== text) leaveOut();
      return parse(whole);
    });
  });
}

/**
 * Makes a parser of replies that are a text of at least one word.
 *
 * @param options `inOneLine` writes line breaks as spaces
 *
 * @example
 * ```ts
 * import { readText } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(readText({ inOneLine: true })("The key\nis red.<|im_end|>"), { kind: "ok", value: "The key is red." });
 * assert.equal(readText()("<think>Well</think>").kind, "malformed");
 * ```
 */
export function readText(
  { inOneLine = false, longest }: { readonly inOneLine?: boolean; readonly longest?: number } = {},
): ReplyParser<string> {
  return reader((text) => {
    if (mend("name", text).trim() === "") return { kind: "malformed", problem: "it is empty" };
    return { kind: "ok", value: inOneLine ? text.replaceAll(/\s+/g, " ") : text };
  }, { longest });
}

/**
 * Makes a parser of another one, whose value is read further.
 *
 * @example
 * ```ts
 * import { parseJson, refined } from "labyrinth/text";
 * import assert from "node:assert/strict";
 * import { z } from "zod";
 *
 * const parse = refined(parseJson(z.object({ room: z.number() })), ({ room }) =>
 *   room < 5 ? { kind: "ok", value: room } : { kind: "malformed", problem: `there is no room ${room}` });
 * assert.deepEqual(parse('{"room": 7}'), { kind: "malformed", problem: "there is no room 7" });
 * ```
 */
export function refined<S, T>(
  read: ReplyParser<S>,
  refine: (value: S) => Reading<T>,
): ReplyParser<T> {
  return made((reply, isCut) =>
    counted(() => {
      const reading = read(reply, isCut);
      if (reading.kind === "malformed") return reading;
      leaveOut(reading.dropped ?? 0);
      return refine(reading.value);
    })
  );
}

/**
 * Makes a parser of several: the first that can read the reply gives the result; if none can, the
 * first one's error.
 */
export function eitherOf<T>(
  first: ReplyParser<T>,
  ...others: readonly ReplyParser<T>[]
): ReplyParser<T> {
  return made((reply, isCut) => {
    const reading = first(reply, isCut);
    if (reading.kind === "ok") return reading;
    return others.map((read) => read(reply, isCut)).find(({ kind }) => kind === "ok") ?? reading;
  });
}

function made<T>(parse: ReplyParser<T>): ReplyParser<T> {
  readers.add(parse);
  return parse;
}

function counted<T>(read: () => Reading<T>): Reading<T> {
  const before = leftOut;
  leftOut = 0;
  try {
    const reading = read();
    if (reading.kind === "malformed") return reading;
    const dropped = leftOut + (reading.dropped ?? 0);
    return dropped === 0 ? reading : { ...reading, dropped };
  } finally {
    leftOut = before;
  }
}

/**
 * The complete part of cut lines: all but the last.
 */
export function completeLines(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("\n")));
}

export function completeSentences(text: string): string {
  return text.slice(0, Math.max(0, text.search(/(?:(?<=[.!?])\s|\n)(?![\s\S]*(?:[.!?]\s|\n))/)));
}

/**
 * The complete part of a cut list with lines or semicolons between entries: all but the last entry.
 */
export function completeEntries(text: string): string {
  return text.slice(0, Math.max(0, text.search(/[;\n][^;\n]*$/)));
}
