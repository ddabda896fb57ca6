/**
 * ReasonPlanner's figures: score over steps for each task (Figure 4), and how the graph grows over the training.
 *
 * @module
 */

import type { Store } from "../../store/open.ts";
import { type Figure, PALETTE } from "../../report/figure.ts";
import { type DataFrame, type EpisodeRow, frameOf, rowsOf } from "../../report/frame.ts";
import { paperTasks, REASONPLANNER_METHODS, TABLE1_METHODS } from "./scores.ts";
import type { Trials } from "../../report/trials.ts";

interface Step {
  readonly episode: string;
  readonly pass: number;
  readonly step: number;
  readonly normalised: number;
}

/**
 * Figure 4: a small panel a task, in each the variation that ReasonPlanner did best, and the same of the other methods. Of several trials the one
 * that counts.
 *
 * @param episodes the frame of `episodesFrame`
 * @param steps the frame of `stepsFrame`
 * @param options `trials` of the study's episodes, where there are some of several
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { trajectoriesFigure } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", game: "text", condition: "text", attempt: "integer", normalised: "number" } as const;
 * const row = { game: "boil", condition: "reasonplanner" };
 * const episodes = frameOf([{ ...row, episode: "a", attempt: 1, normalised: 0.2 }, { ...row, episode: "b", attempt: 2, normalised: 0.7 }], types);
 * const step = { pass: 0, step: 1 };
 * const steps = frameOf(
 *   [{ ...step, episode: "a", normalised: 0.2 }, { ...step, episode: "b", normalised: 0.7 }],
 *   { episode: "text", pass: "integer", step: "integer", normalised: "number" },
 * );
 * const { frame } = trajectoriesFigure(episodes, steps, { backbone: "offline" });
 * assert.deepEqual(rowsOf(frame), [{ task: "1-1 boil", place: 0, method: "ReasonPlanner", step: 1, score: 70 }]);
 * ```
 */
