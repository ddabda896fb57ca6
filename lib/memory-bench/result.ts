/**
 * The result file of a benchmark, and what it can be held against: its own hash, the protocol, the seeds and the record.
 *
 * The file is signed by chain heads: each study behind it is named with the head of its chain of episodes, and the file with its own hash. Against the
 * store that it was made from this shows that the numbers follow from the record and that neither was edited afterwards by itself. It does not show who made
 * the record, when, or that it was played: whoever rewrites a whole store can compute new hashes. What settles it for the calibrated readers is to play the
 * same seeds again, which gives the same chain heads on any machine; for live models it is the recorded replies.
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { describeStudy } from "../lab/plan.ts";
import type { Study } from "../lab/study.ts";
import { MEMORIES } from "../memory/registry.ts";
import { provenanceOf } from "../report/provenance.ts";
import { cellText, type Table } from "../report/table.ts";
import { canonicalJson, hashOf } from "../store/canonical.ts";
import { findEpisode } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { getStudy, listStudies } from "../store/studies.ts";
import { type BenchCard, benchCard } from "./card.ts";
import { type Bench, planBench } from "./plan.ts";
import { gameOf, playsIn, PROTOCOL, PROTOCOL_HASH, PUBLISHED_SEEDS } from "./protocol.ts";

const FORMAT = "labyrinth-memory-result 1";

const KINDS = ["published", "held back"] as const;
const text = z.string();
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
const names = list(text);
const table = z.looseObject({ id: text, columns: names, rows: list(list(z.unknown())) });

const resultFile = z.strictObject({
  format: z.literal(FORMAT),
  protocol: z.strictObject({ id: text, sha256: text }),
  labyrinth: text,
  form: z.enum(["quick", "full"]),
  worlds: names,
  memories: names,
  readers: names,
  planned: z.number(),
  sha256: text,
  seeds: z.strictObject({
    kind: z.enum(KINDS),
    sha256: text,
    ranges: z.record(text, list(z.int().min(0).max(2 ** 31 - 1))),
  }),
  studies: list(z.looseObject({ study: text, chain: text, memory: text, reader: text, stage: text.optional() })),
  episodes: list(z.strictObject({ episode: text, study: text, world: text, game: z.number() })),
  tables: list(z.custom<Table>((value) => table.safeParse(value).success)),
  ordering: names,
});

/** A result of the benchmark, as its file holds it. */
export type BenchResult = z.output<typeof resultFile>;

/**
 * Makes the result of what the store holds of a benchmark, as JSON: docs/protocol.md says what it proves.
 *
 * @example
 * ```ts
 * import { benchResult, planBench, PROTOCOL_HASH, verifyResult } from "labyrinth/memory-bench";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // nothing is played
 * const result = benchResult(store, planBench({ quick: true, memories: ["rag"] }));
 * assert.deepEqual(result["protocol"], { id: "labyrinth-memory v1", sha256: PROTOCOL_HASH });
 * assert.equal(verifyResult(result, store).length, 6); // no episode of six games
 * ```
 */
export function benchResult(store: Store, bench: Bench, card: BenchCard = benchCard(store, bench)): Readonly<Record<string, unknown>> {
  const { labyrinth, studies: told } = provenanceOf(store, [...new Set(bench.studies.map(({ id }) => id))]);
  const studies = bench.studies.flatMap(({ id, ...one }) => {
    const found = told.find(({ study }) => study === id);
    return found ? [{ ...found, ...one }] : [];
  });
  const content = plain({
    format: FORMAT,
    protocol: { id: PROTOCOL.id, sha256: PROTOCOL_HASH },
    labyrinth,
    form: bench.form,
    worlds: bench.worlds.map(({ name }) => name),
    memories: bench.memories,
    readers: bench.readers,
    seeds: { kind: KINDS[Number(bench.isHeldBack)], sha256: hashOf(bench.seeds), ranges: bench.seeds },
    studies,
    ...card,
    planned: bench.planned,
  });
  return { ...content, sha256: hashOf(content) };
}

/** A value as its JSON, in which no cell of a table repeats its episodes. */
function plain<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, member) => {
    if (typeof member?.value !== "number") return member;
    const { episodes: __, ...cell } = member;
    return cell;
  }));
}

/** Reads a result file. @throws {UsageError} for a file that is none. */
export function readResult(path: string): BenchResult {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`cannot read the result ${path}: ${(error as Error).message}`, { cause: error });
  }
  return asResult(content, path);
}

