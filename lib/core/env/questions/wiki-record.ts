/**
 * The page of a record of a corpus: `{title, text}`, or as FEVER's authors publish Wikipedia, `{id,
 * text, lines}`.
 */

import { z } from "zod";
import { UsageError } from "../../errors.ts";
import type { Document } from "../environment.ts";

export interface WikiPage extends Document {
  /**
   * Its sentences by the numbers that FEVER's evidence names; absent if the corpus does not number
   * them.
   */
  readonly sentences?: readonly string[];
}

const page = z.looseObject({ title: z.string().min(1), text: z.string() });
const fever = z.looseObject({
  id: z.string(),
  text: z.string(),
  lines: z.string().optional(),
  title: z.undefined().optional(),
});

const SIGNS: Readonly<Record<string, string>> = {
  LRB: "(",
  RRB: ")",
  LSB: "[",
  RSB: "]",
  LCB: "{",
  RCB: "}",
  COLON: ":",
};

/**
 * The page of a record, or `undefined` for FEVER's empty first records. FEVER's escapes become
 * brackets and colons, underscores of titles become blanks. In titles, U+FFFD replaces NUL and lone
 * surrogates, which a database would change.
 * @throws {UsageError} if the record is not a page; the message names its place.
 */
export function pageOf(record: unknown, where: string): WikiPage | undefined {
  const official = fever.safeParse(record);
  if (official.success) {
    const { id, text, lines } = official.data;
    if (id === "") return undefined;
    return {
      title: titleOfPage(id),
      text: withSigns(text),
      ...(lines === undefined ? {} : { sentences: sentencesOf(lines) }),
    };
  }
  const parsed = page.safeParse(record);
  if (parsed.success) return { title: titleOf(parsed.data.title), text: parsed.data.text };
  const [issue] = parsed.error.issues;
  throw new UsageError(
    `${where}: ${
      issue?.path.join(".") || "the record"
    }: ${issue?.message}; a page is {"title": …, "text": …}`,
  );
}

export function titleOfPage(id: string): string {
  return titleOf(withSigns(id.replaceAll("_", " ")));
}

/** Reads FEVER's `lines`: number, sentence and links of each, parted by tabs. */
function sentencesOf(lines: string): string[] {
  const sentences: string[] = [];
  for (const [, number, text = ""] of lines.matchAll(/^(\d+)\t([^\t\n]*)/gm)) {
    sentences[Number(number)] = withSigns(text).trim();
  }
  return Array.from(sentences, (sentence) => sentence ?? "");
}

function titleOf(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function withSigns(text: string): string {
  return text.replaceAll(/-(L[RSC]B|R[RSC]B|COLON)-/g, (_, name: string) => SIGNS[name] ?? "");
}
