/**
 * The page that a record of a corpus holds: `{title, text}`, or as FEVER's authors publish Wikipedia, `{id, text, lines}`.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../../errors.ts";
import type { Document } from "../environment.ts";

const page = z.looseObject({ title: z.string().min(1), text: z.string() });
const fever = z.looseObject({ id: z.string(), text: z.string(), title: z.undefined().optional() });

/** FEVER's words for signs; its titles stand as identifiers do. */
const SIGNS: Readonly<Record<string, string>> = { LRB: "(", RRB: ")", LSB: "[", RSB: "]", LCB: "{", RCB: "}", COLON: ":" };

/**
 * The page of a record. FEVER's have their brackets and colons again, and blanks for the underscores of titles, for these are what claims have;
 * the blanks around the words of its texts stay. Its empty first records are no pages. In titles U+FFFD stands for what no text has: NUL, and
 * halves of letters, of which a database would make something else.
 *
 * @throws {UsageError} naming the place of a record that is none.
 */
export function pageOf(record: unknown, where: string): Document | undefined {
  const official = fever.safeParse(record);
  if (official.success) {
    const { id, text } = official.data;
    return id === "" ? undefined : { title: titleOf(withSigns(id.replaceAll("_", " "))), text: withSigns(text) };
  }
  const parsed = page.safeParse(record);
  if (parsed.success) return { title: titleOf(parsed.data.title), text: parsed.data.text };
  const [issue] = parsed.error.issues;
  throw new UsageError(`${where}: ${issue?.path.join(".") || "the record"}: ${issue?.message}; a page is {"title": …, "text": …}`);
}

function titleOf(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function withSigns(text: string): string {
  return text.replaceAll(/-(L[RSC]B|R[RSC]B|COLON)-/g, (_, name: string) => SIGNS[name] ?? "");
}