function asResult(content: unknown, name: string): BenchResult {
  const result = resultFile.safeParse(content);
  if (result.success) return content as BenchResult;
  const [{ path = [], message = "" } = {}] = result.error.issues;
  throw new UsageError(`${name} is no result of the benchmark: ${path.join(".") || "it"}: ${message}; ./lab memory-bench writes one`);
}

/**
 * Holds a result against itself, the protocol and, where one is given, the store that it was made from: see `benchResult`.
 *
 * @returns what is wrong, a line each; nothing where all agrees
 * @throws {UsageError} for a value that is no result.
 *
 * @example
 * ```ts
 * import { verifyResult } from "labyrinth/memory-bench";
 * import assert from "node:assert/strict";
 *
 * assert.throws(() => verifyResult({ score: 1 }), /is no result of the benchmark/);
 * ```
 */
export function verifyResult(content: unknown, store?: Store): string[] {
  const result = asResult(content, "this");
  const { sha256, ...told } = result;
  return [
    ...(hashOf(told) === sha256 ? [] : ["the file was altered: its content does not have the hash that it names"]),
    ...protocolProblems(result),
    ...seedProblems(result),
    ...absent(result),
    ...(store && result.protocol.sha256 === PROTOCOL_HASH ? recordProblems(result, store) : []),
  ];
}

function protocolProblems({ protocol }: BenchResult): string[] {
  if (protocol.sha256 === PROTOCOL_HASH && protocol.id === PROTOCOL.id) return [];
  return [
    `another protocol: the result is of ${protocol.id} ${protocol.sha256.slice(0, 12)}, this is ${PROTOCOL.id} ${
      PROTOCOL_HASH.slice(0, 12)
    }`,
  ];
}

function seedProblems({ seeds: { kind, sha256, ranges }, episodes }: BenchResult): string[] {
  const all = Object.values(ranges).flat();
  const known = new Set(all);
  const strangers = [...new Set(episodes.filter(({ game }) => !known.has(game)).map(({ game }) => game))];
  const published = new Map(Object.entries(PUBLISHED_SEEDS));
  const altered = Object.entries(ranges).filter(([name, all]) =>
    kind === "published" && hashOf(all) !== hashOf(published.get(name)?.slice(0, all.length) ?? [])
  );
  return [
    ...(known.size === all.length ? [] : ["the seeds were altered: one stands in the ranges twice"]),
    ...(hashOf(ranges) === sha256 ? [] : ["the seeds were altered: they do not have the hash that the file commits to"]),
    ...altered.map(([name]) => `the seeds of range ${name} were altered: they are not those that the protocol publishes`),
    ...(strangers.length === 0 ? [] : [`the seeds were altered: episodes were played with ${strangers.join(", ")}, which no range has`]),
  ];
}

/** Games that a memory and reader of the result have no completed episode of. */
function absent({ seeds, episodes, studies, ...result }: BenchResult): string[] {
  const whose = new Map(studies.filter(({ stage }) => stage === undefined).map(({ study, memory, reader }) => [study, [memory, reader]]));
  const played = new Set(episodes.map(({ study, world, game }) => JSON.stringify([...whose.get(study) ?? [], world, game])));
  const worlds = PROTOCOL.worlds.filter(({ name }) => result.worlds.includes(name));
  return result.memories.flatMap((memory) =>
    result.readers.flatMap((reader) =>
      worlds.filter((world) => playsIn(memory, world)).flatMap(({ name }) =>
        Object.values(seeds.ranges).flat().filter((game) => !played.has(JSON.stringify([memory, reader, name, game])))
          .map((game) => `the episode of ${memory} with ${reader} in ${name}, game ${game}, is missing from the file`)
      )
    )
  );
}

function recordProblems(result: BenchResult, store: Store): string[] {
  const told = new Map(provenanceOf(store, result.studies.map(({ study }) => study)).studies.map((one) => [one.study, one]));
  const missing = result.episodes.filter(({ episode }) => findEpisode(store, episode)?.status !== "completed");
  const heads = new Map(result.studies.map(({ study, chain }) => [study, chain]));
  const chains = [...heads].flatMap(([study, chain]) => {
    const found = told.get(study)?.chain;
    return found === chain ? [] : [`the chain of ${study} ends in ${found?.slice(0, 12) ?? "nothing"}, and not in ${chain.slice(0, 12)}`];
  });
  return [
    ...missing.map(({ episode, study }) => `the episode ${episode} of ${study} is missing from the record`),
    ...chains,
    ...gameProblems(result, store),
    ...planProblems(result, store),
    ...(missing.length + chains.length === 0 ? contentProblems(result, store) : []),
  ];
}

