/**
 * How far does GraphMind's room graph carry? Missions behind several locks in BabyAI of growing size, in the grid of equal rooms that the paper has, and
 * where walls are taken away, so that rooms differ in size and shape and a room's place no longer follows from the doors that lead to it.
 *
 * | GraphMind | here |
 * |---|---|
 * | 2 × 2 to 7 × 7 rooms, one lock (§4) | `rooms` 4 to 100; one lock in 4 rooms, two in 9, else three |
 * | KG, its static form, SM, w/o Memory (Tables 2 and 8) | `memory`: `room-graph`, `static`, `stacked`, `none` |
 * | functions called until the planner answers (§3) | `memory`: `unlimited` is `room-graph` so; the others answer ten calls before a plan (deviation D14) |
 * | GED (Fig. 5) | `ged`: edits from the graph that was built to the rooms that were seen |
 * | rooms of 5 × 5 cells | `shape`: `equal`, or `merged`, of one, two or three of them: a wall for every four rooms is taken away |
 */

import { experiment, type Level } from "../../lab/experiment.ts";
import type { Lane, Study } from "../../lab/study.ts";
import type { PlayedExperiment } from "../../report/experiment.ts";
import { curveFigure } from "../../report/figures/experiment.ts";
import { phaseFigure } from "../../report/figures/phase.ts";
import type { ReportedAdvantage } from "../../report/figures/paper-order.ts";
import { paperTable } from "../../report/paper.ts";
import type { Figure } from "../../report/figure.ts";
import type { StudyReport } from "../../report/study-report.ts";
import type { Table } from "../../report/table.ts";
import { differencesTable, meansTable } from "../../report/tables/experiment.ts";
import type { Store } from "../../store/open.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";
import { showingDistances, withDistances } from "./room-errors.ts";
import { readSiblings, replaceRows, siblings, withFactors } from "./siblings.ts";

/**
 * Rooms a side, mazes of each size and shape, and agent steps that end an episode before the world's own limit of primitives: of the full form as many
 * for each room a side as the paper's 400 are in its 4 × 4 rooms (in its 7 × 7 they are fewer). Who has no graph wanders to the end.
 */
const FORMS = {
  quick: { sides: [2, 3, 4], games: 6, memories: ["room-graph", "static", "stacked", "none"], steps: () => 150 },
  full: {
    sides: [2, 4, 7, 10],
    games: 6,
    memories: ["room-graph", "unlimited", "static", "stacked", "none"],
    steps: (side: number) => 100 * side,
  },
} as const;

/** Shape → walls taken away for each room. */
const SHAPES: Readonly<Record<string, number>> = { equal: 0, merged: 1 / 4 };

/** Memory of the study → the registered one, and options that make it what it is. */
const MEMORIES: Readonly<Record<string, readonly [memory: string, options: Readonly<Record<string, readonly Level[]>>]>> = {
  "room-graph": ["room-graph", {}],
  unlimited: ["room-graph", { maxCalls: [1_000_000] }],
  static: ["room-graph", { access: ["static"] }],
  stacked: ["stacked", {}],
  none: ["none", {}],
};

/**
 * The study *size × shape × memory*, as data, with the models given. `only` names memories; `attempts` is the number of mazes of each size and shape.
 *
 * @throws {UsageError} if `only` names no memory of the study.
 *
 * @example
 * ```ts
 * import { roomSizesStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { id, lanes } = roomSizesStudy({ models: { "*": "reader:perfect" } });
 * assert.equal(id, "evidence-rooms-quick@reader:perfect");
 * assert.equal(lanes.length, 3 * 2 * 6 * 4); // sizes, shapes, mazes, memories
 * ```
 */
export function roomSizesStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { sides, games, steps, memories } = FORMS[form];
  const { only = [], attempts = games } = options;
  checkNames(only, memories, "no memory of this study");
  const mazesOf = (side: number) =>
    Object.entries(SHAPES).flatMap(([shape, share]) =>
      Array.from({ length: attempts }, (_, seed) => ({
        world: "babyai/sized",
        label: `${side}x${side} ${shape} ${seed}`,
        params: { size: side, locks: Math.min(side - 1, 3), merged: Math.floor(side ** 2 * share), mission: "put-next-to", seed },
        factors: { rooms: side ** 2, shape },
      }))
    );
  const lanes = memories.filter((name) => only.length === 0 || only.includes(name)).flatMap((memory): Lane[] => {
    const [id = memory, factors = {}] = MEMORIES[memory] ?? [];
    const common = { id: "lanes", methods: ["graphmind"], memories: [id], factors };
    const played = sides.flatMap((side) => experiment({ ...common, worlds: mazesOf(side), steps: steps(side) }).lanes);
    return withFactors(played, { memory });
  });
  return paperStudy(`evidence-rooms-${form}`, options, games, {
    title: "How far does a room graph carry? Size × shape × memory",
    lanes,
    truth: true, // the distance is measured from it
  });
}

