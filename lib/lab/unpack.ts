/** Reading a pack into a store: see `pack.ts` for its form. */

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { zstdDecompressSync } from "node:zlib";
import { UsageError } from "../core/errors.ts";
import { putCall } from "./store/calls.ts";
import type { EpisodeRecord } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { putReply, replyKey } from "./store/replies.ts";
import { differences } from "./identity.ts";
import { type PackManifest, packManifest } from "./pack.ts";
import { KINDS, type PackedEpisode, type PackedRows, rowsOf } from "./packed-rows.ts";
import { positionKey } from "./plan.ts";

/** A pack that has been read wholly once, and is sound. */
export interface Pack {
  readonly path: string;
  readonly manifest: PackManifest;
  readonly episodes: readonly PackedEpisode[];
}

/**
 * Reads a pack and checks all of it: its form, that of each line, the number of its lines, and that each reply stands under the key of its request.
 *
 * @throws {UsageError} in one line, if the file is no pack, is damaged, or is of a newer Labyrinth.
 */
export async function openPack(path: string): Promise<Pack> {
  const counts = { episodes: 0, calls: 0, replies: 0 };
  const episodes: PackedEpisode[] = [];
  let manifest: PackManifest | undefined;
  try {
    for await (const { name, content } of filesOf(path)) {
      if (name === "pack.json") {
        manifest = manifestOf(content);
        continue;
      }
      const read = rowsOf(name, content);
      if (!read) continue;
      counts[read.kind] += read.rows.length;
      if (read.kind === "episodes") episodes.push(...read.rows);
      if (read.kind === "replies" && read.rows.some(({ key, request }) => replyKey(request) !== key)) {
        throw new Error("a reply is not that of its request");
      }
    }
    if (!manifest) throw new Error("it holds no pack.json");
    for (const kind of KINDS) {
      if (counts[kind] !== manifest.counts[kind]) throw new Error(`${counts[kind]} of ${manifest.counts[kind]} ${kind} are there`);
    }
    return { path, manifest, episodes };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message, code } = error as Error & { readonly code?: string };
    const why = code === "ZSTD_error_prefix_unknown" ? "it is not compressed by Zstandard" : message.split("\n")[0];
    const what = manifest ? "is damaged" : "is no pack of Labyrinth, or is damaged";
    throw new UsageError(`the file ${path} ${what} (${why}): get it again, or make one with ./lab pack`, { cause: error });
  }
}

/**
 * Copies the replies of a pack into a store, and the calls of those episodes of which the store holds none, so that what they cost and took is
 * told as it was. The attempts that brought them are those of another store, and left out.
 *
 * @throws {StoreError} if the store cannot be written.
 */
export async function importPack(store: Store, { path }: Pick<Pack, "path">): Promise<void> {
  const known = new Set(store.prepare("select distinct episode from calls").all().map(({ episode }) => episode));
  const calls: PackedRows["calls"][] = [];
  for await (const { name, content } of filesOf(path)) {
    const read = rowsOf(name, content);
    if (read?.kind === "replies") store.transaction(() => read.rows.forEach((row) => putReply(store, row)));
    if (read?.kind === "calls") calls.push(...read.rows.filter(({ episode = null }) => !known.has(episode)));
  }
  store.transaction(() => calls.forEach(({ attempt: _, ...row }) => putCall(store, row.kind === "wasted" ? row : { ...row, recorded: 1 })));
}

/** Why played episodes find no replies in a pack: the first difference from the episode that was packed; `undefined` if there is none. */
export function foreignTo({ episodes }: Pick<Pack, "episodes">, played: readonly EpisodeRecord[]): string | undefined {
  const packed = new Map(episodes.map((row) => [`${row.study} ${positionKey(row.lane, row.ordinal)}`, row]));
  for (const row of played) {
    const one = packed.get(`${row.study} ${positionKey(row.lane, row.ordinal)}`);
    const [difference] = one ? differences(one.identity, row.identity) : [];
    if (difference !== undefined) return `the pack was made of other episodes than these: ${difference}`;
  }
  return undefined;
}

function manifestOf(content: string): PackManifest {
  const value = JSON.parse(content) as { readonly format?: unknown; readonly formatVersion?: unknown };
  if (value.format === "labyrinth-pack" && Number(value.formatVersion) > 1) {
    throw new UsageError(`the pack is of form ${value.formatVersion}, this Labyrinth knows 1: update Labyrinth`);
  }
  const manifest = packManifest.safeParse(value);
  if (manifest.success) return manifest.data;
  const [issue] = manifest.error.issues;
  throw new Error(`pack.json: ${issue?.path.join(".")}: ${issue?.message}`);
}

/**
 * The files of the archive, one at a time. The whole is unpacked in memory: an error of Deno's decompressing stream ends the process, one of
 * its function can be caught.
 */
async function* filesOf(path: string): AsyncGenerator<{ readonly name: string; readonly content: string }> {
  const { extract } = await import("tar-stream");
  const tar = extract();
  tar.end(zstdDecompressSync(await readFile(path)));
  for await (const entry of tar) yield { name: entry.header.name, content: await text(entry as unknown as NodeJS.ReadableStream) };
}
