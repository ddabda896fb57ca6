/** The matrix: every memory of the four papers in every world, on the same planner. A world is a line, a memory that can take part in it a cell. */

import { experiment } from "../../lab/experiment.ts";
import type { Options, Study } from "../../lab/study.ts";
import { type PlayedExperiment, readExperiment } from "../../report/experiment.ts";
import type { Cell, Table } from "../../report/table.ts";
import type { Store } from "../../store/open.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";
import { longHunt } from "./memory-length.ts";
import { siblings } from "./siblings.ts";

/** A world of the matrix, and its games by number. */
interface MatrixWorld {
  readonly name: string;
  readonly world: string;
  /** Parameters of a game by its number, from 0; games of equal number differ in nothing but the memory. */
  readonly game: (number: number) => Options;
  /** Agent steps of the full form: the papers', where one plays it. */
  readonly steps: number;
}

const SCIENCE = ["find-living-thing", "melt", "test-conductivity", "use-thermometer"];

const WORLDS: readonly MatrixWorld[] = [
  { name: "Hunt", world: "textworld/long-hunt", game: (seed) => ({ ...longHunt(16), seed }), steps: 150 },
  { name: "Cooking", world: "textworld/cooking", game: (seed) => ({ seed, stepLimit: 1200 }), steps: 60 },
  { name: "Cleaning", world: "textworld/cleaning", game: (seed) => ({ seed, stepLimit: 3000 }), steps: 150 },
  { name: "ALFWorld", world: "alfworld", game: (number) => ({ game: (29 * number) % 134 }), steps: 50 },
  {
    name: "ScienceWorld",
    world: "scienceworld",
    game: (number) => ({ task: SCIENCE[number % SCIENCE.length], split: "test", index: Math.floor(number / SCIENCE.length) }),
    steps: 50,
  },
  { name: "BabyAI", world: "babyai", game: (number) => ({ layout: `2x2-d1-${number % 5}`, seed: Math.floor(number / 5) }), steps: 60 },
  { name: "NetHack", world: "nethack", game: (seed) => ({ seed }), steps: 50 },
];

/** The memories of the four papers. A list, because a memory that is added to the registry must not change a study that has been played. */
const MEMORIES = ["arigraph", "full-history", "none", "passages", "rag", "room-graph", "simulacra", "stacked", "summary"];

/** Memories that one world alone can fill, and why the other cells are empty. */
export const ONLY_IN: Readonly<Record<string, { readonly world: string; readonly why: string }>> = Object.fromEntries(
  ["room-graph", "stacked"].map((memory) => [memory, { world: "BabyAI", why: "reads BabyAI's grid alone" }]),
);

/** Games of each world, and the most agent steps; absent: those of the world. */
const FORMS = { quick: { games: 2, steps: 25 }, full: { games: 10, steps: undefined } } as const;

/**
 * The study *memory × world*, as data, with the models given. `only` names memories or worlds; `attempts` is the number of games.
 *
 * @throws {UsageError} if `only` names neither a memory nor a world of the study.
 *
 * @example
 * ```ts
 * import { matrixStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * assert.equal(matrixStudy().lanes.length, 2 * (7 * 7 + 2)); // two games of 7 memories in 7 worlds, of 2 in BabyAI alone
 * assert.equal(matrixStudy({ only: ["rag", "BabyAI"], attempts: 3 }).lanes.length, 3);
 * ```
 */
export function matrixStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { only = [], attempts = FORMS[form].games } = options;
  const known = { memories: MEMORIES, worlds: WORLDS.map(({ name }) => name) };
  checkNames(only, [...known.memories, ...known.worlds], "neither a memory nor a world of this study");
  const memories = known.memories.filter((memory) => only.every((name) => !known.memories.includes(name)) || only.includes(memory));
  const worlds = WORLDS.filter(({ name }) => only.every((one) => !known.worlds.includes(one)) || only.includes(name));
  const lanes = worlds.flatMap(({ name, world, game, steps }) => {
    const able = memories.filter((memory) => (ONLY_IN[memory]?.world ?? name) === name);
    if (able.length === 0) return [];
    return experiment({
      id: name,
      worlds: Array.from({ length: attempts }, (_, number) => ({
        world,
        label: `${name}, game ${number}`,
        params: game(number),
        factors: { world: name, game: number },
      })),
      memories: able,
      steps: FORMS[form].steps ?? steps,
    }).lanes;
  });
  return paperStudy(`evidence-matrix-${form}`, options, FORMS[form].games, {
    title: "The matrix: the memories of the four papers in every world",
    lanes,
  });
}

/** The matrix of all models in a store; its captions name the memories, and those that are not played in every world. */
export function readMatrix(store: Store, study: string): PlayedExperiment {
  const played = readExperiment(store, siblings(store, study));
  const memories = (played.levels.get("memory") ?? []).map(String);
  const bound = memories.flatMap((memory) => ONLY_IN[memory] ? [`${memory} (${ONLY_IN[memory].why})`] : []);
  const reading = [
    `The memories are of the four papers: ${memories.join(", ")}.`,
    ...bound.length > 0 ? [`Not played in every world: ${bound.join(", ")}.`] : [],
  ];
  return { ...played, reading: reading.join(" ") };
}

/** The table of means with a reason in each cell that cannot be played. */
export function withReasons(table: Table): Table {
  const at = table.columns.indexOf("memory");
  const reasonFor = (row: readonly Cell[], column: number, cell: Cell): Cell => {
    const only = ONLY_IN[String(row[at])];
    return cell === null && only && table.columns[column] !== only.world ? only.why : cell;
  };
  return { ...table, rows: table.rows.map((row) => row.map((cell, column) => reasonFor(row, column, cell))) };
}
