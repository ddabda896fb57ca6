/**
 * Where is it lost, step by step? What each step of a knowledge-graph method had and lacked, out of the record: precision and recall of the graph, recall
 * of what the next right action needs, validity of plan and action; and the first stage that lacked something, which the step is attributed to.
 *
 * The score that a stage costs is another question, which `attribution.ts` answers: a step that lacks a fact can go right all the same.
 */

import type { Study } from "../../lab/study.ts";
import { type ExperimentRow, meanOverGames, type MeasureInfo, type PlayedExperiment, withMeasures } from "../../report/experiment.ts";
import { experimentCaption } from "../../report/experiment-caption.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { category, nominal, quantitative } from "../../report/marks.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { type Cell, cellText, incompleteCell, type Table } from "../../report/table.ts";
import type { Store } from "../../store/open.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";
import { stageColour } from "./attribution.ts";
import { ATTRIBUTED, type AttributedMethod } from "./attribution-methods.ts";
import { readSiblings, replaceRows, siblings } from "./siblings.ts";
import { isJudged, lackOf, LACKS, readSteps, type StepReading } from "./step-readings.ts";

/**
 * The study of the steps, as data: the games of every attribution with one reader in all roles, and the truth of each step on record. `only` names
 * methods by their titles; `attempts` is the number of games of each kind.
 *
 * @throws {UsageError} if `only` names no method of the study.
 *
 * @example
 * ```ts
 * import { stepStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { id, lanes, truth } = stepStudy({ models: { "*": "reader:gpt-4o" }, only: ["WESE"], attempts: 1 });
 * assert.deepEqual([id, lanes.length, truth], ["evidence-steps-quick-WESE-x1@reader:gpt-4o", 6, true]); // types of tasks
 * ```
 */
export function stepStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { only = [], attempts } = options;
  checkNames(only, Object.values(ATTRIBUTED).map(({ title }) => title), "no method of this study");
  const methods = Object.entries(ATTRIBUTED).filter(([, { title }]) => only.length === 0 || only.includes(title));
  return paperStudy(`evidence-steps-${form}`, options, 0, {
    title: "Where is it lost, step by step?",
    lanes: methods.flatMap(([name, { lanes, games }]) => lanes({ form, games: attempts ?? games[form], factors: { attributed: name } })),
    truth: true,
  });
}

/** Readings of an episode → a share of them; null where no step tells. */
type Share = (steps: readonly StepReading[]) => number | null;

function share(of: (step: StepReading) => number | boolean | undefined): Share {
  return (steps) => {
    const values = steps.flatMap((step) => of(step) ?? []);
    return values.length === 0 ? null : values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
  };
}

/** Measure → its title, its value of an episode, and whether the world of a method has to tell what a step needs. */
const VALIDITY: Readonly<Record<string, { readonly title: string; readonly of: Share }>> = {
  precision: { title: "precision", of: share(({ precision }) => precision) },
  recall: { title: "recall", of: share(({ recall }) => recall) },
  known: { title: "needed, in the graph", of: share(({ decision }) => decision?.need?.isKnown) },
  recalled: { title: "needed, recalled", of: share(({ decision }) => decision?.need && decision.need.isKnown && decision.need.isRecalled) },
  plan: { title: "valid plans", of: share(({ decision }) => decision?.plan) },
  action: { title: "valid actions", of: share(({ decision }) => decision?.action) },
};

/** The stages of lacks, each with its share of the steps that decide. */
const SHARES = Object.fromEntries(
  LACKS.map((lack) => [lack, { title: lack, of: share(({ decision }) => decision && lackOf(decision) === lack) }]),
);

const INFO = { digits: 2, range: [0, 1], optional: true } as const satisfies Omit<MeasureInfo, "title">;

/** Readings of completed episodes: each report reads those of all its studies again. */
const readings = new WeakMap<Store, Map<string, readonly StepReading[]>>();

