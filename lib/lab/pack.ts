/**
 * Packs: the recorded replies of some studies in one file, from which their tables are rebuilt
 * without a model.
 *
 * A pack is lines of JSON, compressed by Zstandard: first what it holds (`PackManifest`), then a
 * line for each episode, call and reply, such as
 * `{"reply":{…}}`. The same record gives the same bytes.
 */

import { createWriteStream, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { z } from "zod";
import { UsageError } from "../core/errors.ts";
import { WEIGHT_NOTES } from "../core/llm/local-server.ts";
import { bindingSchema } from "../core/llm/binding-fields.ts";
import { type ModelBinding, type RoleMap, samplingOf } from "../core/llm/roles.ts";
import { checkoutRoot } from "../core/platform.ts";
import { hideSecrets } from "../core/text/secrets.ts";
import { type CallRow, listCalls } from "./store/calls.ts";
import { type EpisodeRecord, listEpisodes } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { getReplyRow, type ReplyRow } from "./store/replies.ts";
import { type Secret, secretsOf } from "./store/secrets-of.ts";
import { getStudy } from "./store/studies.ts";

/** A completed episode of a pack. */
export type PackedEpisode = Pick<EpisodeRecord, "id" | "study" | "chain" | "ordinal" | "identity">;

/** A line of a pack. */
export type PackLine = { readonly episode: PackedEpisode } | { readonly call: CallRow } | {
  readonly reply: ReplyRow;
};

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

/** The schema of the first line. */
export const packManifest = z.strictObject({
  format: z.literal("labyrinth-pack"),
  formatVersion: z.literal(2),
  /** Version of Labyrinth that wrote the pack, and those of the code that asked for the replies. */
  labyrinth: z.string(),
  codeVersions: z.array(z.string()),
  studies: z.array(packedStudy).min(1),
  /** Number of lines of each kind. */
  counts: z.strictObject({ episodes: z.number(), calls: z.number(), replies: z.number() }),
  /** Who may do what with the texts. */
  licence: z.string(),
});

/** What a pack holds. */
export type PackManifest = z.infer<typeof packManifest>;

/**
 * Writes the completed episodes of studies as a pack, and returns what it holds. The file appears
 * when it is whole.
 *
 * @throws {UsageError} if a study has no completed episode, the record lacks a reply, or a text
 *   holds a key or a path of this machine.
 */
export async function writePack(
  store: Store,
  studies: readonly string[],
  path: string,
): Promise<PackManifest> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) { // a device would give way to the pack
    throw new UsageError(
      `cannot write the pack to ${path}: not a file; name another with --out`,
    );
  }
  const completed = studies.flatMap((study) => listEpisodes(store, { study })).filter((
    { status },
  ) => status === "completed");
  const bare = studies.find((study) => !completed.some((row) => row.study === study));
  if (bare !== undefined) {
    throw new UsageError(
      `cannot pack ${bare}: none of its episodes is completed in the store ${store.path}`,
    );
  }
  // Attempts belong to the store in which they were made; the replies to all calls are in the pack.
  const calls = completed.flatMap(({ id }) => listCalls(store, id)).map((
    { attempt: _, recorded: __, ...call },
  ) => call);
  const replies = repliesTo(store, calls);
  const manifest = manifestOf(store, studies, {
    counts: { episodes: completed.length, calls: calls.length, replies: replies.length },
    codeVersions: [...new Set(replies.map(({ version }) => version))].sort(),
  });
  const secrets = secretsOf(store, studies);
  function* lines(): Generator<string> {
    const line = (row: PackManifest | PackLine): string =>
      withoutSecrets(`${JSON.stringify(row)}\n`, secrets);
    yield line(manifest);
    for (const { id, study, chain, ordinal, identity } of completed) {
      yield line({ episode: { id, study, chain, ordinal, identity } });
    }
    for (const call of calls) yield line({ call });
    for (const { key } of replies) { // read one by one: together they may not fit in memory
      const row = getReplyRow(store, key) as ReplyRow;
      yield line({ reply: { ...row, endpoint: publicHost(row.endpoint) } });
    }
  }
  const compress = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: 9,
      // Prompts repeat what earlier ones said: far matches make a pack a fifth of what it is
      // without.
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  const partial = `${path}.part`;
  try {
    await pipeline(Readable.from(lines()), compress, createWriteStream(partial));
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return manifest;
}

