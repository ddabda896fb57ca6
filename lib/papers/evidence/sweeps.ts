/**
 * How much do AriGraph's constants matter? One at a time is varied around those of its authors' code (Anokhin et al. 2024, arXiv 2407.04363), with a
 * reader that loses facts of long prompts.
 *
 * | AriGraph | here |
 * |---|---|
 * | k, episodes recalled | `k` |
 * | d, search depth | `depth`; by default the importance of an entity, 1 or 2 |
 * | w, search width | `width` |
 * | n_prev, last observations in the prompt | `nPrev` of Ariadne and of the memory, which recalls none of them; the window grows to 2 n_prev − 1 (D61) |
 * | the retriever | the study's embedder and, in the study `…-chance`, one to which no text is like another |
 *
 * Beside it stands what the window of n_prev is worth without a memory, and in Cleaning, where things lie in wrong rooms.
 */

import { ARIADNE_PAPER } from "../../agent/ariadne.ts";
import { type Lane, type Matrix, matrixLanes, type Options, type Study } from "../../lab/study.ts";
import { ARIGRAPH_PAPER } from "../../memory/arigraph-options.ts";
import { createDraw } from "../../random.ts";
import type { Embedder } from "../../retrieval/embedder.ts";
import { checkNames, namedOr, paperStudy, type PartChoices } from "../study-options.ts";
import { MOVES_A_STEP } from "../arigraph/textworld-study.ts";
import { longHunt } from "./memory-length.ts";

/** Rooms of the hunts, and games of each size and of Cleaning. */
const FORMS = {
  quick: { rooms: [16], games: 10 },
  full: { rooms: [16, 36], games: 20 },
} as const;

/** The default constants in some games, which all levels of a factor are compared with: the name of the condition, memory and games. */
const DEFAULTS = {
  graph: { condition: "AriGraph, hunts", memory: "arigraph", world: "textworld/long-hunt", steps: 500 },
  alone: { condition: "no memory, hunts", memory: "none", world: "textworld/long-hunt", steps: 500 },
  cleaning: { condition: "AriGraph, cleaning", memory: "arigraph", world: "textworld/cleaning", steps: 150 },
} as const;

type Default = typeof DEFAULTS[keyof typeof DEFAULTS];

/** A factor that is varied from a default. */
interface Sweep {
  /** What `only` calls it. */
  readonly name: string;
  /** What panels and tables call it. */
  readonly factor: string;
  readonly from: Default;
  /** The level of the default. @default the study's embedder */
  readonly usual?: number | string;
  readonly levels: readonly number[];
  readonly optionsAt: (level: number) => { readonly memory?: Options; readonly method?: Options };
}

const { graph, alone, cleaning } = DEFAULTS;
const PAPER = ARIGRAPH_PAPER;
const OF_WINDOW = {
  usual: ARIADNE_PAPER.nPrev,
  levels: [0, 1, 10, 20],
  optionsAt: (nPrev: number) => ({ memory: { nPrev }, method: { nPrev } }),
};

/** The factors. The levels were written down before any of them was played. */
export const SWEEPS: readonly Sweep[] = [
  { name: "k", factor: "k", from: graph, usual: PAPER.k, levels: [0, 1, 4, 8], optionsAt: (k) => ({ memory: { k } }) },
  { name: "d", factor: "d", from: graph, usual: `1–${PAPER.deepest}`, levels: [0, 1, 2, 4], optionsAt: (depth) => ({ memory: { depth } }) },
  { name: "w", factor: "w", from: graph, usual: PAPER.width, levels: [1, 3, 12, 24], optionsAt: (width) => ({ memory: { width } }) },
  { name: "n_prev", factor: "n_prev", from: graph, ...OF_WINDOW },
  { name: "n_prev-alone", factor: "n_prev, no memory", from: alone, ...OF_WINDOW, optionsAt: (nPrev) => ({ method: { nPrev } }) },
  { name: "n_prev-cleaning", factor: "n_prev, cleaning", from: cleaning, ...OF_WINDOW },
  { name: "embedder", factor: "embedder", from: graph, levels: [], optionsAt: () => ({}) },
];

/** Those whose other level is `CHANCE`. */
export const BY_EMBEDDER = SWEEPS.filter(({ usual }) => usual === undefined);

