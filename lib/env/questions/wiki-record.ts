/**
 * The page of a record of a corpus: `{title, text}`, or as FEVER's authors publish Wikipedia, `{id, text, lines}`.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../../errors.ts";
import type { Document } from "../environment.ts";

const page = z.looseObject({ title: z.string().min(1), text: z.string() });
const fever = z.looseObject({ id: z.string(), text: z.string(), title: z.undefined().optional() });

/** FEVER's escapes. */
const SIGNS: Readonly<Record<string, string>> = { LRB: "(", RRB: ")", LSB: "[", RSB: "]", LCB: "{", RCB: "}", COLON: ":" };

/**
 * The page of a record, or `undefined` for FEVER's empty first records. FEVER's escapes become brackets and colons again, and the underscores
 * of its titles blanks, as claims have them; the blanks around the words of its texts stay. In titles, U+FFFD replaces NUL and lone surrogates,
 * which a database would change.
 *
 * @throws {UsageError} if the record is no page; the message names its place.
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
