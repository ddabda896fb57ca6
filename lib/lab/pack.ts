/**
 * Packs: the recorded replies of some studies in one archive, from which their tables are rebuilt without a model.
 *
 * A pack is a tar archive compressed by Zstandard: `pack.json` (what it holds, see `PackManifest`), `LICENCE.txt`, and lines of JSON in
 * `episodes/`, `calls/` and `replies/`. The same record gives the same bytes.
 */

import { createWriteStream, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { z } from "zod";
import { UsageError } from "../core/errors.ts";
import { WEIGHT_NOTES } from "../core/llm/local-server.ts";
import { bindingSchema } from "../core/llm/role-map.ts";
import { type ModelBinding, type RoleMap, samplingOf } from "../core/llm/roles.ts";
import { checkoutRoot } from "../core/platform.ts";
import { type CallRow, listCalls } from "./store/calls.ts";
import { listEpisodes } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { getReplyRow, type ReplyRow } from "./store/replies.ts";
import { hideSecrets } from "../core/text/secrets.ts";
import { type Secret, secretsOf } from "./store/secrets-of.ts";
import { getStudy } from "./store/studies.ts";
import type { PackedEpisode } from "./packed-rows.ts";

/** A study of a pack. */
const packedStudy = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Role → model with what decides its replies; addresses, keys and headers are left out. */
  models: z.record(z.string(), z.union([z.string(), bindingSchema])),
  embedder: z.string().optional(),
  promptOverrides: z.record(z.string(), z.string()).optional(),
  /** World → its versions. */
  worlds: z.record(z.string(), z.array(z.string())),
  planned: z.number(),
  completed: z.number(),
});

/** The schema of `pack.json`. */
export const packManifest = z.strictObject({
  format: z.literal("labyrinth-pack"),
  formatVersion: z.literal(1),
  /** Version of Labyrinth that wrote the pack, and those of the code that asked for the replies. */
  labyrinth: z.string(),
  codeVersions: z.array(z.string()),
  studies: z.array(packedStudy).min(1),
  /** Number of lines of each kind. */
  counts: z.strictObject({ episodes: z.number(), calls: z.number(), replies: z.number() }),
});

/** What a pack holds. */
export type PackManifest = z.infer<typeof packManifest>;

/**
 * Writes the completed episodes of studies as a pack, and returns what it holds. The file appears when it is whole.
 *
 * @throws {UsageError} if a study has no completed episode, the record lacks a reply, or a text holds a key or a path of this machine.
 */
export async function writePack(store: Store, studies: readonly string[], path: string): Promise<PackManifest> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) { // a device would give way to the pack
    throw new UsageError(`cannot write the pack to ${path}, which is no file: name another one with --out`);
  }
  const { pack: createTar } = await import("tar-stream");
  const content = contentOf(store, studies);
  const tar = createTar();
  const partial = `${path}.part`;
  const compress = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: 9,
      // Prompts repeat what earlier ones said: far matches make a pack a fifth of what it is without.
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  const written = pipeline(tar as unknown as NodeJS.ReadableStream, compress, createWriteStream(partial));
  written.catch(() => {}); // it is awaited below, after the error that is its cause
  try {
    const guard = secretsOf(store, studies);
    for (const { name, text } of filesOf(content)) {
      refuseSecrets(text, guard);
      await new Promise<void>((resolve, reject) => {
        tar.entry({ name, mtime: new Date(0) }, text, (error) => error ? reject(error) : resolve());
      });
    }
    tar.finalize();
    await written;
    renameSync(partial, path);
  } catch (error) {
    tar.destroy(error as Error);
    await written.catch(() => {});
    rmSync(partial, { force: true });
    throw error;
  }
  return content.manifest;
}

interface Content {
  readonly manifest: PackManifest;
  readonly episodes: readonly PackedEpisode[];
  readonly calls: readonly CallRow[];
  /** The replies, read one by one: together they may not fit in memory. */
  readonly replies: () => Iterable<ReplyRow>;
}

function contentOf(store: Store, studies: readonly string[]): Content {
  const rows = studies.flatMap((study) => listEpisodes(store, { study }));
  const completed = rows.filter(({ status }) => status === "completed");
  const bare = studies.find((study) => !completed.some((row) => row.study === study));
  if (bare !== undefined) throw new UsageError(`cannot pack ${bare}: none of its episodes is completed in the store ${store.path}`);
  // Attempts belong to the store in which they were made; the replies to all calls are in the pack.
  const calls = completed.flatMap(({ id }) => listCalls(store, id)).map(({ attempt: _, recorded: __, ...call }) => call);
  const keys = keysInOrder(store, calls);
  const counts = { episodes: completed.length, calls: calls.length, replies: keys.length };
  const packed = studies.map((id) => packedStudyOf(store, id, rows.filter(({ study }) => study === id)));
  const codeVersions = new Set<string>();
  for (const key of keys) codeVersions.add(String(store.prepare("select code_version from replies where key = ?").get(key)?.code_version));
  return {
    manifest: {
      format: "labyrinth-pack",
      formatVersion: 1,
      labyrinth: JSON.parse(readFileSync(`${checkoutRoot()}deno.json`, "utf8")).version,
      codeVersions: [...codeVersions].sort(),
      studies: packed,
      counts,
    },
    episodes: completed.map(({ id, study, lane, ordinal, identity }) => ({ id, study, lane, ordinal, identity })),
    calls,
    replies: function* (): Generator<ReplyRow> {
      for (const key of keys) {
        const row = getReplyRow(store, key) as ReplyRow;
        yield { ...row, endpoint: publicHost(row.endpoint) };
      }
    },
  };
}

