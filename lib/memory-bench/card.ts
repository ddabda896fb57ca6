/** The card of a benchmark: its tables, each stated once as an exhibit. */

import { meanMeasure, type Measure } from "../report/estimate.ts";
import type { Exhibit, Line, StudyRead } from "../report/exhibit.ts";
import { tableOf } from "../report/exhibit-table.ts";
import type { Cell, Table } from "../report/table.ts";
import type { Store } from "../store/open.ts";
import { lossTable } from "./losses.ts";
import { orderings, orderingText, type PairOrder } from "./ordering.ts";
import type { Bench } from "./plan.ts";
import { PROTOCOL } from "./protocol.ts";
import { type BenchMeasure, type BenchTrial, benchTrials } from "./trials.ts";

/** The card of a benchmark. */
export interface BenchCard {
  /** For each reader the measures, the beliefs over time and the ordering; then the losses by stage. */
  readonly tables: readonly Table[];
  /** Whether the ordering of memories is the same on both ranges, a sentence a reader and world. */
  readonly ordering: readonly string[];
  /** The completed episodes behind the numbers. */
  readonly episodes: readonly { readonly episode: string; readonly study: string; readonly world: string; readonly game: number }[];
}

type MeasureOptions = Omit<Parameters<typeof meanMeasure<BenchTrial>>[0], "of" | "interval" | "clusterOf">;

/** The columns, in the order of the card. */
const MEASURES: Readonly<Record<BenchMeasure, MeasureOptions>> = {
  score: { name: "score", range: [-Infinity, 1], better: "more" },
  precision: { name: "precision", range: [0, 1], better: "more" },
  recall: { name: "recall", range: [0, 1], better: "more" },
  stale: { name: "stale steps", range: [0, Infinity], better: "less", digits: 1 },
  needed: { name: "needed facts", range: [0, 1], better: "more" },
  tokens: { name: "tokens a step", range: [0, Infinity], better: "less", digits: 0 },
  over: { name: "over budget", range: [0, 1], better: "less" },
  dollars: { name: "dollars a step", range: [0, Infinity], better: "less", digits: 5 },
  seconds: { name: "seconds a step", range: [0, Infinity], better: "less" },
  kilobytes: { name: "kB saved", range: [0, Infinity], better: "less", digits: 1 },
};

/** Makes the card of what the store holds of a benchmark. */
export function benchCard(store: Store, bench: Bench): BenchCard {
  const trials = benchTrials(store, bench);
  const measured = trials.filter(({ stage }) => stage === undefined);
  const byReader = bench.readers.map((reader) => ({ reader, own: measured.filter((trial) => trial.reader === reader) }));
  const orders = byReader.flatMap(({ reader, own }) =>
    bench.worlds.map(({ name, title }) => ({ reader, title, pairs: pairsOf(own, name) }))
  )
    .filter(({ pairs }) => pairs.length > 0);
  return {
    tables: [
      ...byReader.flatMap(({ reader, own }) => [measuresTable(bench, reader, own), beliefsTable(bench, reader, own)]),
      orderTable(bench, orders),
      lossTable(bench, trials),
    ].filter(({ rows }) => rows.length > 0).map(withoutEpisodes),
    ordering: orders.map(({ reader, title, pairs }) => `${title}, ${reader}: ${orderingText(pairs)}`),
    episodes: [...new Map(trials.map((trial) => [trial.episode, trial])).values()].filter(({ status }) => status === "completed")
      .map(({ episode, study, world, game }) => ({ episode, study, world, game })),
  };
}

/** A table whose cells name no episodes: the card lists them once. */
function withoutEpisodes(table: Table): Table {
  const plain = (cell: Cell): Cell => {
    if (typeof cell !== "object" || cell === null || !("episodes" in cell)) return cell;
    const { episodes: _, ...number } = cell;
    return number;
  };
  return { ...table, rows: table.rows.map((row) => row.map(plain)) };
}

/** The id of the card's files: form, seeds and choices. */
function idOf({ form, isHeldBack }: Bench, table: string): string {
  return `memory-bench-${form}${isHeldBack ? "-held-back" : ""}-${table}`;
}

function readOf(bench: Bench, reader: string, trials: readonly BenchTrial[]): StudyRead<BenchTrial> {
  const study = bench.studies.find((one) => one.reader === reader)?.id ?? "";
  return { study, backbone: reader, embedder: `${PROTOCOL.embedder}-v1`, trials, costs: new Map() };
}

/** A row a world and memory. */
function rowsOf({ worlds, memories }: Bench): Line<BenchTrial>[] {
  return worlds.flatMap(({ name, title }) =>
    memories.map((memory): Line<BenchTrial> => ({
      name: worlds.length > 1 ? `${title}: ${memory}` : memory,
      has: (trial) => trial.world === name && trial.memory === memory,
      rivals: name,
    }))
  );
}

/** The mean over the games of a cell; each game is a cluster of its own. */
function columnOf(measure: BenchMeasure): Measure<BenchTrial> {
  return meanMeasure({
    ...MEASURES[measure],
    of: ({ values }) => typeof values[measure] === "number" ? values[measure] : undefined,
    clusterOf: ({ world, game }) => `${world} ${game}`,
    interval: "student",
  });
}