function manifestOf(
  store: Store,
  ids: readonly string[],
  found: Pick<PackManifest, "counts" | "codeVersions">,
): PackManifest {
  const studies = ids.map((id) => packedStudyOf(store, id, listEpisodes(store, { study: id })));
  return {
    format: "labyrinth-pack",
    formatVersion: 2,
    labyrinth: labVersion(),
    studies,
    ...found,
    licence: licenceOf(studies),
  };
}

/** Version of this Labyrinth. */
export function labVersion(): string {
  return JSON.parse(readFileSync(`${checkoutRoot()}deno.json`, "utf8")).version;
}

/**
 * The keys of all replies to some calls: by role and time, so that prompts that resemble each other
 * stand together.
 */
function repliesTo(
  store: Store,
  calls: readonly CallRow[],
): { readonly key: string; readonly version: string }[] {
  const asked = new Map(
    calls.filter(({ kind }) => kind !== "wasted").map((call) => [call.key, call]),
  );
  const find = store.prepare("select role, at, code_version from replies where key = ?");
  const found = [...asked].map(([key, { role, episode }]) => {
    const row = find.get(key);
    if (row) {
      return { key, role: String(row.role), at: Number(row.at), version: String(row.code_version) };
    }
    throw new UsageError(
      `cannot pack episode ${episode}: a reply to ${role} is not on record, as after a run with --replies off`,
    );
  });
  return found.sort((a, b) => compare(a.role, b.role) || a.at - b.at || compare(a.key, b.key));
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

/** What a study was played with. */
export function packedStudyOf(
  store: Store,
  id: string,
  rows: readonly EpisodeRecord[],
): PackManifest["studies"][number] {
  const { title, models, embedder, book } = getStudy(store, id) as StudySpec;
  const versions = Map.groupBy(rows, ({ world }) => world);
  return {
    id,
    title,
    models: Object.fromEntries(
      Object.entries(models).map(([role, binding]) => [role, decidingPart(binding)]),
    ),
    embedder: embedder?.startsWith("transformers:")
      ? `transformers:${basename(embedder)}`
      : embedder,
    promptOverrides: book,
    worlds: Object.fromEntries(
      [...versions].map((
        [world, of],
      ) => [
        world,
        [...new Set(of.map(({ identity }) => String(identity["worldVersion"])))].sort(),
      ]),
    ),
    planned: rows.length,
    completed: rows.filter(({ status }) => status === "completed").length,
  };
}

/** What of a binding decides replies and their price; not its address, key, headers and limits. */
function decidingPart(binding: ModelBinding): ModelBinding {
  if (typeof binding === "string") return binding;
  const { model, provider, style, price, enforceForms, thinkingTokens } = binding;
  return JSON.parse(
    JSON.stringify({
      model,
      provider,
      style,
      price,
      enforceForms,
      thinkingTokens,
      ...hideSecrets(samplingOf(binding)),
    }),
  );
}

/** The name of a maker's own host; other hosts may be private. */
function publicHost(host: string): string {
  return /(^|\.)(openai|anthropic|googleapis)\.com( |$)/.test(host) || /^[^.:]+$/.test(host)
    ? host
    : "another host";
}

/** Who may do what with the texts of studies. */
export function licenceOf(studies: PackManifest["studies"]): string {
  const models = new Set(
    studies.flatMap(({ models }) =>
      Object.values(models).map((one) => typeof one === "string" ? one : one.model)
    ),
  );
  const worlds = new Set(studies.flatMap(({ worlds }) => Object.keys(worlds)));
  return [
    "The form of these files and the wording of Labyrinth's prompts are under the MIT licence of Labyrinth.",
    `The replies are outputs of ${
      [...models].sort().join(", ")
    }: the terms of their makers say what may be done with them.`,
    ...[...models].flatMap((model) => WEIGHT_NOTES[model] ?? []),
    `The prompts quote ${
      [...worlds].sort().join(", ")
    }: each world's texts are under the licence of that world and of its games.`,
    "Whoever passes them on has to keep them all.",
  ].join("\n");
}

/** The text. @throws {UsageError} if it holds a secret. */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const found = secrets.find((secret) => text.includes(JSON.stringify(secret.text).slice(1, -1)));
  if (found) {
    throw new UsageError(
      `cannot pack the study: a text of it holds ${found.what}, which must not leave this machine`,
    );
  }
  return text;
}
