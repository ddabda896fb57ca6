/** The lines of a pack and their form: what others wrote is checked before it comes near a store. */

import { z } from "zod";
import type { CallRow } from "./store/calls.ts";
import type { ReplyRow } from "./store/replies.ts";
import type { Identity } from "./identity.ts";

/** A completed episode of a pack. */
export interface PackedEpisode {
  readonly id: string;
  readonly study: string;
  readonly lane: string;
  readonly ordinal: number;
  readonly identity: Identity;
}

/** The kinds of lines in a pack, each with its rows; a folder of the archive is named after each. */
export interface PackedRows {
  readonly episodes: PackedEpisode;
  readonly calls: CallRow;
  readonly replies: ReplyRow;
}

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const record = z.record(z.string(), z.unknown());

const usage = z.strictObject({ prompt: count, cached: count, written: count.optional(), completion: count, reasoning: count });
const toolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
const choice = z.strictObject({
  text: z.string(),
  thought: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
  finish: z.enum(["stop", "length", "tools", "filter"]),
});

/** The schema of a line of each kind. */
const LINES: { readonly [Kind in keyof PackedRows]: z.ZodType } = {
  episodes: z.strictObject({ id: z.string(), study: z.string(), lane: z.string(), ordinal: count, identity: record }),
  calls: z.strictObject({
    ...z.strictObject({ episode: z.string(), pass: count, step: count, vote: count, reAsk: count, error: z.string() }).partial().shape,
    ...z.strictObject({ boundTokens: count, boundDollars: amount }).partial().shape,
    role: z.string(),
    model: z.string(),
    key: z.string(),
    kind: z.enum(["paid", "replayed", "wasted"]),
    promptTokens: count,
    cachedTokens: count,
    completionTokens: count,
    reasoningTokens: count,
    dollars: amount.nullable(),
    latencyMs: amount,
    at: count,
  }),
  replies: z.strictObject({
    key: z.string(),
    request: z.looseObject({ role: z.string(), model: z.string() }),
    reply: z.strictObject({ model: z.string(), choices: z.array(choice).min(1), usage, latencyMs: amount.optional() }),
    endpoint: z.string(),
    codeVersion: z.string(),
    at: count,
  }),
};

/** The kinds of lines, in the order of the archive. */
export const KINDS = ["episodes", "calls", "replies"] as const satisfies readonly (keyof PackedRows)[];

/** The rows of one kind in a file of the archive. */
export type ReadRows = {
  readonly [Kind in keyof PackedRows]: { readonly kind: Kind; readonly rows: PackedRows[Kind][] };
}[keyof PackedRows];

/** The rows of a file in the archive; `undefined` for a file of another kind. @throws {Error} naming file and line of a row of another form. */
export function rowsOf(name: string, content: string): ReadRows | undefined {
  const kind = KINDS.find((kind) => name.startsWith(`${kind}/`));
  if (!kind) return undefined;
  const rows = content.split("\n").filter(Boolean).map((line, index) => {
    const value: unknown = JSON.parse(line);
    const [issue] = LINES[kind].safeParse(value).error?.issues ?? [];
    if (issue) throw new Error(`${name}, line ${index + 1}: ${[...issue.path.map(String), issue.message].join(": ")}`);
    return value;
  });
  return { kind, rows } as ReadRows;
}