/** An embedder of random numbers, the same for equal texts: what a search brings is then drawn by lot. */
export const CHANCE: Embedder = {
  id: "chance-v1",
  dimensions: 384,
  embed: (texts) =>
    Promise.resolve(texts.map((text) => {
      const draw = createDraw(text);
      return Float32Array.from({ length: 384 }, () => draw.next() - 0.5);
    })),
};

/**
 * The studies of AriGraph's constants, as data, with the models given: first the default by an embedder of random numbers, then the default and every
 * level by the study's own. `only` names factors (`k`, `d`, `w`, `n_prev`, `n_prev-alone`, `n_prev-cleaning`, `embedder`); `attempts` is the number of
 * games of each kind.
 *
 * @throws {UsageError} if `only` names no factor.
 *
 * @example
 * ```ts
 * import { sweepStudies } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const [chance, sweeps] = sweepStudies({ models: { "*": "reader:command-r-plus" } });
 * assert.equal(sweeps?.id, "evidence-sweeps-quick@reader:command-r-plus");
 * assert.equal(sweeps?.lanes.length, 10 * (1 + 4 * 4) + 10 * (1 + 4) + 10 * (1 + 4)); // games × default and levels: hunts, without memory, Cleaning
 * assert.equal(chance?.lanes.length, 10);
 * ```
 */
export function sweepStudies(options: PartChoices = {}): Study[] {
  const { only = [], embedder: _, ...common } = options;
  checkNames(only, SWEEPS.map(({ name }) => name), "no factor of this study");
  const sweeps = namedOr(SWEEPS, only);
  const own = studyOf("", options, sweeps);
  if (!sweeps.some((sweep) => BY_EMBEDDER.includes(sweep))) return [own];
  return [{ ...studyOf("-chance", { ...common, only }, BY_EMBEDDER), embedder: CHANCE }, own];
}

function studyOf(suffix: string, options: PartChoices, sweeps: readonly Sweep[]): Study {
  const form = options.full ? "full" : "quick";
  const { games } = FORMS[form];
  const defaults = Object.values(DEFAULTS).filter((one) => sweeps.some(({ from }) => from === one));
  return paperStudy(`evidence-sweeps-${form}${suffix}`, options, games, {
    title: "How much do AriGraph's constants matter?",
    lanes: defaults.flatMap((from) =>
      lanesOf(from, sweeps.filter((sweep) => sweep.from === from), worldsOf(from, form, options.attempts ?? games))
    ),
  });
}

function worldsOf({ world, steps }: Default, form: keyof typeof FORMS, games: number): Matrix["worlds"] {
  const seeds = Array.from({ length: games }, (_, seed) => seed);
  if (world === "textworld/cleaning") {
    return seeds.map((seed) => ({ world, label: `Cleaning, game ${seed}`, params: { seed, stepLimit: MOVES_A_STEP * steps } }));
  }
  return FORMS[form].rooms.flatMap((size) =>
    seeds.map((seed) => ({ world, label: `${size} rooms, game ${seed}`, params: { ...longHunt(size), seed } }))
  );
}

interface SweptCase {
  readonly condition: string;
  /** Null of the default, as the level is. */
  readonly factor: string | null;
  readonly level: string | null;
  readonly options: ReturnType<Sweep["optionsAt"]>;
}

/** The default and every level of some factors in some games, game by game. */
function lanesOf({ condition: usual, memory, steps }: Default, sweeps: readonly Sweep[], worlds: Matrix["worlds"]): Lane[] {
  const varied = sweeps.flatMap(({ factor, levels, optionsAt }) =>
    levels.map((level): SweptCase => ({ condition: `${factor} = ${level}`, factor, level: `${level}`, options: optionsAt(level) }))
  );
  const cases = new Map(
    [{ condition: usual, factor: null, level: null, options: {} }, ...varied].map((one): [string, SweptCase] => [one.condition, one]),
  );
  const lanes = matrixLanes({
    worlds,
    conditions: [...cases.values()].map(({ condition, options }) => (
      { method: "ariadne", memory, condition, options: { ...options, method: { maxSteps: steps, ...options.method } } }
    )),
    attempts: 1,
  });
  return lanes.map((lane) => ({
    ...lane,
    episodes: lane.episodes.map((episode) => {
      const { factor = null, level = null } = cases.get(episode.condition ?? "") ?? {};
      return { ...episode, factors: { factor, level, game: episode.label ?? null } };
    }),
  }));
}
