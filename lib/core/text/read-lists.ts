/**
 * Readers of lists that keep what is sound: names, texts and entries of any schema. What cannot be
 * read is left out and counted.
 */

import { z } from "zod";
import { jsonOf, parseJson } from "./json.ts";
import { mend } from "./reading-rules.ts";
import { completeLines, eitherOf, leaveOut, reader, type ReplyParser } from "./reply-text.ts";

/**
 * A name: a text or number without list marks, emphasis, brackets and quotation marks around it.
 * Null, a list, an object or a placeholder is no name.
 */
export const soundName: z.ZodType<string> = z.union([z.string(), z.number()]).transform((value) =>
  nameIn(String(value))
)
  .refine((name) => name !== "", "it is no name");

/** A text, such as a fact in a sentence, without list marks and emphasis, and no placeholder. */
export const soundText: z.ZodType<string> = z.union([z.string(), z.number()]).transform((value) => {
  const text = mend("entry", String(value)).trim();
  return mend("name", text) === "" ? "" : text;
}).refine((text) => text !== "", "it is no text");

export function soundNames(most?: number): z.ZodType<string[]> {
  return z.preprocess(
    (value) => typeof value === "string" ? namesIn(value) : value,
    keepSound(soundName, most),
  ) as z.ZodType<string[]>;
}

/**
 * A number, also as text, by itself or before its entry of a numbered list: `2`, `"[2]"`, `"Memory
 * 2"`, `"2. key, is in, hall"`.
 */
export const soundNumber = z.preprocess(
  (value) => typeof value === "string" ? Number(NUMBERED.exec(value)?.[1]) : value,
  z.number("it is no number"),
);
const NUMBERED =
  /^\s*(?:(?:memory|fact|relation|statement) )?[[(#]?\s*(-?\d+(?:\.\d+)?)(?:\s*(?:$|\()|[\]):]|\.(?:\s|$))/i;

export function nameIn(text: string): string {
  return mend("name", mend("entry", text)).trim();
}

/**
 * The schema of a list: entries that fit are kept, the others counted. A list without a fitting
 * entry is malformed; an empty one is not.
 *
 * @param most entries that are read, ≥ 1; the others are left out. @default {1000}
 */
export function keepSound<T>(entry: z.ZodType<T>, most = 1000): z.ZodType<T[]> {
  return z.array(z.unknown()).transform((list, problems) => {
    const read = list.slice(0, most).map((value) => entry.safeParse(value));
    const kept = read.flatMap((result) => result.success ? [result.data] : []);
    leaveOut(list.length - kept.length);
    const issue = read.find(({ success }) => !success)?.error?.issues[0];
    if (kept.length === 0 && issue) {
      problems.addIssue({ code: "custom", path: [0, ...issue.path], message: issue.message });
    }
    return kept;
  });
}

/**
 * Makes a parser of `{"field": [entry, …]}`, which keeps the sound entries. A bare list or lines
 * with list marks are read as well.
 *
 * @param most see `keepSound`
 */
export function parseList<T>(field: string, entry: z.ZodType<T>, most?: number): ReplyParser<T[]> {
  const list = keepSound(entry, most);
  return eitherOf(
    parseJson(z.object({ [field]: list }).transform((reply) => reply[field] ?? [])),
    parseJson(list),
    reader((text) => {
      const lines = text.split("\n").filter((line) =>
        /^\s*(?:(?:[-*•]|\d{1,3}[.)])\s|\*\*[^*]+\*\*\s*$)(?<!:\**\s*)/.test(line)
      );
      const marked = list.safeParse(
        lines.map((line) => jsonOf(line.replace(/^[^{]*/, ""), mend("entry", line))),
      );
      return lines.length > 0 && marked.success
        ? { kind: "ok", value: marked.data }
        : { kind: "malformed", problem: "it is no list" };
    }, { completed: completeLines }),
  );
}

/**
 * Reads names: one a line, parted by semicolons, in one line with commas between, or as a JSON
 * list. Placeholders are left out.
 */
export function namesIn(text: string): string[] {
  const lines = mend("lines", text).trim();
  const entries = (/[\n;]/.test(lines) ? lines.split(/[\n;]/) : mend("entry", lines).split(","))
    .map((entry) => mend("entry", entry));
  const names = entries.map((entry) => mend("name", entry).trim());
  const kept = names.filter((name) => name !== "");
  leaveOut(entries.filter((entry, at) => entry.trim() !== "" && names[at] === "").length);
  return kept;
}

/**
 * The one number of a text, apart from a scale that it names; `undefined` if there is none or more.
 */
export function numberIn(text: string): number | undefined {
  const [number, ...others] = new Set(mend("number", text).match(/-?\d+(?:\.\d+)?/g)?.map(Number));
  return others.length === 0 ? number : undefined;
}