/** The experiment without its training, and the readings of each of its completed episodes. */
function readPlayed(
  store: Store,
  study: string,
): { readonly played: PlayedExperiment; readonly steps: ReadonlyMap<string, readonly StepReading[]> } {
  const found = replaceRows(readSiblings(store, study, "reader"), (row) => row.factors["task"] === "training" ? [] : [row]);
  const steps = readings.get(store) ?? new Map<string, readonly StepReading[]>();
  readings.set(store, steps);
  for (const { episode, status, factors } of found.rows) {
    if (status === "completed") steps.getOrInsertComputed(episode, () => readSteps(store, episode, String(factors["attributed"])));
  }
  const measures = Object.entries({ ...VALIDITY, ...SHARES }).map(([name, { title, of }]) =>
    [name, { ...INFO, title, of: ({ episode }: ExperimentRow) => of(steps.get(episode) ?? []) }] as const
  );
  return { played: withMeasures(found, Object.fromEntries(measures)), steps };
}

/** Why a method has no number of a measure. */
function reasonFor(name: string, measure: string): string | undefined {
  const { stages } = ATTRIBUTED[name] as AttributedMethod;
  if (measure === "action" || measure === "acting") return undefined;
  if (!isJudged(name)) return "no truth";
  if (measure === "plan" || measure === "planning") return "planning" in stages ? undefined : "no plan";
  return measure === "exploring" && !("exploring" in stages) ? "no such pass" : undefined;
}

const READING =
  '"Needed": what the next right action needs of another place; "recalled" counts what is not in the graph as not recalled. Valid plans: of AriGraph ' +
  "a sub-goal names what is needed next, of GraphMind the instruction names what is in the agent's room or hand; WESE acts without one. Valid actions: the world " +
  'takes them. "No truth": ScienceWorld tells neither places nor things.';
const LACKING =
  "Share of the steps that decide, by the first stage that lacks something: the needed fact was not met in exploring, not extracted, is held as it " +
  'was before (staleness), or not retrieved; the plan, or the action, is not valid; "nothing" where none does, or nothing is needed.';
const UNJUDGED = ' ReasonPlanner: of its actions alone, for want of a truth ("no truth").';

function tableOf(
  played: PlayedExperiment,
  { id, title, what, columns, allowIncomplete = false }: {
    readonly id: string;
    readonly title: string;
    readonly what: string;
    readonly columns: Readonly<Record<string, { readonly title: string }>>;
    readonly allowIncomplete?: boolean;
  },
): Table {
  const groups = Map.groupBy(played.rows, ({ factors }) => JSON.stringify([factors["attributed"], factors["reader"]]));
  const rows = [...groups.values()].sort(byMethod).map((rows): Cell[] => {
    const { attributed, reader } = rows[0]?.factors ?? {};
    const name = String(attributed);
    const missing = allowIncomplete ? undefined : incompleteCell(rows);
    const cellOf = (measure: string): Cell => {
      const found = meanOverGames(rows, measure, { ...INFO, unit: played.unit });
      const cell = found && { ...found, digits: 2 };
      return reasonFor(name, measure) ?? missing ??
        (cell && cell.n < rows.length ? { ...cell, shown: `${cellText(cell)} of ${cell.n}` } : cell ?? "no such step");
    };
    return [ATTRIBUTED[name]?.title ?? name, String(reader), `${rows.length}`, ...Object.keys(columns).map(cellOf)];
  });
  return {
    ...{ id: `${id}-${played.study}`, title, caption: experimentCaption(played, `${what} "Of n": no other game has such a step.`) },
    columns: ["method", "reader", "games", ...Object.values(columns).map(({ title }) => title)],
    rows,
  };
}

/** Methods in the order of their data; readers stay in theirs. */
function byMethod([a]: readonly ExperimentRow[], [b]: readonly ExperimentRow[]): number {
  const place = (row: ExperimentRow | undefined): number => Object.keys(ATTRIBUTED).indexOf(String(row?.factors["attributed"]));
  return place(a) - place(b);
}

/** Ranges of steps, each up to its last one. */
const RANGES = [5, 10, 20, 40, 80, Infinity];

function rangeOf(step: number): string {
  const at = RANGES.findIndex((last) => step <= last);
  const from = (RANGES[at - 1] ?? 0) + 1;
  return RANGES[at] === Infinity ? `${from}+` : `${from}–${RANGES[at]}`;
}

