/**
 * What is an observation of the whole level worth in NetHack, and what a graph? Ariadne with the room's observations and NetPlay with the room's and the
 * level's (Anokhin et al. 2024, arXiv 2407.04363, §4, Table 1: three runs each) in the same games.
 */

import type { Study } from "../../lab/study.ts";
import { type PlayedExperiment, withMeasures } from "../../report/experiment.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { differencesOf, differencesTable, meansTable } from "../../report/tables/experiment.ts";
import type { Store } from "../../store/open.ts";
import { nethackStudy, nethackTrials } from "../arigraph/nethack.ts";
import { paperStudy, type PartChoices } from "../study-options.ts";
import { readSiblings, replaceRows, siblings } from "./siblings.ts";

const AGENTS = ["ariadne-room", "netplay-room", "netplay-level"];

/** Games, each of another seed, and the most skill calls of each. */
const FORMS = { quick: { games: 30, calls: 60 }, full: { games: 30, calls: 400 } } as const;

/**
 * The study *agent × observation*, as data, with the models given; every agent plays the same games. `only` names agents; `attempts` is the number of
 * games.
 *
 * @throws {UsageError} if `only` names no agent.
 *
 * @example
 * ```ts
 * import { dungeonStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { lanes } = dungeonStudy({ full: true });
 * assert.equal(lanes.length, 3 * 30);
 * ```
 */
export function dungeonStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { games, calls } = FORMS[form];
  const { only = [], attempts = games } = options;
  const { lanes, title, truth } = nethackStudy({ only: only.length > 0 ? only : AGENTS, attempts, calls });
  const played = lanes.map((lane) => ({
    ...lane,
    episodes: lane.episodes.map((episode) => ({
      ...episode,
      label: `game ${episode.seed}`,
      factors: { world: "nethack", agent: episode.condition ?? null, game: episode.seed },
    })),
  }));
  return paperStudy(`evidence-nethack-${form}`, options, games, { title, lanes: played, truth });
}

/** The experiment with the game's own score and the levels completed. */
function readDungeons(store: Store, study: string): PlayedExperiment {
  const all = siblings(store, study);
  const trials = new Map(all.flatMap((id) => nethackTrials(store, id).map((trial) => [trial.episode, trial])));
  const measure = (of: "score" | "levels", title: string) => ({
    ...{ title, digits: of === "score" ? 0 : 2, range: [0, Infinity] as const },
    of: ({ episode }: { readonly episode: string }) => trials.get(episode)?.[of] ?? null,
  });
  return withMeasures(readSiblings(store, study, "reader"), {
    points: measure("score", "score of the game"),
    levels: measure("levels", "levels completed"),
  });
}

/** What the intervals say of the paper's order: Ariadne, and NetPlay that sees the level, are ahead of NetPlay that sees the room. */
function orderText(played: PlayedExperiment, of: "points" | "levels"): string {
  const pairs = [["ariadne-room", "netplay-room"], ["netplay-level", "netplay-room"]] as const;
  const found = differencesOf(played, of, pairs.map(([condition, against]) => ({ condition, against })));
  if (found.every(({ test }) => test?.t === undefined)) return "";
  const against = found.flatMap(({ test }, i) => (test?.t?.high ?? 0) < 0 ? [pairs[i]?.join(" is behind ")] : []);
  return against.length === 0
    ? "No interval of this table contradicts the order of the paper's Table 1."
    : `The order of the paper's Table 1 is contradicted: ${against.join(", ")}.`;
}

/** Everything that is made of the dungeons. */
export const DUNGEON_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => {
    const played = readDungeons(store, study);
    const readers = [...new Set(played.rows.map(({ factors }) => String(factors["reader"])))];
    return [
      meansTable(store, played, { of: ["points", "levels", "steps"], allowIncomplete }),
      ...readers.flatMap((reader) => {
        const own = replaceRows(played, (row) => row.factors["reader"] === reader ? [row] : []);
        const named = { ...own, study: `${played.study.replace(/@.*$/, "")}@${reader}`, backbone: reader };
        return (["points", "levels"] as const).map((of) =>
          differencesTable(store, { ...named, reading: orderText(own, of) || undefined }, { against: "netplay-room", of })
        );
      }),
    ];
  },
};