function measuresTable(bench: Bench, reader: string, trials: readonly BenchTrial[]): Table {
  const exhibit: Exhibit<BenchTrial> = {
    ...{ id: idOf(bench, "card"), source: PROTOCOL.id, head: bench.worlds.length > 1 ? "world: memory" : "memory", trial: "game" },
    title: (backbone) => `${PROTOCOL.id}: ${bench.worlds.length > 1 ? "all worlds" : bench.worlds[0]?.title} (${backbone})`,
    trials: () => trials,
    rows: rowsOf(bench),
    columns: (Object.keys(MEASURES) as BenchMeasure[]).map((name) => ({ name: MEASURES[name].name, measure: columnOf(name) })),
    compete: "columns",
    caption: ({ backbone, n, intervals }) =>
      `Means over games. Backbone ${backbone}, ${n}, seeds of the ranges ${Object.keys(bench.seeds).join(" and ")}. ${intervals} ` +
      `Precision, recall: of beliefs against the truth, over all steps. Stale steps: how long a belief outlives the world's change. Needed facts: share of ` +
      `steps at which the recollection gives what the next right action needs. Over budget: share of steps with more than ${PROTOCOL.tokensPerStep} tokens. ` +
      reasonsText(trials),
  };
  return tableOf(exhibit, readOf(bench, reader, trials), { allowIncomplete: true });
}

/** Why cells have no number: a clause for each reason, with the measures and memories. */
function reasonsText(trials: readonly BenchTrial[]): string {
  const cells = Map.groupBy(
    trials.flatMap(({ memory, world, values }) => Object.entries(values).map(([measure, value]) => ({ memory, world, measure, value }))),
    ({ memory, world, measure }) => JSON.stringify([memory, world, measure]),
  );
  const found = [...cells.values()].flatMap((some) => {
    const [{ memory, measure, value } = { memory: "", measure: "", value: 0 }] = some;
    const isEmpty = some.every((one) => typeof one.value === "string");
    return isEmpty ? [{ memory, measure: MEASURES[measure as BenchMeasure].name, reason: String(value) }] : [];
  });
  const listed = (all: readonly string[]): string => [...new Set(all)].join(", ");
  const clauses = [...Map.groupBy(found, ({ reason }) => reason)].map(([reason, some]) =>
    `${reason} (${listed(some.map(({ memory }) => memory))}: ${listed(some.map(({ measure }) => measure))})`
  );
  return clauses.length === 0 ? "" : `"–" where ${clauses.join("; ")}.`;
}

/** Agent steps at which the beliefs are shown. */
const STEPS = [5, 10, 20, 40, 80];

/** Precision and recall after so many steps, over the episodes that lasted as long. */
function beliefsTable(bench: Bench, reader: string, trials: readonly BenchTrial[]): Table {
  const at = (step: number, of: "precision" | "recall"): Line<BenchTrial> => ({
    name: `${of} at ${step}`,
    shown: "measured",
    measure: meanMeasure({
      ...MEASURES[of],
      of: ({ steps }) => steps.find((one) => one.step === step)?.[of],
      clusterOf: ({ world, game }) => `${world} ${game}`,
      interval: "student",
    }),
  });
  const exhibit: Exhibit<BenchTrial> = {
    ...{ id: idOf(bench, "beliefs"), source: PROTOCOL.id, head: "memory", trial: "game" },
    title: (backbone) => `Beliefs over time (${backbone})`,
    trials: () => trials,
    rows: rowsOf(bench).map((row) => ({ ...row, shown: "measured" })),
    columns: (["precision", "recall"] as const).flatMap((of) => STEPS.map((step) => at(step, of))),
    caption: ({ backbone, n }) =>
      `Precision and recall of the triplets that a memory holds after so many agent steps, over the games that lasted as long. Backbone ${backbone}, ${n}. ` +
      "Memories that keep no triplets are left out.",
  };
  return tableOf(exhibit, readOf(bench, reader, trials), { allowIncomplete: true });
}

function pairsOf(trials: readonly BenchTrial[], world: string): PairOrder[] {
  return orderings(
    trials.flatMap(({ memory, range, game, values: { score }, ...trial }) =>
      trial.world === world && typeof score === "number" ? [{ memory, range, game, score }] : []
    ),
  );
}

interface Order {
  readonly reader: string;
  readonly title: string;
  readonly pairs: readonly PairOrder[];
}

function orderTable(bench: Bench, orders: readonly Order[]): Table {
  const ranges = Object.keys(bench.seeds);
  const cell = (pair: PairOrder, range: string): Cell => {
    const found = pair.differences.find((one) => one.range === range);
    return found === undefined || Number.isNaN(found.mean) ? null : { value: found.mean, low: found.low, high: found.high, n: found.games };
  };
  return {
    id: idOf(bench, "ordering"),
    title: "Is the ordering the same on two disjoint ranges of seeds?",
    caption:
      "Mean paired difference in score of two memories over the games of a range, with Student's 95 % interval, uncorrected for the number of pairs. " +
      "Within intervals: the signs differ and the intervals overlap; reversed: they do not.",
    columns: ["reader", "world", "memories", ...ranges.map((range) => `range ${range}`), "ordering"],
    rows: orders.flatMap(({ reader, title, pairs }) =>
      pairs.map((pair): Cell[] => [reader, title, pair.memories.join(" − "), ...ranges.map((range) => cell(pair, range)), pair.verdict])
    ),
  };
}
