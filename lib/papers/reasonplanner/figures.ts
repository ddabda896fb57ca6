/** ReasonPlanner's figures: score over steps for each task (Figure 4), and how the graph grows over the training. */

import { playerName } from "../../report/caption-text.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { stepRows } from "../../report/frame.ts";
import { LINE_LEGEND, nominal, quantitative } from "../../report/marks.ts";
import type { ReportInput } from "../../report/study-report.ts";
import { methodChannels } from "../../report/styles.ts";
import { paperTasks, REASONPLANNER_METHODS, reasonPlannerTrials, TABLE1_METHODS } from "./trials.ts";

/** Figure 4: a panel a task, with the variation that ReasonPlanner did best, and the same of the other methods; `undefined` where it has none. */
export function trajectoriesFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const scored = reader.read({ trials: reasonPlannerTrials }, study).trials.filter(({ score }) => score !== null);
  const bestOf = new Map(
    paperTasks().flatMap(({ name }) => {
      const [best] = scored.filter(({ task, condition }) => task === name && condition === "reasonplanner")
        .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.attempt - b.attempt);
      return best ? [[name, best.attempt] as const] : [];
    }),
  );
  if (bestOf.size === 0) return undefined;
  const tasks = paperTasks().filter(({ name }) => bestOf.has(name));
  const steps = Map.groupBy(stepRows(store, study), ({ episode }) => episode);
  const rows = tasks.flatMap(({ name, id }, place) =>
    TABLE1_METHODS.flatMap((method) => {
      const drawn = scored.find(({ task, condition, attempt }) => task === name && condition === method && attempt === bestOf.get(name));
      return (steps.get(drawn?.episode ?? "") ?? []).filter(({ pass }) => pass === drawn?.pass).map(({ step, normalised }) => ({
        task: labelOf({ name, id }),
        place,
        method: REASONPLANNER_METHODS[method],
        step,
        score: Math.round((normalised ?? 0) * 1e4) / 100,
        lost: drawn?.lost === true && step === drawn.steps,
      }));
    })
  );
  const isLost = rows.some(({ lost }) => lost);
  const names = TABLE1_METHODS.map((method) => REASONPLANNER_METHODS[method] ?? method)
    .filter((name) => rows.some(({ method }) => method === name));
  const x = quantitative("step", "step", { axis: { tickCount: 4 } });
  const y = quantitative("score", "score", { scale: { domain: [0, 110] }, axis: { values: [0, 50, 100] } });
  const { color, strokeDash } = methodChannels("method", names, LINE_LEGEND);
  return figureOf({
    id: `reasonplanner-fig4-${backbone}`,
    title: "Score over steps",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `Score over the steps of a task (after Figure 4), model: ${
        playerName(backbone)
      }: ${tasks.length} of 30 tasks, in each the variation that ` +
      "ReasonPlanner did best (of equal ones the first) and the same one of the other methods; of Reflexion the trial that counts. " +
      "n = 1 a line; equal ones lie on one another." +
      (isLost ? " A cross ends the line of a lost episode, which keeps its last score." : ""),
    rows,
    fields: [["text", "task"], ["integer", "place"], ["text", "method"], ["integer", "step"], ["number", "score"], ["boolean", "lost"]],
    facet: nominal("task", tasks.map(labelOf), {
      header: { labelFontWeight: "normal", labelExpr: "split(datum.label, '\\n')", labelLineHeight: 9 },
    }),
    columns: Math.min(5, Math.max(2, tasks.length)),
    spacing: { row: 14, column: 12 },
    spec: {
      width: 150,
      height: 110,
      encoding: { x, y, color },
      layer: [
        { mark: { type: "line", strokeWidth: 1.6, interpolate: "step-after" }, encoding: { strokeDash } },
        ...isLost ? [LOST] : [],
      ],
    },
  });
}

/** The mark at the end of a lost episode. A layer of no rows would have no scale. */
const LOST = { transform: [{ filter: "datum.lost" }], mark: { type: "point", shape: "cross", filled: true, size: 70, opacity: 1 } };

/** Characters of a line of a panel's title. */
const LONGEST_LINE = 18;

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

/** How the temporal graph grows over the training: facts, and tellings of facts, after each action; `undefined` without a recorded training. */
export function trainingGrowthFigure({ store, study, backbone }: ReportInput): Figure | undefined {
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
  const episodes = steps.filter(({ step }) => step === 0).length;
  const { color, strokeDash } = methodChannels("what", [TELLINGS, FACTS], LINE_LEGEND);
  return figureOf({
    id: `reasonplanner-growth-${backbone}`,
    title: "The graph over the training",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `Growth of ReasonPlanner's temporal knowledge graph over its training, model: ${
        playerName(backbone)
      }: ${episodes} episodes on gold paths, one after ` +
      "another (n = 1 graph). Facts: different ones, none is ever removed. Tellings: each time that a fact was learnt.",
    rows,
    fields: [["integer", "action"], ["text", "task"], ["integer", "count"], ["text", "what"]],
    width: 420,
    height: 240,
    mark: { type: "line", strokeWidth: 1.6 },
    encoding: { x: quantitative("action", "action"), y: quantitative("count", "in the graph"), color, strokeDash },
  });
}

const FACTS = "facts";
const TELLINGS = "tellings of facts";