export function trajectoriesFigure(
  episodes: DataFrame,
  steps: DataFrame,
  options: { readonly backbone: string; readonly trials?: Trials },
): Figure {
  const { backbone, trials } = options;
  const all = rowsOf<EpisodeRow>(episodes).filter(({ condition, normalised }) => normalised !== null && TABLE1_METHODS.includes(condition));
  const byEpisode = Map.groupBy(rowsOf<Step>(steps.select("episode", "pass", "step", "normalised")), ({ episode }) => episode);
  const tasks = paperTasks().filter(({ name }) => all.some(({ game, condition }) => game === name && condition === "reasonplanner"));
  const rows = tasks.flatMap(({ name, id }, place) => {
    const task = labelOf({ name, id });
    const [best] = all.filter(({ game, condition }) => game === name && condition === "reasonplanner")
      .sort((a, b) => (b.normalised ?? 0) - (a.normalised ?? 0) || a.attempt - b.attempt);
    return TABLE1_METHODS.flatMap((method) => {
      const episode = all.find(({ game, condition, attempt }) => game === name && condition === method && attempt === best?.attempt)
        ?.episode;
      const counts = trials?.get(episode ?? "")?.passes.findIndex((pass) => pass.counts) ?? -1;
      const taken = (byEpisode.get(episode ?? "") ?? []).filter(({ pass }) => pass === Math.max(0, counts));
      return taken.map(({ step, normalised }) => ({
        task,
        place,
        method: REASONPLANNER_METHODS[method],
        step,
        score: Math.round(normalised * 1e4) / 100,
      }));
    });
  });
  const lines = LINES.filter(({ name }) => rows.some(({ method }) => method === name));
  const names = lines.map(({ name }) => name);
  return {
    id: `reasonplanner-fig4-${backbone}`,
    caption:
      `Score over the steps of a task (after Figure 4), backbone ${backbone}: ${tasks.length} of 30 tasks, in each the variation that ` +
      "ReasonPlanner did best (of equal ones the first) and the same one of the other methods; of Reflexion the trial that counts. n = 1 a line. " +
      "Of lines on one another the wider ones lie below.",
    frame: frameOf(rows, { task: "text", place: "integer", method: "text", step: "integer", score: "number" }),
    spec: {
      title: { text: "Score over steps", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: {
        field: "task",
        type: "nominal",
        title: null,
        sort: tasks.map(labelOf),
        header: { labelFontSize: 8.5, labelLimit: 220, labelExpr: "split(datum.label, '\\n')", labelLineHeight: 10 },
      },
      columns: Math.min(5, Math.max(2, tasks.length)),
      spacing: { row: 18, column: 18 },
      spec: {
        width: 150,
        height: 90,
        mark: { type: "line", interpolate: "step-after" },
        encoding: {
          x: { field: "step", type: "quantitative", title: "step", axis: { tickCount: 4 } },
          y: { field: "score", type: "quantitative", title: "score", scale: { domain: [0, 100] }, axis: { values: [0, 50, 100] } },
          color: {
            field: "method",
            type: "nominal",
            sort: names,
            scale: { domain: names, range: lines.map(({ colour }) => colour) },
            title: null,
            legend: { orient: "bottom", symbolType: "stroke" },
          },
          // the first drawn are the widest, so that lines on one another all show
          strokeWidth: {
            field: "method",
            type: "nominal",
            sort: names,
            scale: { type: "ordinal", domain: names, range: lines.map(({ width }) => width) },
            title: null,
          },
        },
      },
    },
  };
}

/** How each method is drawn, in the order of Table 1. */
const LINES = TABLE1_METHODS.map((method, place) => ({
  name: REASONPLANNER_METHODS[method],
  colour: PALETTE[[5, 4, 2, 1][place] ?? 0],
  width: [5.5, 4, 2.8, 1.6][place],
}));

/** Signs of a line of a panel's head. */
const LONGEST_LINE = 28;

/** Number and name of a task, in lines that fit over a panel: broken after hyphens. */
function labelOf({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${id} ${name}`.split(/(?<=-)(?=[a-z])/).reduce((label, part) => {
    const line = label.split("\n").at(-1) ?? "";
    return label !== "" && line.length + part.length > LONGEST_LINE ? `${label}\n${part}` : label + part;
  }, "");
}

/** A step of the training, in order. */
interface TrainingStep {
  readonly game: string;
  /** 0 for what is seen before the first action. */
  readonly step: number;
  readonly facts: number;
  readonly told: number;
}

/**
 * How the temporal graph grows over the training: different facts, and all tellings of facts, after each action. `undefined` where no training is
 * recorded.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { trainingGrowthFigure } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(trainingGrowthFigure(store, "unplayed", { backbone: "offline" }), undefined);
 * ```
 */
export function trainingGrowthFigure(store: Store, study: string, { backbone }: { readonly backbone: string }): Figure | undefined {
  const steps = store.prepare(`
    select coalesce(e.label, e.world) as game, t.step, t.graph_size as facts,
      (select count(*) from graph_changes c where c.episode = t.episode and c.pass = t.pass and c.step = t.step and c.op = 'add') as told
    from turns t join episodes e on e.id = t.episode
    where e.study = ? and e.lane = 'training' and e.status = 'completed' and t.graph_size is not null order by e.ordinal, t.step`)
    .all(study) as unknown as TrainingStep[];
  if (steps.length === 0) return undefined;
  let [action, told] = [0, 0];
  const rows = steps.flatMap((step) => {
    if (step.step > 0) action += 1;
    told += step.told;
    return [{ action, task: step.game, count: step.facts, what: FACTS }, { action, task: step.game, count: told, what: TELLINGS }];
  });
  const episodes = store.prepare("select count(*) as n from episodes where study = ? and lane = 'training' and status = 'completed'").get(
    study,
  )?.n;
  return {
    id: `reasonplanner-growth-${backbone}`,
    caption:
      `Growth of ReasonPlanner's temporal knowledge graph over its training, backbone ${backbone}: ${episodes} episodes on gold paths, one after ` +
      "another (n = 1 graph). Facts: different ones, none is ever removed. Tellings: each time that a fact was learnt.",
    frame: frameOf(rows, { action: "integer", task: "text", count: "integer", what: "text" }),
    spec: {
      title: { text: "The graph over the training", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      width: 420,
      height: 240,
      mark: { type: "line", strokeWidth: 2 },
      encoding: {
        x: { field: "action", type: "quantitative", title: "action" },
        y: { field: "count", type: "quantitative", title: "in the graph" },
        color: { field: "what", type: "nominal", sort: [TELLINGS, FACTS], title: null, legend: { symbolType: "stroke" } },
      },
    },
  };
}

const FACTS = "facts";
const TELLINGS = "tellings of facts";