/** The keys of all replies to some calls: by role and time, so that prompts that resemble each other stand together. */
function keysInOrder(store: Store, calls: readonly CallRow[]): string[] {
  const asked = new Set(calls.filter(({ kind }) => kind !== "wasted").map(({ key }) => key));
  const find = store.prepare("select key, role, at from replies where key = ?");
  const found = [...asked].map((key) => {
    const row = find.get(key);
    if (row) return { key, role: String(row.role), at: Number(row.at) };
    const { role, episode } = calls.find((call) => call.key === key) as CallRow;
    throw new UsageError(`cannot pack episode ${episode}: a reply to ${role} is not on record, as after a run with --replies off`);
  });
  return found.sort((a, b) => compare(a.role, b.role) || a.at - b.at || compare(a.key, b.key)).map(({ key }) => key);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface StudySpec {
  readonly title: string;
  readonly models: RoleMap;
  readonly embedder?: string;
  readonly book?: Record<string, string>;
}

function packedStudyOf(store: Store, id: string, rows: ReturnType<typeof listEpisodes>): PackManifest["studies"][number] {
  const { title, models, embedder, book } = getStudy(store, id) as StudySpec;
  const versions = Map.groupBy(rows, ({ world }) => world);
  return {
    id,
    title,
    models: Object.fromEntries(Object.entries(models).map(([role, binding]) => [role, decidingPart(binding)])),
    embedder: embedder?.startsWith("transformers:") ? `transformers:${basename(embedder)}` : embedder,
    promptOverrides: book,
    worlds: Object.fromEntries(
      [...versions].map(([world, of]) => [world, [...new Set(of.map(({ identity }) => String(identity["worldVersion"])))].sort()]),
    ),
    planned: rows.length,
    completed: rows.filter(({ status }) => status === "completed").length,
  };
}

/** What of a binding decides replies and their price; not its address, key, headers and limits. */
function decidingPart(binding: ModelBinding): ModelBinding {
  if (typeof binding === "string") return binding;
  const { model, provider, style, price, enforceForms, thinkingTokens } = binding;
  return JSON.parse(JSON.stringify({ model, provider, style, price, enforceForms, thinkingTokens, ...hideSecrets(samplingOf(binding)) }));
}

/** The name of a maker's own host; other hosts may be private. */
function publicHost(host: string): string {
  return /(^|\.)(openai|anthropic|googleapis)\.com( |$)/.test(host) || /^[^.:]+$/.test(host) ? host : "another host";
}

/** Characters of a file in the archive, about: the unit in which a pack is written and read. */
const CHUNK = 4_000_000;

function* filesOf({ manifest, episodes, calls, replies }: Content): Generator<{ readonly name: string; readonly text: string }> {
  yield { name: "pack.json", text: `${JSON.stringify(manifest, null, 2)}\n` };
  yield { name: "LICENCE.txt", text: licenceOf(manifest) };
  for (const [kind, rows] of Object.entries({ episodes, calls, replies: replies() })) {
    let [text, n] = ["", 1];
    for (const row of rows) {
      text += `${JSON.stringify(row)}\n`;
      if (text.length < CHUNK) continue;
      yield { name: `${kind}/${n++}.jsonl`, text };
      text = "";
    }
    if (text !== "") yield { name: `${kind}/${n}.jsonl`, text };
  }
}

function licenceOf({ studies }: PackManifest): string {
  const models = new Set(studies.flatMap(({ models }) => Object.values(models).map((one) => typeof one === "string" ? one : one.model)));
  const worlds = new Set(studies.flatMap(({ worlds }) => Object.keys(worlds)));
  return [
    "The form of this pack and the wording of Labyrinth's prompts are under the MIT licence of Labyrinth.",
    `The replies are outputs of ${[...models].sort().join(", ")}: the terms of their makers say what may be done with them.`,
    ...[...models].flatMap((model) => WEIGHT_NOTES[model] ?? []),
    `The prompts quote ${[...worlds].sort().join(", ")}: each world's texts are under the licence of that world and of its games.`,
    "Whoever passes the pack on has to keep them all.",
    "",
  ].join("\n");
}

/** @throws {UsageError} if the text holds one. */
function refuseSecrets(text: string, secrets: readonly Secret[]): void {
  const found = secrets.find((secret) => text.includes(JSON.stringify(secret.text).slice(1, -1)));
  if (found) throw new UsageError(`cannot write the pack: a text in it holds ${found.what}, which must not leave this machine`);
}