/** What steps have, by ranges of steps: shares over all steps of the range, of those methods alone whose world tells what a step needs. */
function rangeTable(played: PlayedExperiment, steps: ReadonlyMap<string, readonly StepReading[]>): Table {
  const done = played.rows.filter(({ factors, status }) => isJudged(String(factors["attributed"])) && status === "completed");
  const groups = Map.groupBy(done, ({ factors }) => JSON.stringify([factors["attributed"], factors["reader"]]));
  const measures = Object.entries(VALIDITY);
  return {
    id: `step-ranges-${played.study}`,
    title: "Where is it lost, step by step? What steps have, over steps",
    caption: experimentCaption(played, `Shares over the steps of the range, of all games. ${READING}`, { intervals: "none" }),
    columns: ["method", "reader", "agent steps", "games", ...measures.map(([, { title }]) => title)],
    rows: [...groups.values()].sort(byMethod).flatMap((rows) =>
      RANGES.map((last) => rangeOf(last)).flatMap((range): Cell[][] => {
        const { attributed, reader } = rows[0]?.factors ?? {};
        const own = rows.map(({ episode }) => steps.get(episode)?.filter(({ step }) => rangeOf(step) === range) ?? []);
        const games = own.filter((some) => some.length > 0).length;
        const cells = measures.map(([name, { of }]): Cell => {
          const value = of(own.flat());
          return reasonFor(String(attributed), name) ?? (value === null ? "no such step" : { value, digits: 2 });
        });
        return games === 0 ? [] : [[ATTRIBUTED[String(attributed)]?.title ?? "", String(reader), range, `${games}`, ...cells]];
      })
    ),
  };
}

/** The lacks over steps, stacked to 1: a row of panels a method, a column a reader, of those methods alone whose world tells what a step needs. */
function lackFigure(played: PlayedExperiment, steps: ReadonlyMap<string, readonly StepReading[]>): Figure {
  const found = played.rows.toSorted((a, b) => byMethod([a], [b])).flatMap(({ episode, factors }) => {
    const name = String(factors["attributed"]);
    if (!isJudged(name)) return [];
    const place = { method: ATTRIBUTED[name]?.title ?? name, reader: String(factors["reader"]).replace("reader:", "") };
    return (steps.get(episode) ?? []).flatMap(({ step, decision }) =>
      decision ? [{ ...place, range: rangeOf(step), lack: lackOf(decision) }] : []
    );
  });
  const rows = [...Map.groupBy(found, ({ lack: _, ...bar }) => JSON.stringify(bar)).values()].flatMap((own) =>
    LACKS.flatMap((lack, place) => {
      const count = own.filter((one) => one.lack === lack).length;
      return count === 0 ? [] : [{ ...own[0], lack, place, share: count / own.length, n: own.length }];
    })
  );
  const shown = LACKS.filter((lack) => rows.some((row) => row.lack === lack));
  return figureOf({
    id: `step-lacks-figure-${played.study}`,
    title: "Where is it lost, step by step?",
    subtitle: `backbone: ${played.backbone}`,
    caption: experimentCaption(played, `${LACKING} Over agent steps, of the episodes that still run.`, { intervals: "none" }),
    rows,
    isWide: true,
    fields: [["text", "method", "reader", "range", "lack"], ["number", "share"], ["integer", "place", "n"]],
    facet: {
      row: nominal("method", [...new Set(found.map(({ method }) => method))]),
      column: nominal("reader", [...new Set(found.map(({ reader }) => reader))]),
    },
    spec: {
      width: 110,
      height: 110,
      mark: "bar",
      encoding: {
        x: nominal("range", RANGES.map((last) => rangeOf(last)), { title: "agent step", axis: { labelAngle: -45 } }),
        y: quantitative("share", "share of steps", { stack: "zero" }),
        color: category("lack", shown, shown.map(stageColour)),
        order: { field: "place", type: "ordinal" },
      },
    },
  });
}

/** Everything that is made of the steps. */
export const STEP_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => {
    const { played, steps } = readPlayed(store, study);
    const title = "Where is it lost, step by step?";
    return [
      tableOf(played, { id: "step-validity", title: `${title} What steps have`, what: READING, columns: VALIDITY, allowIncomplete }),
      tableOf(played, {
        id: "step-lacks",
        title: `${title} The first that steps lack`,
        what: LACKING + UNJUDGED,
        columns: SHARES,
        allowIncomplete,
      }),
      rangeTable(played, steps),
    ];
  },
  figures: [({ store, study }) => {
    const { played, steps } = readPlayed(store, study);
    return lackFigure(played, steps);
  }],
};
