/**
 * When does weak exploration pay? WESE (Huang et al. 2024, arXiv 2404.07456) in households, by the readers that explore and act.
 *
 * | WESE | here |
 * |---|---|
 * | weak and strong model (§3.1) | `explores` and `acts`; SESE where both are one |
 * | N_e (Alg. 1) | `explorationSteps`; the paper's is 50 |
 * | one-hop retrieval (§3.2), paths between entities (Alg. 2) | `retrieval` |
 * | Act, ReAct (§4) | `base` |
 *
 * The base method alone asks no weak model and explores nothing: it is played once by each acting reader and stands beside every exploration.
 */

import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS } from "../../env/alfworld.ts";
import { experiment } from "../../lab/experiment.ts";
import type { Study } from "../../lab/study.ts";
import { bindingOf, modelIdOf, type RoleMap } from "../../llm/roles.ts";
import { type PlayedExperiment, withMeasures } from "../../report/experiment.ts";
import { breakEvenFigure, breakEvenTable, phaseFigure } from "../../report/figures/phase.ts";
import type { ReportedAdvantage } from "../../report/figures/paper-order.ts";
import { paperTable } from "../../report/paper.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { meansTable } from "../../report/tables/experiment.ts";
import type { Store } from "../../store/open.ts";
import { paperStudy, type PartChoices } from "../study-options.ts";
import { weseTrials } from "../wese/trials.ts";
import { READERS } from "./memory-length.ts";
import { placedAt, readSiblings, replaceRows, siblings, withFactors } from "./siblings.ts";

const STEPS = 50;

/** Readers, exploration steps, retrievals, base methods, and households of each of the six types of tasks. */
const FORMS = {
  quick: { readers: [READERS[0], READERS[2]], explorationSteps: [5, 15, 50], retrieval: ["one-hop"], bases: ["react"], households: 5 },
  full: {
    readers: READERS,
    explorationSteps: [5, 10, 25, 50, 100],
    retrieval: ["one-hop", "between"],
    bases: ["act", "react"],
    households: 5,
  },
} as const;

/**
 * The studies *exploring reader × acting reader × N_e × retrieval × base method*, as data, one for each pair of readers or, with `models`, the one of
 * that map. `attempts` is the number of households of each type of task.
 *
 * @example
 * ```ts
 * import { explorationStudies } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const studies = explorationStudies();
 * assert.equal(studies.length, 2 * 2); // acting and exploring readers
 * assert.deepEqual(studies[1]?.models, { "wese/*": "reader:llama-3.1-8b", "wese/act": "reader:gpt-4o" });
 * ```
 */
export function explorationStudies({ only: _, ...options }: PartChoices = {}): Study[] {
  const form = options.full ? "full" : "quick";
  const { readers, households } = FORMS[form];
  const { attempts = households } = options;
  const pairs = readers.flatMap((acts) =>
    readers.map((explores): RoleMap => explores === acts ? { "*": acts } : { "*": acts, "wese/*": explores, "wese/act": acts })
  );
  return (options.models ? [options.models] : pairs).map((models) => {
    const acts = modelIdOf(bindingOf(models, "wese/act"));
    const explores = modelIdOf(bindingOf(models, "wese/explore"));
    const isFirst = explores === acts || options.models !== undefined;
    const study = paperStudy(`evidence-wese-${form}`, { ...options, models }, households, {
      title: "When does weak exploration pay? Exploring × acting reader × N_e",
      lanes: withFactors(lanesOf(form, attempts, isFirst), { acts, explores }),
    });
    // a backbone names its models in one order, whoever explores
    return acts === explores ? study : { ...study, id: study.id.replace(/@.*$/s, `@${explores}+${acts}`) };
  });
}

function lanesOf(form: keyof typeof FORMS, households: number, withBase: boolean): Study["lanes"] {
  const { explorationSteps, retrieval, bases } = FORMS[form];
  const worlds = Object.keys(ALFWORLD_TASKS).flatMap((type) =>
    ALFWORLD_HOUSEHOLDS.filter(({ task }) => task === type).slice(0, households).map(({ index }) => ({
      ...{ world: "alfworld", label: `alfworld/${type}, household ${index}` },
      params: { set: "households", game: index, stepLimit: STEPS },
    }))
  );
  const common = { id: "lanes", worlds, steps: STEPS };
  const alone = withBase ? bases.flatMap((base) => withFactors(experiment({ ...common, methods: [base] }).lanes, { base })) : [];
  const explored = experiment({ ...common, methods: ["wese"], factors: { base: bases, explorationSteps, retrieval } }).lanes;
  return [...alone, ...explored];
}

