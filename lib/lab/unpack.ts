/**
 * Reading a pack into a store: see `pack.ts` for its form. What others wrote is checked before it
 * comes near a store.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { UsageError } from "../core/errors.ts";
import { checkoutRoot } from "../core/platform.ts";
import { type CallRow, putCall } from "./store/calls.ts";
import type { EpisodeRecord } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { putReply, replyKey } from "./store/replies.ts";
import { differences, type Identity } from "./identity.ts";
import { type PackedEpisode, type PackLine, type PackManifest, packManifest } from "./pack.ts";
import { positionKey } from "./study.ts";

/** A pack that has been read wholly once, and is sound. */
export interface Pack {
  readonly path: string;
  readonly manifest: PackManifest;
  readonly episodes: readonly PackedEpisode[];
}

/**
 * Reads a pack and checks all of it: its form, its lines and their number, and that each reply has
 * the key of its request.
 *
 * @throws {UsageError} in one line, if the file is no pack, is damaged, or is of another Labyrinth.
 */
export function openPack(path: string): Pack {
  const counts = { episodes: 0, calls: 0, replies: 0 };
  const episodes: PackedEpisode[] = [];
  let manifest: PackManifest | undefined;
  try {
    for (const [number, line] of linesOf(path)) {
      if (!manifest) {
        manifest = manifestOf(line);
        continue;
      }
      const row = rowOf(line, number);
      if ("episode" in row) counts.episodes = episodes.push(row.episode);
      else if ("call" in row) counts.calls++;
      else {
        counts.replies++;
        if (replyKey(row.reply.request) !== row.reply.key) {
          throw new Error(`line ${number}: a reply is not that of its request`);
        }
      }
    }
    if (!manifest) throw new Error("it is empty");
    for (const kind of ["episodes", "calls", "replies"] as const) {
      if (counts[kind] !== manifest.counts[kind]) {
        throw new Error(`${counts[kind]} of ${manifest.counts[kind]} ${kind} are there`);
      }
    }
    return { path, manifest, episodes };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message, code } = error as Error & { readonly code?: string };
    const why = code === "ZSTD_error_prefix_unknown"
      ? "it is not compressed by Zstandard"
      : message.split("\n")[0];
    const what = manifest ? "is damaged" : "is no pack of Labyrinth, or is damaged";
    throw new UsageError(
      `the file ${path} ${what} (${why}): get it again, or make one with ./lab pack`,
      { cause: error },
    );
  }
}

/**
 * Copies the replies of a pack into a store, and the calls of episodes that are new there, with
 * their costs and times. Their attempts belong to another store and are left out.
 *
 * @throws {StoreError} if the store cannot be written.
 */
export function importPack(store: Store, { path }: Pick<Pack, "path">): void {
  const known = new Set(
    store.prepare("select distinct episode from calls").all().map(({ episode }) => episode),
  );
  const put = ({ attempt: _, ...row }: CallRow): void => {
    if (!known.has(row.episode ?? null)) {
      putCall(store, row.kind === "wasted" ? row : { ...row, recorded: 1 });
    }
  };
  store.transaction(() => {
    for (const [number, line] of linesOf(path)) {
      if (number === 1) continue;
      const row = rowOf(line, number);
      if ("reply" in row) putReply(store, row.reply);
      else if ("call" in row) put(row.call);
    }
  });
}

/**
 * Reads a pack, whose path may be relative to the checkout, and copies its replies into a store, so that its study can be played
 * with `cacheMode: "replay"`.
 *
 * @throws {UsageError} if the file is not a pack or is damaged.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { importReplies } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => importReplies(store, "none.jsonl.zst"), { name: "UsageError" });
 * ```
 */
export function importReplies(store: Store, path: string): void {
  importPack(store, openPack(existsSync(path) ? path : join(checkoutRoot(), path)));
}

/**
 * Why played episodes find no replies in a pack: the first difference from the episode that was
 * packed; `undefined` if there is none.
 */
export function foreignTo(
  { episodes }: Pick<Pack, "episodes">,
  played: readonly EpisodeRecord[],
): string | undefined {
  const packed = new Map(
    episodes.map((row) => [`${row.study} ${positionKey(row.chain, row.ordinal)}`, row]),
  );
  for (const row of played) {
    const one = packed.get(`${row.study} ${positionKey(row.chain, row.ordinal)}`);
    const [difference] = one ? differences(one.identity as Identity, row.identity) : [];
    if (difference !== undefined) {
      return `the pack was made of other episodes than these: ${difference}`;
    }
  }
  return undefined;
}

function manifestOf(line: string): PackManifest {
  const value = JSON.parse(line) as { readonly format?: unknown; readonly formatVersion?: unknown };
  if (value.format === "labyrinth-pack" && Number(value.formatVersion) > 2) {
    throw new UsageError(
      `the pack has version ${value.formatVersion}, this Labyrinth reads 2: update Labyrinth`,
    );
  }
  const manifest = packManifest.safeParse(value);
  if (manifest.success) return manifest.data;
  const [issue] = manifest.error.issues;
  throw new Error(`line 1: ${issue?.path.join(".")}: ${issue?.message}`);
}

const count = z.int().nonnegative();
const amount = z.number().nonnegative();
const record = z.record(z.string(), z.unknown());

const usage = z.strictObject({
  prompt: count,
  cached: count,
  written: count.optional(),
  completion: count,
  reasoning: count,
});
const toolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
const choice = z.strictObject({
  text: z.string(),
  thought: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
  finish: z.enum(["stop", "length", "tools", "filter"]),
});

/** The schema of a line of each kind. */
const LINES = {
  episode: z.strictObject({
    id: z.string(),
    study: z.string(),
    chain: z.string(),
    ordinal: count,
    identity: record,
  }),
  call: z.strictObject({
    ...z.strictObject({
      episode: z.string(),
      pass: count,
      step: count,
      vote: count,
      reAsk: count,
      error: z.string(),
    }).partial().shape,
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
  reply: z.strictObject({
    key: z.string(),
    request: z.looseObject({ role: z.string(), model: z.string() }),
    reply: z.strictObject({
      model: z.string(),
      choices: z.array(choice).min(1),
      usage,
      latencyMs: amount.optional(),
    }),
    endpoint: z.string(),
    codeVersion: z.string(),
    at: count,
  }),
} as const;

/** A line after the first. @throws {Error} naming the line of another form. */
function rowOf(line: string, number: number): PackLine {
  const row = JSON.parse(line) as PackLine;
  const [kind = "", ...more] = Object.keys(row);
  const schema = more.length === 0 && Object.hasOwn(LINES, kind)
    ? LINES[kind as keyof typeof LINES]
    : z.never();
  const [issue] = schema.safeParse(Object.values(row)[0]).error?.issues ?? [];
  if (issue) {
    throw new Error(
      `line ${number}: ${[kind, ...issue.path.map(String), issue.message].join(": ")}`,
    );
  }
  return row;
}

/**
 * The lines of a pack with their numbers, from 1. The whole is unpacked in memory: an error of
 * Deno's decompressing stream ends the process, one of its function can be caught.
 */
function* linesOf(path: string): Generator<[number: number, line: string]> {
  const bytes = zstdDecompressSync(readFileSync(path));
  for (let [at, number] = [0, 1]; at < bytes.length; number++) {
    const end = bytes.indexOf(NEWLINE, at);
    yield [number, bytes.toString("utf8", at, end < 0 ? bytes.length : end)];
    at = end < 0 ? bytes.length : end + 1;
  }
}

const NEWLINE = "\n".charCodeAt(0);
