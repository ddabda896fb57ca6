/** `./lab memory-bench`: plays the memory benchmark, prints its card and writes a result file; `verify` holds such a file against the record. */

import { existsSync, mkdirSync } from "node:fs";
import { join, parse } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { connectWorlds } from "../env/worlds.ts";
import type { Estimate } from "../lab/estimate.ts";
import { priceStudy } from "../lab/lab.ts";
import { UsageError } from "../errors.ts";
import { terminalText } from "../foreign-text.ts";
import type { CustomMemory } from "../lab/study.ts";
import { MEMORIES } from "../memory/registry.ts";
import { benchCard } from "../memory-bench/card.ts";
import { scoreFigure } from "../memory-bench/figure.ts";
import { type BenchPlan, planBench } from "../memory-bench/plan.ts";
import { drawSeeds, PROTOCOL, PROTOCOL_HASH, type SeedRanges } from "../memory-bench/protocol.ts";
import { benchResult, readResult, verifyResult } from "../memory-bench/result.ts";
import { checkoutRoot } from "../platform.ts";
import { GALLERY } from "../papers/gallery.ts";
import { exportFigure, exportTable, writeAll } from "../report/export.ts";
import { writeGallery } from "../report/gallery.ts";
import { provenanceOf } from "../report/provenance.ts";
import { toMarkdown } from "../report/table.ts";
import { hashOf } from "../store/canonical.ts";
import type { Store } from "../store/open.ts";
import { count } from "../text/amounts.ts";
import { command } from "./command.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";
import { complain, inColumns, printResult, userPath } from "./options.ts";
import { createProgressView } from "./progress.ts";
import { playWithProgress, RUN_OPTIONS, type RunValues, studyChoices, wholeNumber } from "./run-study.ts";
import { shortfall } from "./shortfall.ts";

const { embedder: _embedder, prompts: _prompts, replies: _replies, shard: _shard, ...OPTIONS } = RUN_OPTIONS;

const verify = command({
  name: "memory-bench verify",
  says: "hold a result file against itself, the protocol and, with --store, the record",
  words: { "<file>": { says: "the result file" } },
  options: { ...STORE_OPTION, ...JSON_OPTION },
}, (values, [file = ""]) => {
  const path = userPath(file);
  const result = readResult(path);
  using store = values.store === undefined ? undefined : openNamedStore(values.store, { create: false });
  const told = { file: path, protocol: result.protocol.id, episodes: result.episodes.length, problems: verifyResult(result, store) };
  const held = store ? ", the protocol and the record" : " and the protocol; --store holds it against the record, too";
  printResult(
    told,
    values.json,
    ({ problems, episodes }) =>
      problems.length > 0 ? problems.map((line) => `${line}\n`).join("") : `${path} holds (${episodes} episodes), against itself${held}\n`,
  );
  return told.problems.length === 0 ? 0 : 1;
});