/** The experiment with its dollars as if the models of today had answered, and the base methods beside each exploration. */
function readExploration(store: Store, study: string): PlayedExperiment {
  const dollars = new Map(siblings(store, study).flatMap((id) => weseTrials(store, id).map((trial) => [trial.episode, trial.dollars])));
  const played = { ...readSiblings(store, study), titles: { explorationSteps: "steps of exploration N_e" } };
  return withMeasures(played, {
    dollars: {
      ...{ title: "US dollars (as of today's models)", digits: 4, range: [0, Infinity], better: "less" },
      of: ({ episode }) => dollars.get(episode) ?? null,
    },
  });
}

/** The base method beside each exploration of its acting reader, named for the explorations that it stands beside, and a setting for whoever explores. */
export function besideExplorations(played: PlayedExperiment): PlayedExperiment {
  const explored = played.rows.filter(({ factors }) => factors["method"] === "wese").map(({ factors }) => factors);
  const settingOf = ({ acts, explores }: typeof explored[number]): string => settingText(explores, acts);
  const placeOf = ({ explorationSteps = null, retrieval = null, ...factors }: typeof explored[number]) => ({
    ...{ explorationSteps, retrieval, setting: settingOf(factors), exploration: aloneBeside(factors["base"], retrieval) },
  });
  return replaceRows(played, (row) => {
    if (row.factors["method"] === "wese") return placedAt(row, [{ exploration: "WESE", setting: settingOf(row.factors) }]);
    const own = explored.filter(({ acts, base }) => acts === row.factors["acts"] && base === row.factors["base"]).map(placeOf);
    return placedAt(row, [...new Map(own.map((place) => [JSON.stringify(place), place])).values()]);
  });
}

function aloneBeside(base: unknown, retrieval: unknown): string {
  return `${base} alone (WESE retrieves ${retrieval})`;
}

/** Settings, by whether the weaker reader explores for the better (WESE), or one does both (SESE); of the reverse the paper says nothing. */
function settingsOf(who: "WESE" | "SESE"): string[] {
  return READERS.flatMap((acts, at) =>
    READERS.flatMap((explores, below) => (who === "SESE" ? below === at : below > at) ? [settingText(explores, acts)] : [])
  );
}

function settingText(explores: unknown, acts: unknown): string {
  return `${explores} for ${acts}`.replaceAll("reader:", "");
}

/**
 * Weak exploration and strong, each minus a base method alone, in the paper's 134 households (Table 1: text-davinci-003 acts, Llama-2-7B or it itself
 * explores), beside both retrievals, since its prose tells of one and its Algorithm 2 of the other: shares won; of dollars, which are as of other
 * models' prices, the order.
 */
export function paperExploration(base: "act" | "react", of: "won" | "dollars"): ReportedAdvantage[] {
  const method = { act: "Act", react: "ReAct" }[base];
  const table = new Map(paperTable("wese_table1_alfworld").map((row) => [row["method"], row]));
  return FORMS.full.retrieval.flatMap((retrieval) =>
    (["WESE", "SESE"] as const).map((who): ReportedAdvantage => {
      const gap = (column: string): number => Number(table.get(`${method}-${who}`)?.[column]) - Number(table.get(method)?.[column]);
      const found = of === "won" ? { mean: gap("success_rate") } : { mean: Math.sign(gap("expense_usd")), isUnprinted: true };
      return { than: aloneBeside(base, retrieval), x: STEPS, y: `paper's ${who}`, of: settingsOf(who), ...found };
    })
  );
}

const BY = { x: "explorationSteps", y: "setting", by: "exploration", level: "WESE" };

/** Everything that is made of weak exploration. */
export const EXPLORATION_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => {
    const played = readExploration(store, study);
    const beside = besideExplorations(played);
    return [
      meansTable(store, played, { of: ["won", "steps", "tokens", "dollars"], allowIncomplete }),
      ...(["won", "dollars"] as const).map((of) => breakEvenTable(store, beside, { ...BY, of })),
    ];
  },
  figures: [({ store, study }) => {
    const beside = besideExplorations(readExploration(store, study));
    const bases = beside.levels.get("base") ?? [];
    return bases.flatMap((base) => {
      const own = replaceRows(beside, (row) => row.factors["base"] === base ? [row] : []);
      const named = bases.length > 1 ? { ...own, study: `${own.study}-${base}` } : own;
      return (["won", "dollars"] as const).flatMap((of) => {
        const than = (own.levels.get("exploration") ?? []).map(String);
        const shown = {
          ...BY,
          of,
          reported: paperExploration(base === "act" ? base : "react", of).filter((one) => than.includes(one.than)),
        };
        return [phaseFigure(store, named, shown), breakEvenFigure(store, named, shown)];
      });
    });
  }],
};