/** Episodes that were not played in the game that their seed draws, or not by the reader that the file names. */
function gameProblems({ episodes, studies }: BenchResult, store: Store): string[] {
  const worlds = new Map(PROTOCOL.worlds.map((world) => [world.name, world]));
  const readers = new Map(studies.flatMap(({ study, reader, stage }) => stage === undefined ? [[study, reader]] : []));
  return episodes.flatMap(({ episode, study, world, game }) => {
    const [record, drawn, reader] = [findEpisode(store, episode), worlds.get(world), readers.get(study)];
    if (!record) return [];
    const isDrawn = drawn && hashOf(record.worldParams) === hashOf(gameOf(drawn, game));
    return [
      ...(isDrawn ? [] : [`the seeds were altered: the episode ${episode} was not played in the game that ${game} draws`]),
      ...(reader === undefined || record.backbone === reader
        ? []
        : [`the episode ${episode} was played by ${record.backbone}, and not by ${reader}`]),
    ];
  });
}

/** Studies of other memories, options, limits or worlds than the protocol plans. */
function planProblems(result: BenchResult, store: Store): string[] {
  const { memories, worlds, seeds } = result;
  const { plays, studies } = planBench({
    memories: memories.map((id) =>
      id in MEMORIES ? id : {
        id,
        create: () => {
          throw new TypeError(`${id} is not at hand`);
        },
      }
    ),
    models: { "*": PROTOCOL.readers[0] as string },
    ...{ worlds, heldBack: seeds.ranges, games: Object.values(seeds.ranges)[0]?.length ?? 0 },
  });
  const asPlayed = (spec: unknown): string => {
    const { lanes, embedder, truth, recallTokens, promptOverrides, book = promptOverrides } = spec as
      & Study
      & Pick<Study, "promptOverrides">
      & { book?: unknown };
    return canonicalJson(plain({ lanes, embedder, truth, recallTokens, book }));
  };
  const keyOf = (memory: string, stage: string | undefined, { lanes }: Pick<Study, "lanes">): string =>
    `${memory} ${lanes[0]?.episodes[0]?.factors?.["world"]} ${stage === undefined}`;
  const byId = new Map(plays.map((play) => [play.id, play]));
  const planned = new Map(studies.flatMap(({ id, memory, stage }) => {
    const study = byId.get(id);
    return study ? [[keyOf(memory, stage, study), asPlayed(describeStudy(study))]] : [];
  }));
  const held = new Set(listStudies(store));
  return result.studies.filter(({ study, memory, stage }) => {
    const played = held.has(study) ? getStudy(store, study) as Study : undefined;
    return played && asPlayed(played) !== planned.get(keyOf(memory, stage, played));
  }).map(({ study }) => `the study ${study} was not played as the protocol plans it`);
}

/** What the file says otherwise than the record gives it. */
function contentProblems(result: BenchResult, store: Store): string[] {
  const { form, seeds: { kind, ranges: seeds }, memories, readers, planned } = result;
  const studies = result.studies.map(({ study: id, memory, reader, stage }) => ({ id, memory, reader, stage }));
  const worlds = PROTOCOL.worlds.filter(({ name }) => result.worlds.includes(name));
  const bench = { form, seeds, memories, readers, planned, studies, worlds, isHeldBack: kind === "held back" };
  const found = benchResult(store, bench) as unknown as BenchResult;
  const named = new Set(result.episodes.map(({ episode }) => episode));
  const lines = {
    episodes: found.episodes.filter(({ episode }) => !named.has(episode))
      .map(({ episode, study }) => `the episode ${episode} of ${study}, which the record has, is missing from the file`),
    tables: found.tables.flatMap((table) => result.tables.filter(({ id }) => id === table.id).flatMap((told) => cellProblems(told, table))),
    ordering: [],
    studies: [],
  };
  return Object.entries(lines).flatMap(([part, own]) => {
    const key = part as keyof typeof lines;
    if (own.length > 0 || canonicalJson(found[key]) === canonicalJson(result[key])) return own;
    return [`the ${key === "ordering" ? "sentences on the ordering" : key} were altered`];
  });
}

function cellProblems(told: Table, found: Table): string[] {
  const { id, columns } = found;
  return found.rows.flatMap((row, at) =>
    columns.flatMap((column, place) => {
      const [before, now] = [told.rows[at]?.[place] ?? null, row[place] ?? null];
      if (canonicalJson(before) === canonicalJson(now)) return [];
      return [`altered number in ${id}, ${row[0]}, ${column}: the file has ${cellText(before)}, the record gives ${cellText(now)}`];
    })
  );
}
