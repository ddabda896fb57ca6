/**
 * How many errors does GraphMind's room graph bear, and how many votes make up for them? Missions in BabyAI with errors of a known rate in the verdicts
 * that the graph is built from.
 *
 * | GraphMind | here |
 * |---|---|
 * | Verify Node Transition, majority of five (App. A.1) | `votes` 1, 3, 5, 7, 9 |
 * | KG, its static form, SM, w/o Memory (Tables 2 and 8) | `memory`: `room-graph`, `static`, `stacked`, `none` |
 * | GED (Fig. 5) | `ged`: edits from the graph that was built to the rooms that were seen |
 *
 * SM and no memory ask none of the roles that err: they are played once and stand beside every rate.
 */

import { UsageError } from "../../errors.ts";
import { experiment } from "../../lab/experiment.ts";
import type { Lane, Study } from "../../lab/study.ts";
import { bindingOf, modelIdOf } from "../../llm/roles.ts";
import { type ExperimentRow, type PlayedExperiment, withMeasures } from "../../report/experiment.ts";
import { curveFigure } from "../../report/figures/experiment.ts";
import { phaseFigure } from "../../report/figures/phase.ts";
import type { Figure } from "../../report/figure.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { meansTable } from "../../report/tables/experiment.ts";
import type { Store } from "../../store/open.ts";
import { graphErrorOf, NODE_LIMIT } from "../graphmind/trials.ts";
import { listed } from "../../text/listed.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";
import { namedBy, placedAt, readSiblings, replaceRows, siblings, withFactors } from "./siblings.ts";

/** Errors → the rates of the backbone that stand for them. A wrong verdict errs both ways. */
const ERRORS: Readonly<Record<string, readonly string[]>> = {
  "missed-door": ["missed-door"],
  "rotation-as-passage": ["rotation-as-passage"],
  "wrong-verdict": ["missed-door", "rotation-as-passage"],
  "duplicate-room": ["duplicate-room"],
};
/** The one error that no vote is taken on: it is made where the room behind a door is looked up. */
const NOT_VOTED = "duplicate-room";
const USUAL_VOTES = 5;

/** Rates in percent, votes, rooms a side, and layouts of each density. */
const FORMS = {
  quick: { rates: [10, 30], votes: [1, 5, 9], sides: [2, 3], layouts: 5, steps: 100 },
  full: { rates: [5, 20, 40], votes: [1, 3, 5, 7, 9], sides: [2, 3, 4], layouts: 5, steps: 400 },
} as const;

/**
 * The studies *error × rate × votes × size*, as data: one without errors and one for each error and rate of the reader given, `reader:perfect` by
 * default; of any other model the one without. `only` names errors; `attempts` is the number of layouts of each size and density, 1 … 5.
 *
 * @throws {UsageError} if `only` names no error, or the reader commits one already.
 *
 * @example
 * ```ts
 * import { roomErrorStudies } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const studies = roomErrorStudies({ only: ["missed-door"] });
 * assert.deepEqual(studies.map(({ models }) => models["*"]), ["reader:perfect", "reader:perfect,missed-door=10", "reader:perfect,missed-door=30"]);
 * ```
 */
export function roomErrorStudies(options: PartChoices = {}): Study[] {
  const form = options.full ? "full" : "quick";
  const { rates, votes, layouts } = FORMS[form];
  const { only = [], attempts = layouts, models = { "*": "reader:perfect" } } = options;
  checkNames(only, Object.keys(ERRORS), "no error of this study");
  const reader = modelIdOf(bindingOf(models, "graphmind/verify-transition"));
  const own = Object.values(ERRORS).flat().find((name) => reader.split(",").some((setting) => setting.startsWith(`${name}=`)));
  if (own !== undefined) throw new UsageError(`this study gives its reader the error ${own} itself: leave it out of the model ${reader}`);
  const errors = Object.keys(ERRORS).filter((error) => only.length === 0 || only.includes(error));
  const cases = reader.startsWith("reader:") ? errors.flatMap((error) => rates.map((rate) => ({ error, rate }))) : [];
  return [{ error: "none", rate: 0 }, ...cases].map(({ error, rate }) => {
    const suffix = (ERRORS[error] ?? []).map((name) => `,${name}=${rate}`).join("");
    const lanes = lanesOf(form, attempts, error === NOT_VOTED ? [USUAL_VOTES] : votes, error === "none");
    return paperStudy(`evidence-graphmind-${form}`, { ...options, models: suffix === "" ? models : { "*": reader + suffix } }, layouts, {
      title: "How many errors does a room graph bear? Error × rate × votes × size",
      lanes: withFactors(lanes, { reader, error, rate }),
      truth: true, // the distance is measured from it
    });
  });
}

function lanesOf(form: keyof typeof FORMS, layouts: number, votes: readonly number[], withRivals: boolean): Lane[] {
  const { sides, steps } = FORMS[form];
  const worlds = sides.flatMap((side) =>
    [1, 3].flatMap((density) =>
      Array.from({ length: layouts }, (_, number) => `${side}x${side}-d${density}-${number}`).map((layout) => ({
        ...{ world: "babyai", label: layout, params: { layout, mission: "put-next-to", image: false } },
        factors: { rooms: side ** 2 },
      }))
    )
  );
  const played = (
    memories: readonly string[],
    factors: Record<string, readonly (string | number)[]>,
  ): Lane[] => [...experiment({ id: "lanes", worlds, methods: ["graphmind"], memories, factors, steps }).lanes];
  return [
    ...played(["room-graph"], { votes }),
    ...withFactors(played(["room-graph"], { votes: [USUAL_VOTES], access: ["static"] }), { memory: "static" }),
    ...(withRivals ? played(["stacked", "none"], {}) : []),
  ];
}