function readRoomSizes(store: Store, study: string): PlayedExperiment {
  const played = replaceRows(
    readSiblings(store, study, "model"),
    ({ factors: { access: _, maxCalls: __, ...factors }, ...row }) => [{ ...row, factors }],
  );
  return withDistances(store, played);
}

/** The experiment in the rooms of one shape. */
function inShape(played: PlayedExperiment, shape: string): PlayedExperiment {
  const only = replaceRows(played, (row) => row.factors["shape"] === shape ? [row] : []);
  const titles = shape === "merged" ? { titles: { rooms: "rooms before some are merged" } } : {};
  return { ...only, ...titles, study: `${played.study}-${shape}`, part: `${shape} rooms` };
}

/** Of each shape and reader: what every other memory is ahead of the graph, over the mazes of all sizes. */
function differencesOf(store: Store, played: PlayedExperiment): Table[] {
  const readers = (played.levels.get("model") ?? []).map(String);
  return Object.keys(SHAPES).flatMap((shape) =>
    readers.map((reader) => {
      const own = replaceRows(
        inShape(played, shape),
        (row) => row.factors["model"] === reader ? [{ ...row, condition: String(row.factors["memory"]) }] : [],
      );
      const named = { ...own, study: `${own.study}@${reader}`, backbone: reader, part: `${shape} rooms of all sizes` };
      return differencesTable(store, named, { against: "room-graph", of: "won" });
    })
  );
}

/**
 * The graph minus the other memories where the paper has PutNextTo in as many rooms, in shares won: Table 2 by model, Table 4 (4 × 4 and 7 × 7 rooms) and
 * Table 8 (the static graph) with gemini-2.5-flash.
 */
export function paperRooms(): ReportedAdvantage[] {
  const others: Readonly<Record<string, string>> = { SM: "stacked", "w/o Memory": "none" };
  const success = paperTable("graphmind_table2_success").filter(({ mission, metric }) =>
    mission === "PutNextTo" && metric === "success_pct"
  );
  const scale = paperTable("graphmind_table4_scale").map(({ success_pct: share = "", ...row }) => ({
    ...row,
    model: "gemini-2.5-flash",
    mean: share,
  }));
  const found = [...success, ...scale] as readonly Readonly<Record<string, string>>[];
  const access = paperTable("graphmind_table8_access").filter(({ metric }) => metric === "success_pct");
  const placed = (rooms = "", model: unknown): Pick<ReportedAdvantage, "x" | "y"> => ({ x: parseInt(rooms) ** 2, y: `paper (${model})` });
  return [
    ...found.flatMap(({ memory = "", rooms, model, mean }) => {
      const graph = found.find((row) => row["memory"] === "KG" && row["rooms"] === rooms && row["model"] === model);
      const than = others[memory];
      return than ? [{ than, ...placed(rooms, model), mean: (Number(graph?.["mean"]) - Number(mean)) / 100 }] : [];
    }),
    ...access.map((row) => ({
      ...{ than: "static", ...placed(row["rooms"], "gemini-2.5-flash") },
      mean: (Number(row["dynamic_mean"]) - Number(row["static_mean"])) / 100,
    })),
  ];
}

/** Of each shape: where the graph beats what else was played, and its distance by size and reader. */
function figuresOf(store: Store, played: PlayedExperiment): Figure[] {
  return Object.keys(SHAPES).flatMap((shape): Figure[] => {
    const own = inShape(played, shape);
    const graphs = replaceRows(own, (row) => row.factors["memory"] === "room-graph" ? [row] : []);
    if (graphs.rows.length === 0) return [];
    const isAlone = graphs.rows.length === own.rows.length;
    return [
      ...(isAlone ? [] : [phaseFigure(store, own, {
        ...{ x: "rooms", level: "room-graph", of: "won" },
        reported: shape === "equal" ? paperRooms().filter(({ than }) => own.levels.get("memory")?.includes(than)) : [],
      })]),
      curveFigure(store, showingDistances(graphs), { x: "rooms", y: "ged", by: "model" }),
    ];
  });
}

/** Everything that is made of the sizes and shapes of rooms. */
export const ROOM_SIZES_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => {
    const played = readRoomSizes(store, study);
    const hasGraph = played.rows.some((row) => row.factors["memory"] === "room-graph");
    return [
      meansTable(store, showingDistances(played), { of: ["won", "ged", "steps"], allowIncomplete }),
      ...(hasGraph ? differencesOf(store, played) : []),
    ];
  },
  figures: [({ store, study }) => figuresOf(store, readRoomSizes(store, study))],
};
