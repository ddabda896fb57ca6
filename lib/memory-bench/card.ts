/** The card of a benchmark: its tables, each stated once as an exhibit. */

import { meanMeasure, OF_EQUAL_VALUES } from "../report/estimate.ts";
import { type Exhibit, isIn, type Line } from "../report/exhibit.ts";
import { scoreRange } from "../report/experiment.ts";
import { tableOf } from "../report/exhibit-table.ts";
import type { Cell, Table } from "../report/table.ts";
import type { Store } from "../store/open.ts";
import type { Belief } from "../report/truth/beliefs.ts";
import { lossTable, tableId } from "./losses.ts";
import { orderings, orderingText, type PairOrder } from "./ordering.ts";
import type { Bench } from "./plan.ts";
import { PROTOCOL } from "./protocol.ts";
import { type BenchMeasure, type BenchTrial, benchTrials } from "./trials.ts";

/** The card of a benchmark. */
export interface BenchCard {
  /** For each reader what the memories achieve, their beliefs over time and what they take; then the ordering, and the losses by stage. */
  readonly tables: readonly Table[];
  /** Whether the ordering of memories is the same on both ranges, a sentence a reader and world. */
  readonly ordering: readonly string[];
  /** The completed episodes behind the numbers. */
  readonly episodes: readonly { readonly episode: string; readonly study: string; readonly world: string; readonly game: number }[];
}

/** Makes the card of what the store holds of a benchmark. */
export function benchCard(store: Store, bench: Bench): BenchCard {
  const trials = benchTrials(store, bench);
  const readers = bench.readers.map((reader) => ({
    reader,
    own: trials.filter((trial) => trial.reader === reader && trial.stage === undefined),
  }));
  const orders = readers.flatMap(({ reader, own }) =>
    bench.worlds.map(({ name, title, world }) => ({
      reader,
      title,
      pairs: orderings(own.filter((trial) => trial.world === name), scoreRange([{ world }])),
    }))
  );
  const done = trials.filter(({ status }) => status === "completed");
  return {
    tables: [
      ...readers.flatMap(({ reader, own }) => Object.keys(MEANS).map((id) => meansTable(bench, reader, own, id))),
      orderTable(bench, orders),
      lossTable(bench, trials),
    ].filter(({ rows }) => rows.length > 0),
    ordering: orders.filter(({ pairs }) => pairs.length > 0)
      .map(({ reader, title, pairs }) => `${title}, ${reader}: ${orderingText(pairs)}`),
    episodes: [...new Map(done.map(({ episode, study, world, game }) => [episode, { episode, study, world, game }])).values()],
  };
}

/** A column of means over games, what it is the mean of, and its measure in some worlds. */
interface Column extends Line<BenchTrial> {
  readonly of: (trial: BenchTrial) => Belief | undefined;
  readonly inWorlds?: Readonly<Record<string, Line<BenchTrial>["measure"]>>;
}

function columnOf(
  name: string,
  of: Column["of"],
  options: Pick<Parameters<typeof meanMeasure>[0], "range" | "better" | "digits">,
  shown?: "measured",
): Column {
  const number = (trial: BenchTrial): number | undefined => {
    const value = of(trial);
    return typeof value === "number" ? value : undefined;
  };
  const clusterOf = ({ world, game }: BenchTrial): string => `${world} ${game}`;
  return { name, of, shown, measure: meanMeasure({ name, ...options, of: number, clusterOf, interval: "student" }) };
}

const UP_TO_1 = { range: [0, 1], better: "more" } as const;
const COST = { range: [0, Infinity], better: "less" } as const;

/** The score: in Cleaning, which takes points away, it can be below 0; where a game is won or not, its interval is Wilson's. */
function scoreColumn(): Column {
  const score = measured("score", "score", UP_TO_1);
  const ofShares = { ...UP_TO_1, of: ({ values }: BenchTrial) => Number(values.score), interval: "wilson" } as const;
  const won = meanMeasure({ name: "score that is 0 or 1", ...ofShares });
  const cleaning = measured("score", "score", { ...UP_TO_1, range: scoreRange([{ world: "textworld/cleaning" }]) });
  return { ...score, inWorlds: { cleaning: cleaning.measure, rooms: won, households: won } };
}

function measured(measure: BenchMeasure, name: string, options: Parameters<typeof columnOf>[2]): Column {
  return columnOf(name, ({ values }) => values[measure], options);
}