/** Distances already searched for: each part of a run reads all of them. */
const distances = new WeakMap<Store, Map<string, number | null>>();

function readRoomErrors(store: Store, study: string): PlayedExperiment {
  const played = replaceRows(readSiblings(store, study), ({ factors: { access: _, ...factors }, ...row }) => [{ ...row, factors }]);
  return withDistances(store, named({ ...played, titles: { rate: "error rate, %" } }));
}

/** The experiment with the names of its readers. */
function named(played: PlayedExperiment): PlayedExperiment {
  const readers = [...new Set(played.rows.map(({ factors }) => String(factors["reader"])))];
  return { ...played, study: namedBy(played.study, readers), backbone: listed(readers), part: "with and without errors" };
}

/** What captions say of the measure `ged`. */
const GED_READING = `GED is the least number of edits that was found: an upper bound where ${
  NODE_LIMIT.toLocaleString("en")
} nodes of the search prove no distance.`;

/** The experiment, for an exhibit that shows `ged`. */
export function showingDistances(played: PlayedExperiment): PlayedExperiment {
  return { ...played, reading: GED_READING };
}

/** The experiment with the measure `ged`: edits from the graph that was built to the rooms that were seen; none of what builds no graph. */
export function withDistances(store: Store, played: PlayedExperiment): PlayedExperiment {
  const known = distances.get(store) ?? new Map<string, number | null>();
  distances.set(store, known);
  return withMeasures(played, {
    ged: {
      ...{ title: "GED, observed map", digits: 1, range: [0, Infinity], better: "less", optional: true },
      of: ({ episode, factors: { memory } }) =>
        memory === "stacked" || memory === "none"
          ? null
          : known.getOrInsertComputed(episode, () => graphErrorOf(store, episode)?.upper ?? null),
    },
  });
}

/** What is played without errors stands at rate 0 of each error, and what asks no role that errs at every rate. */
export function atEveryRate(played: PlayedExperiment): PlayedExperiment {
  const cases = new Map(
    played.rows.flatMap(({ factors: { error, rate } }) =>
      error === "none" ? [] : [[`${error} ${rate}`, { error: error ?? null, rate: rate ?? null }]]
    ),
  );
  const errors = [...new Set([...cases.values()].map(({ error }) => error))].map((error) => ({ error, rate: 0 }));
  return replaceRows(played, (row) => {
    if (row.factors["error"] !== "none") return [row];
    return placedAt(row, (row.factors["votes"] ?? null) === null ? [...errors, ...cases.values()] : errors);
  });
}

/** Distances in bins, as a factor. */
const BINS = { "0": 0, "1–5": 5, "6–20": 20, "> 20": Infinity };

/** The figures of an experiment of errors, of each reader its own: distance and success by rate, success by rate and error, and by distance. */
export function figuresOf(store: Store, played: PlayedExperiment): Figure[] {
  const readerOf = ({ factors }: ExperimentRow): string => String(factors["reader"]);
  return [...new Set(played.rows.map(readerOf))].flatMap((reader) =>
    figuresOfReader(store, named(replaceRows(played, (row) => readerOf(row) === reader ? [row] : [])))
  );
}

function figuresOfReader(store: Store, found: PlayedExperiment): Figure[] {
  const played = atEveryRate(found);
  const graphs = replaceRows(played, (row) => row.factors["memory"] === "room-graph" ? [row] : []);
  const errors = (graphs.levels.get("error") ?? []).map(String);
  const curves = errors.flatMap((error) => {
    const isShown = ({ votes }: ExperimentRow["factors"]): boolean => error !== NOT_VOTED || votes === USUAL_VOTES;
    const own = replaceRows(graphs, (row) => row.factors["error"] === error && isShown(row.factors) ? [row] : []);
    const votes = error === NOT_VOTED ? `, ${USUAL_VOTES} votes` : "";
    const shown = { ...own, study: `${own.study}-${error}`, part: `with and without ${error}${votes}` };
    return [
      curveFigure(store, showingDistances(shown), { x: "rate", y: "ged", by: "votes" }),
      curveFigure(store, shown, { x: "rate", y: "won", by: "votes" }),
    ];
  });
  const asUsual = replaceRows(played, (row) => (row.factors["votes"] ?? USUAL_VOTES) === USUAL_VOTES ? [row] : []);
  const usual = { ...asUsual, part: `${asUsual.part}, ${USUAL_VOTES} votes` };
  const sorted = { ...found, rows: found.rows.toSorted((a, b) => (a.values["ged"] ?? 0) - (b.values["ged"] ?? 0)) };
  const binned = replaceRows(sorted, (row) => {
    const { ged = null } = row.values;
    const bin = Object.entries(BINS).find(([, most]) => ged !== null && ged <= most)?.[0];
    return bin === undefined ? [] : [{ ...row, factors: { ...row.factors, GED: bin } }];
  });
  return [
    ...curves,
    ...(errors.length > 0 ? [phaseFigure(store, usual, { x: "rate", y: "error", level: "room-graph", of: "won" })] : []),
    curveFigure(store, showingDistances({ ...binned, part: "all errors, rates and votes together" }), { x: "GED", y: "won", by: "rooms" }),
  ];
}

/** Everything that is made of the errors of room graphs. */
export const ROOM_ERRORS_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => [
    meansTable(store, showingDistances(readRoomErrors(store, study)), { of: ["won", "ged", "steps"], allowIncomplete }),
  ],
  figures: [({ store, study }) => figuresOf(store, readRoomErrors(store, study))],
};
