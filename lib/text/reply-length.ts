/** The length limit of replies, and parsers that keep it. */

import { type ParsedJson, parseJson, type Schema } from "./json.ts";

/** The length limit of a reply in characters, where a prompt sets no lower one. */
export const LONGEST_REPLY = 20_000;

/**
 * The parse failure of a reply that is too long, `undefined` for any other. Parsers check it before they match patterns.
 *
 * @param longest characters, ≥ 0. @default {20_000}
 */
export function overlong(
  text: string,
  longest: number = LONGEST_REPLY,
): { readonly kind: "malformed"; readonly problem: string } | undefined {
  if (text.length <= longest) return undefined;
  return { kind: "malformed", problem: `it has ${text.length} characters and may have ${longest}` };
}

/** Reads a reply that is a text, without white space at its ends. An empty or overlong one is malformed. */
export function readText(reply: string, longest: number = LONGEST_REPLY): ParsedJson<string> {
  const text = reply.trim();
  if (text === "") return { kind: "malformed", problem: "it is empty" };
  return overlong(text, longest) ?? { kind: "ok", value: text };
}

/** Creates a parser of JSON (`parseJson`) in replies that are not overlong. */
export function parseShortJson<T>(schema: Schema<T>): (reply: string) => ParsedJson<T> {
  const parse = parseJson(schema);
  return (reply) => overlong(reply) ?? parse(reply);
}