/** The tables of means, by the end of their ids. */
const MEANS: Readonly<Record<string, { readonly title: string; readonly columns: readonly Column[]; readonly caption: string }>> = {
  card: {
    title: PROTOCOL.id,
    columns: [
      scoreColumn(),
      measured("precision", "precision", UP_TO_1),
      measured("recall", "recall", UP_TO_1),
      measured("stale", "stale steps", { ...COST, digits: 1 }),
      measured("needed", "needed facts", UP_TO_1),
    ],
    caption:
      "Precision, recall: of beliefs against the truth, over all steps. Stale steps: how long a belief outlives the world's change. Needed facts: " +
      "share of steps at which the recollection gives what the next right action needs.",
  },
  beliefs: {
    title: "Beliefs over time",
    columns: (["precision", "recall"] as const).flatMap((of) =>
      [5, 10, 20, 40, 80].map((at) =>
        columnOf(`${of} at ${at}`, ({ steps }) => steps.find(({ step }) => step === at)?.[of], UP_TO_1, "measured")
      )
    ),
    caption: "After so many agent steps, over the games that lasted as long. Memories that keep no triplets are left out.",
  },
  costs: {
    title: "What it takes",
    columns: [
      measured("tokens", "tokens a step", { ...COST, digits: 0 }),
      measured("cut", "recall cut", { ...COST, range: [0, 1] }),
      measured("dollars", "dollars a step", { ...COST, digits: 5 }),
      measured("seconds", "seconds a step", COST),
      measured("kilobytes", "kB saved", { ...COST, digits: 1 }),
    ],
    caption:
      `Recall cut: share of steps whose recollection was cut to ${PROTOCOL.recallTokens} tokens. Seconds are those of the machine that played. kB ` +
      "saved: the memory at the end, compressed.",
  },
};

/** What a reader that is no language model is. */
const OFFLINE = " (offline and rule-based, with that model's measured loss of facts: docs/offline.md)";

/** A table of means: a row a world and memory. */
function meansTable(bench: Bench, reader: string, trials: readonly BenchTrial[], id: string): Table {
  const { title = "", columns = [], caption = "" } = MEANS[id] ?? {};
  const { worlds, memories, seeds } = bench;
  const isOne = worlds.length === 1;
  const rows = worlds.flatMap((world) =>
    memories.map((memory) => ({
      name: isOne ? memory : `${world.title}: ${memory}`,
      memory,
      place: isOne ? "" : `${world.title}; `,
      has: (trial: BenchTrial) => trial.world === world.name && trial.memory === memory,
      rivals: world.name,
      shown: columns[0]?.shown,
    }))
  );
  const exhibit: Exhibit<BenchTrial, Line<BenchTrial>, Column> = {
    ...{ id: tableId(bench, id), source: PROTOCOL.id, head: isOne ? "memory" : "world: memory", trial: "game" },
    ...{ rows, columns, compete: "columns" },
    title: (backbone) => `${title}: ${worlds.map((world) => world.title).join("; ")} (${backbone})`,
    trials: () => trials,
    measure: ({ rivals }, { inWorlds, measure }: Column) => inWorlds?.[rivals ?? ""] ?? measure,
    caption: ({ backbone, n, intervals }) =>
      `Means over games. Backbone ${backbone}${backbone.startsWith("reader:") ? OFFLINE : ""}, ${n}, seeds of the ranges ${
        Object.keys(seeds).join(" and ")
      }. ${intervals} ${caption}` +
      reasonsText(rows, columns, trials),
  };
  const read = { study: "", backbone: reader, embedder: `${PROTOCOL.embedder}-v1`, trials, costs: new Map() };
  return tableOf(exhibit, read, { allowIncomplete: true });
}

/** Why cells have no number: a clause for each reason, with the worlds where there are several, the memories and the columns. */
function reasonsText(
  rows: readonly (Line<BenchTrial> & { readonly memory: string; readonly place: string })[],
  columns: readonly Column[],
  trials: readonly BenchTrial[],
): string {
  const done = trials.filter(({ status }) => status === "completed");
  const found = rows.flatMap((row) => {
    const own = done.filter((trial) => isIn(row, trial));
    return columns.flatMap(({ name, of }) => {
      const [reason, ...others] = own.map(of);
      return typeof reason === "string" && others.every((other) => typeof other === "string") ? [{ ...row, name, reason }] : [];
    });
  });
  const listed = (all: readonly string[]): string => [...new Set(all)].join(", ");
  const clauses = [...Map.groupBy(found, ({ reason }) => reason)].map(([reason, some]) =>
    `${reason} (${[...new Set(some.map(({ place }) => place))].join("")}${listed(some.map(({ memory }) => memory))}: ${
      listed(some.map(({ name }) => name))
    })`
  );
  return clauses.length === 0 ? "" : ` "–" where ${clauses.join("; ")}.`;
}

function orderTable(
  bench: Bench,
  orders: readonly { readonly reader: string; readonly title: string; readonly pairs: readonly PairOrder[] }[],
): Table {
  return {
    id: tableId(bench, "ordering"),
    title: "Is the ordering the same on two disjoint ranges of seeds?",
    caption:
      `Mean paired difference in score of two memories over the games of a range, with Student's 95 % interval, uncorrected for the number of pairs.${OF_EQUAL_VALUES} ` +
      "Within intervals: the signs differ and the intervals overlap; reversed: they do not.",
    columns: ["reader", "world", "memories", ...Object.keys(bench.seeds).map((range) => `range ${range}`), "ordering"],
    rows: orders.flatMap(({ reader, title, pairs }) =>
      pairs.map(({ memories, differences, verdict }): Cell[] => {
        const cells = differences.map(({ mean, low, high, games }): Cell => games === 0 ? null : { value: mean, low, high, n: games });
        return [reader, title, memories.join(" − "), ...cells, verdict];
      })
    ),
  };
}