/** Plays the benchmark. Status 1 if episodes are missing at the end, 130 where Ctrl-C is why. */
export const main = command({
  name: "memory-bench",
  commands: { verify },
  options: {
    memory: { value: "file", says: "a module that exports a memory of yours (docs/write-a-memory.md)", multiple: true },
    memories: { value: "ids", says: "registered memories, with commas between", defaultSays: "those of the form" },
    worlds: {
      value: "names",
      says: `worlds of the protocol, with commas between: ${PROTOCOL.worlds.map(({ name }) => name).join(", ")}`,
      defaultSays: "those of the form",
    },
    games: { value: "N", says: "games of each world in each range of seeds", defaultSays: "the form's", read: wholeNumber },
    quick: { says: "the short form: three memories and yours, one reader, hunts of 12 rooms" },
    heldBack: { says: "draw the seeds now, from the system's randomness; the same --to goes on with what it drew" },
    dryRun: { says: "play nothing: say for each memory what is to play and to pay, and a price" },
    probe: { says: "play up to three episodes of each memory in each world first, to price by", needs: "dryRun" },
    to: { value: "folder", says: "where the card and the result file go", defaultSays: "data/runs/memory-bench/ of the checkout" },
    ...OPTIONS,
  },
  notes: ["The protocol, and what a result file proves: docs/protocol.md"],
}, async (values) => {
  const folder = values.to === undefined ? join(checkoutRoot(), "data", "runs", "memory-bench") : userPath(values.to);
  const { models } = studyChoices(values);
  const list = (names?: string): string[] | undefined => names?.split(",").map((name) => name.trim());
  const own = await Promise.all((values.memory ?? []).map((file) => memoryOf(userPath(file))));
  const form = PROTOCOL.forms[values.quick ? "quick" : "full"];
  const memories = [...list(values.memories) ?? form.memories ?? Object.keys(MEMORIES), ...own];
  const choices = { memories, models, worlds: list(values.worlds), games: values.games, quick: values.quick };
  const file = join(folder, `memory-bench-${values.quick ? "quick" : "full"}${values.heldBack ? "-held-back" : ""}.json`);
  const plan = planBench(values.heldBack ? { ...choices, heldBack: heldBackSeeds(file, values.games ?? form.games) } : choices);
  using store = openNamedStore(values.store);
  if (values.dryRun) {
    printResult(await prices(plan, store, values), values.json, describePrices);
    return 0;
  }
  mkdirSync(folder, { recursive: true });
  if (plan.isHeldBack) await write(file, benchResult(store, plan)); // the seeds are committed to before anything is played
  const stopped = await play(plan, store, values);
  const card = benchCard(store, plan);
  const result = benchResult(store, plan, card);
  await write(file, result);
  const provenance = provenanceOf(store, plan.plays.map(({ id }) => id));
  const tables = await Promise.all(card.tables.map((table) => exportTable(table, folder, { provenance })));
  const figures = card.tables.flatMap((table) => scoreFigure(table) ?? []);
  const drawn = await Promise.all(figures.map((figure) => exportFigure(figure, folder, { provenance })));
  const page = await writeGallery(folder, GALLERY);
  const files = [file, ...tables.flat(), ...drawn.flat(), ...page === undefined ? [] : [page]];
  printResult(result, values.json, () => "");
  if (!values.json) {
    const told = [...card.tables.map(toMarkdown), ...card.ordering, "", "Written:", ...files.map((path) => `  ${path}`), ""];
    process.stdout.write(terminalText(told.join("\n")));
  }
  if (stopped) throw stopped;
  return card.episodes.length === plan.planned ? 0 : 1;
});

/** Plays the studies one after another, with one connection to the worlds; gives back the interruption, where there was one. */
async function play(plan: BenchPlan, store: Store, values: Omit<RunValues, "replies">): Promise<Error | undefined> {
  await using worlds = connectWorlds();
  for (const study of plan.plays) {
    const { result, interrupted } = await playWithProgress(study, store, { ...values, replies: "record", worlds });
    const missing = shortfall(result);
    if (missing !== undefined) complain(`${study.id}: ${missing}`);
    if (interrupted) return interrupted;
  }
  return undefined;
}

/** What is added up over the plays of a memory. */
const EXPECTED = ["planned", "toPlay", "callsRecorded", "callsToPay", "promptTokens", "completionTokens", "dollars", "unknown"] as const;

/** What a memory, or all of them, would take with every reader and stage; no dollars where a model has no price or an episode nothing to compare it with. */
type Price = { readonly memory: string; readonly unpriced: readonly string[] } & Pick<Estimate, typeof EXPECTED[number]>;

