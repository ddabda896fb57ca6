/** Which calibrated reader stands for all: the rule of `docs/offline.md`, which looks at the spread of scores and not at whose they are. */

import { sampleStandardDeviation } from "simple-statistics";
import { experiment } from "../../lab/experiment.ts";
import type { Study } from "../../lab/study.ts";
import { readerProfiles } from "../../offline/profiles.ts";
import { readExperiment } from "../../report/experiment.ts";
import type { Table } from "../../report/table.ts";
import type { Store } from "../../store/open.ts";
import { paperStudy, type PartChoices } from "../study-options.ts";

/** Games that no table or figure shows; each has the invented names of its own number. */
const GAMES = [900, 901, 902];

/** Readers within this of the greatest spread are told apart by their base score. */
const TIE = 0.01;

/** The readers of NoLiMa's table, by model name. */
export const CANDIDATES: readonly string[] = [...readerProfiles()].flatMap(([name, { curve }]) =>
  curve.length > 0 ? [`reader:${name}`] : []
);

/**
 * The study that a candidate plays, as data.
 *
 * @example
 * ```ts
 * import { readerChoiceStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * assert.equal(readerChoiceStudy({ models: { "*": "reader:gpt-4o" } }).lanes.length, 3 * 4); // games, memories
 * ```
 */
export function readerChoiceStudy(options: PartChoices = {}): Study {
  const { lanes } = experiment({
    id: "lanes",
    worlds: GAMES.map((seed) => ({
      world: "textworld/long-hunt",
      label: `game ${seed}`,
      params: { rooms: 16, spareKeys: 3, shuffledNotes: true, seed, rename: seed },
    })),
    memories: ["arigraph", "full-history", "summary", "rag"],
    steps: 500,
  });
  return paperStudy("reader-choice", options, 1, { title: "Which calibrated reader stands for all", lanes });
}

/** A candidate with the standard deviation of its scores. */
export interface Spread {
  /** Its name with `reader:`. */
  readonly reader: string;
  /** The standard deviation of its normalised scores. */
  readonly spread: number;
  /** Its base score in NoLiMa's table. */
  readonly base: number;
}

/**
 * The candidate that the rule takes: the greatest spread; of those within 0.01 of it the highest base score. `undefined` of none.
 *
 * @example
 * ```ts
 * import { chosenReader } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const spreads = [{ reader: "a", spread: 0.3, base: 0.8 }, { reader: "b", spread: 0.295, base: 0.9 }];
 * assert.equal(chosenReader(spreads), "b");
 * ```
 */
export function chosenReader(spreads: readonly Spread[]): string | undefined {
  const greatest = Math.max(...spreads.map(({ spread }) => spread));
  return spreads.filter(({ spread }) => spread >= greatest - TIE).toSorted((a, b) => b.base - a.base)[0]?.reader;
}

/**
 * The spread of each candidate whose study the store holds complete, and the one that the rule takes.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { readerChoiceTable } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(readerChoiceTable(store, []).rows, []);
 * ```
 */
export function readerChoiceTable(store: Store, studies: readonly string[]): Table {
  const spreads = studies.flatMap((study): Spread[] => {
    const { rows, backbone } = readExperiment(store, study);
    const scores = rows.flatMap(({ values: { score } }) => score === null ? [] : [score]);
    const base = readerProfiles().get(backbone.replace(/^reader:/, ""))?.base;
    return scores.length < rows.length || base === undefined ? [] : [{ reader: backbone, spread: sampleStandardDeviation(scores), base }];
  });
  const missing = CANDIDATES.length - spreads.length;
  const chosen = missing > 0 ? undefined : chosenReader(spreads);
  return {
    id: "reader-choice",
    title: "Which calibrated reader stands for all",
    caption:
      "Standard deviation of the normalised scores of 12 episodes (3 games with invented names, 4 memories whose names are left out), by the rule of " +
      `docs/offline.md: the greatest spread, within ${TIE} the highest base score. Backbones: the readers named. Embedder lexical-v1.` +
      (missing > 0 ? ` Nothing is taken yet: ${missing} of ${CANDIDATES.length} candidates are not played.` : ""),
    columns: ["reader", "spread", "base score", "taken"],
    rows: spreads.toSorted((a, b) => b.spread - a.spread).map(({ reader, spread, base }) => [
      reader,
      { value: spread, digits: 3 },
      { value: base, digits: 3 },
      reader === chosen ? "yes" : "",
    ]),
  };
}