/** Prices the plays of each memory; the last line is their sum. With `probe` some episodes of each are played before. */
async function prices(plan: BenchPlan, store: Store, values: Omit<RunValues, "replies"> & { readonly probe?: boolean }): Promise<Price[]> {
  await using worlds = connectWorlds();
  const { delay: onDelay } = createProgressView();
  const found: Price[] = [];
  for (const study of plan.plays) {
    const { interrupted } = values.probe ? await playWithProgress(study, store, { ...values, replies: "record", worlds }) : {};
    if (interrupted) throw interrupted;
    const { memory = "" } = plan.studies.find(({ id }) => id === study.id) ?? {};
    found.push({ memory, ...await priceStudy(study, { store, worlds, onDelay, probed: values.probe }) });
  }
  return [...Map.groupBy(found, ({ memory }) => memory), ["all", found] as const].map(([memory, some]): Price => {
    const sum = (of: typeof EXPECTED[number]): number => some.reduce((total, price) => total + (price[of] ?? NaN), 0);
    const sums = Object.fromEntries(EXPECTED.map((of) => [of, sum(of)])) as Required<Pick<Price, typeof EXPECTED[number]>>;
    return {
      ...{ memory, ...sums, unpriced: [...new Set(some.flatMap(({ unpriced }) => unpriced))] },
      dollars: Number.isNaN(sums.dollars) ? undefined : sums.dollars,
    };
  });
}

function describePrices(prices: readonly Price[]): string {
  const { unknown = 0, unpriced = [] } = prices.at(-1) ?? {};
  const rows = prices.map(({ memory, planned, toPlay, callsRecorded, callsToPay, promptTokens, completionTokens, dollars }) => [
    ...[memory, String(planned), String(toPlay), ...[callsRecorded, callsToPay, promptTokens, completionTokens].map(count)],
    dollars === undefined ? "unknown" : `$${dollars.toFixed(2)}`,
  ]);
  return [
    inColumns([["memory", "episodes", "to play", "calls recorded", "calls to pay", "tokens in", "tokens out", "price"], ...rows]),
    ...(unknown > 0
      ? [`nothing on record compares with ${unknown} episodes: play some of each memory by --probe, or all with --models offline\n`]
      : []),
    ...(unpriced.length > 0 ? [`there is no price for ${unpriced.join(", ")}: name it in a role map\n`] : []),
  ].join("");
}

/** The seeds that a result file in this place has committed to, if it is of this protocol; else fresh ones. */
function heldBackSeeds(file: string, games: number): SeedRanges {
  if (existsSync(file)) {
    const { protocol, seeds } = readResult(file);
    if (hashOf(seeds.ranges) !== seeds.sha256) {
      throw new UsageError(
        `${file} does not hold the seeds that it commits to: it was altered; restore it, or choose another folder with --to`,
      );
    }
    const [first = []] = Object.values(seeds.ranges);
    if (protocol.sha256 === PROTOCOL_HASH && first.length === games) return seeds.ranges;
    throw new UsageError(`${file} holds seeds of another protocol or number of games: choose another folder with --to`);
  }
  return drawSeeds(["held back 1", "held back 2"], games);
}

/** The memory that a module of the user's exports. @throws {UsageError} for a file that cannot be loaded or exports none. */
async function memoryOf(path: string): Promise<CustomMemory> {
  let found: CustomMemory[];
  try {
    found = Object.values<unknown>(await import(pathToFileURL(path).href)).filter(isMemory);
  } catch (error) { // a module may throw anything
    throw new UsageError(`cannot load the memory ${path}: ${error instanceof Error ? error.message : inspect(error)}`, { cause: error });
  }
  const [memory] = found;
  if (memory && found.length === 1) return memory;
  throw new UsageError(
    `${path} exports ${found.length} memories: let it export one object with an id and a function create (docs/write-a-memory.md)`,
  );
}

function isMemory(value: unknown): value is CustomMemory {
  const { id, create } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof id === "string" && typeof create === "function";
}

/** Writes a result whole or not at all: no other file has the seeds that were held back. */
async function write(file: string, result: unknown): Promise<void> {
  const { dir, name } = parse(file);
  await writeAll(dir, name, { json: `${JSON.stringify(result, null, 2)}\n` });
}
