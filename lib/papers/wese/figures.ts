/** WESE's figures: success by type of household task (Figure 3), the graph over the exploration, and what the weak model's quality buys. */

import { countText, playerName } from "../../report/caption-text.ts";
import { exhibitRows } from "../../report/exhibit-table.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { stepRows } from "../../report/frame.ts";
import { bandsOf } from "../../report/growth.ts";
import { barText, barWithPaper, category, LINE_LEGEND, nominal, quantitative } from "../../report/marks.ts";
import type { ReportInput } from "../../report/study-report.ts";
import { methodChannels, stylesOf } from "../../report/styles.ts";
import { ONE_MODEL, WESE_SUCCESS_BY_TYPE, WESE_TYPES } from "./exhibits.ts";
import { weseMean } from "./measures.ts";
import { type WeseTrial, weseTrials } from "./trials.ts";
import { WESE_METHODS, WESE_VARIANTS, WESE_WORLDS, weseMethod, weseWorldName } from "./worlds.ts";

/** Types of tasks as the figure calls them, the more complicated ones first. */
const TYPES = { clean: "clean", heat: "heat", cool: "cool", puttwo: "put two", examine: "examine", put: "put" };

/** Figure 3: success by type of household task, and over the bars the relative improvement on the method alone, which the paper draws; `undefined` without one. */
export function weseTypesFigure({ reader, study, backbone }: ReportInput): Figure | undefined {
  const read = reader.read(WESE_SUCCESS_BY_TYPE, study);
  if (!read.trials.some(({ world, status }) => world === "alfworld" && status === "completed")) return undefined;
  const gains = new Map(
    exhibitRows(WESE_TYPES, read, { allowIncomplete: true }).map(({ row, column, value }) => [`${row.name} ${column.where.task}`, value]),
  );
  const ours = exhibitRows(WESE_SUCCESS_BY_TYPE, read, { allowIncomplete: true });
  const bars = ["act", "react"].flatMap((base) =>
    Object.entries(TYPES).flatMap(([task, name]) =>
      ours.filter(({ row: { method }, column }) => column.where.task === task && (method.base ?? method.condition) === base)
        .map((cell) => ({
          base: weseMethod(base)?.name,
          task: name,
          variant: cell.row.method.variant,
          success: cell.value,
          low: cell.low,
          high: cell.high,
          n: cell.n,
          improvement: signed(gains.get(`${cell.row.name} ${task}`)),
        }))
    )
  );
  const variants = WESE_VARIANTS.filter((variant) => bars.some((bar) => bar.variant === variant));
  const x = nominal("task", Object.values(TYPES), { axis: { labelAngle: 0 } });
  const xOffset = nominal("variant", variants);
  const y = quantitative("success", "success rate", { scale: { domain: [0, 1.25] }, axis: { values: [0, 0.25, 0.5, 0.75, 1] } });
  const { color } = methodChannels("variant", variants);
  return figureOf({
    id: `wese-fig3-${backbone}`,
    title: "Success by type of household task",
    subtitle: `model: ${playerName(backbone)}`,
    caption: `Success by type of household task (after Figure 3), model: ${playerName(backbone)}, n = ${
      countText(bars.map(({ n }) => n), "task")
    } ` +
      `a bar of ${weseWorldName("alfworld", read.trials)}, each played once, with Wilson's ` +
      "95 % intervals. Over the bars: relative improvement on the method alone in percent, which is what the paper draws; none where the method alone never succeeds." +
      (read.trials.some(({ isOneModel }) =>
          isOneModel
        )
        ? ` WESE: ${ONE_MODEL}.`
        : ""),
    rows: bars,
    fields: [["text", "base", "task", "variant"], ["number", "success", "low", "high"], ["integer", "n"], ["text", "improvement"]],
    facet: { row: nominal("base", ["Act", "ReAct"]) },
    spec: {
      width: 520,
      height: 150,
      layer: [
        ...barWithPaper({ x, xOffset, y, low: "low", high: "high", color }),
        barText("improvement", { x, xOffset, y: 1, upright: true }),
      ],
    },
  });
}

/** `+12`, `−3`, `0`; nothing of no number. */
function signed(value: number | null | undefined): string {
  if (value === null || value === undefined) return "";
  const size = Math.abs(value).toFixed(0);
  return size === "0" ? size : `${value < 0 ? "−" : "+"}${size}`;
}

/** Mean triplets over the steps of the exploration, a panel a world and base method, a line a model; `undefined` where nothing was explored. */
export function weseGrowthFigure({ store, study, reader, backbone }: ReportInput): Figure | undefined {
  const explored = reader.read({ trials: weseTrials }, study).trials.filter((trial) => trial.explored !== null);
  if (explored.length === 0) return undefined;
  const steps = Map.groupBy(stepRows(store, study).filter(({ pass }) => pass === 0), ({ episode }) => episode);
  const nameOf = (world: string): string => weseWorldName(world, explored);
  const lines = WESE_WORLDS.flatMap(({ id }) =>
    WESE_METHODS.map(({ condition }) => explored.filter((trial) => trial.world === id && trial.condition === condition))
  ).filter(({ length }) => length > 0);
  const rows = lines.flatMap((members) => {
    const [{ world, condition }] = members as [WeseTrial, ...WeseTrial[]];
    const { base = "", variant } = weseMethod(condition) ?? {};
    const last = Math.max(...members.map((trial) => trial.explored ?? 0));
    const courses = members.map(({ episode }) => {
      const sizes: number[] = [];
      for (const { step, triplets } of steps.get(episode) ?? []) sizes[step] = triplets ?? 0;
      return sizes;
    });
    return bandsOf(courses, last).map(({ step, n, mean }) => ({
      world: nameOf(world),
      base: weseMethod(base)?.name,
      explorer: variant,
      step,
      explorations: n,
      running: members.filter((trial) => (trial.explored ?? 0) >= step).length,
      triplets: mean,
    }));
  });
  const worlds = [...new Set(rows.map(({ world }) => world))];
  const counts = worlds.map((world) =>
    `${world} ${countText(rows.filter((row) => row.world === world).map((row) => row.explorations), "exploration")}`
  );
  const names = ["WESE", "SESE"].filter((name) => rows.some(({ explorer }) => explorer === name));
  const { color, strokeDash } = methodChannels("explorer", names, LINE_LEGEND);
  return figureOf({
    id: `wese-growth-${backbone}`,
    title: "The graph over the exploration",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `Growth of the explored graph, model: ${
        playerName(backbone)
      }: triplets after each step of the exploration, mean over the explorations of a method in a ` +
      `world; n a line: ${counts.join("; ")}. One that has ended stays as it ended. ` +
      (explored.some(({ isOneModel }) => isOneModel)
        ? `WESE and SESE: ${ONE_MODEL}.`
        : "WESE: the weak model explores; SESE: the strong one."),
    rows,
    fields: [["text", "world", "base", "explorer"], ["integer", "step", "explorations", "running"], ["number", "triplets"]],
    facet: {
      row: nominal("world", worlds, { header: { labelExpr: "split(replace(datum.label, ' (', '\\n('), '\\n')" } }),
      column: nominal("base", ["Act", "ReAct"]),
    },
    resolve: { scale: { x: "independent", y: "independent" } },
    spec: {
      width: 270,
      height: 104,
      mark: { type: "line" },
      encoding: {
        x: quantitative("step", "step of the exploration", { axis: { tickMinStep: 1 } }),
        y: quantitative("triplets", "triplets"),
        color,
        strokeDash,
      },
    },
  });
}

/** A study of the weak model's quality, as `weakModelStudies` plans them. */
export interface WeakStudy {
  readonly quality: number;
  readonly trials: readonly WeseTrial[];
}

/** Effect against dollars a task, a panel a world, over the quality of the weak model; only tasks that every method of a panel has completed count. */
export function weseFrontierFigure(studies: readonly WeakStudy[], { backbone }: { readonly backbone: string }): Figure {
  const cells = studies.flatMap(({ quality, trials }) => cellsOf(trials).map((cell) => ({ quality, ...cell })));
  const nameOf = (world: string): string => weseWorldName(world, cells.flatMap(({ trials }) => trials));
  const panels = [...Map.groupBy(cells, ({ base, world }) => `${world} ${base}`).values()];
  const points = panels.flatMap((panel) => {
    const done = tasksOfAll(panel);
    return panel.flatMap(({ quality, base, world, variant, trials: all }) => {
      const trials = all.filter(({ place }) => done.has(place));
      const isScience = world === "scienceworld";
      const effect = weseMean(isScience ? "reward" : "success").estimate(trials);
      const dollars = weseMean("dollars").estimate(trials);
      if (typeof effect === "string" || typeof dollars === "string") return [];
      const scaled = (end: number | undefined): number | null => end === undefined ? null : end * (isScience ? 0.01 : 1);
      const weak = variant === "WESE" ? { quality, label: `WESE, weak model ${quality}` } : { quality: null, label: variant };
      return [{
        ...{ world: nameOf(world), base: weseMethod(base)?.name, variant, ...weak },
        ...{ effect: scaled(effect.value), low: scaled(effect.low), high: scaled(effect.high) },
        ...{ dollars: dollars.value, n: trials.length },
      }];
    });
  });
  const worlds = WESE_WORLDS.map(({ id }) => nameOf(id)).filter((world) => points.some((point) => point.world === world));
  const science = worlds.includes(nameOf("scienceworld"));
  const sample = worlds.map((world) =>
    `${world} ${[...new Set(points.filter((point) => point.world === world).map(({ n }) => n))].join(" or ")}`
  );
  const qualities = studies.map(({ quality }) => quality).join(", ");
  const drawn = [
    { label: "alone", colour: "#000000", shape: "square" },
    ...studies.map(({ quality }, at) => ({
      label: `WESE, weak model ${quality}`,
      colour: SHADES[Math.round(at * (SHADES.length - 1) / Math.max(1, studies.length - 1))],
      shape: "circle",
    })),
    { label: "SESE", colour: stylesOf(["SESE"])[0]?.color, shape: "triangle-up" },
  ].filter(({ label }) => points.some((point) => point.label === label));
  const labels = drawn.map(({ label }) => label);
  const x = quantitative("dollars", "dollars a task", { scale: { zero: false, padding: 12 }, axis: { tickCount: 3, format: "~g" } });
  const y = quantitative("effect", "success", { scale: { domain: [0, 1.04] } }); // room for marks at 1
  const color = category("label", labels, drawn.map(({ colour }) => colour));
  const shape = category("label", labels, drawn.map((mark) => mark.shape));
  return figureOf({
    id: `wese-frontier-${backbone}`,
    title: "What the weak model's quality buys",
    subtitle: `model: ${playerName(backbone)}`,
    caption: `Cost and effect over the quality of the weak model, model: ${playerName(backbone)}, n tasks a point: ${sample.join(", ")}. ` +
      `Success${science ? " (ScienceWorld: a hundredth of the reward)" : ""} against dollars of all models a task, ` +
      `as if those of the role map "today" had answered. Of 100 facts the weak model finds ${qualities}, and gets as ` +
      "many of 100 right; at 100 it is as good as the strong one. The methods alone and SESE have no weak model. Better is higher, cheaper is farther to the left.",
    rows: points,
    fields: [
      ...[["text", "world", "base", "variant"], ["integer", "quality"], ["text", "label"]] as const,
      ...[["number", "effect", "low", "high", "dollars"], ["integer", "n"]] as const,
    ],
    facet: { column: nominal("world", worlds), row: nominal("base", ["Act", "ReAct"]) },
    resolve: { scale: { x: "independent" } },
    spec: {
      width: 210,
      height: 150,
      layer: [
        {
          transform: [{ filter: "datum.variant === 'WESE'" }],
          mark: { type: "line", strokeWidth: 1.2, color: "#999" },
          encoding: { x, y, order: { field: "quality", type: "quantitative" } },
        },
        { mark: { type: "point", filled: true, size: 75, opacity: 1 }, encoding: { x, y, color, shape } },
      ],
    },
  });
}

/** Completed trials, at least one, of a method that is built on a base or is one. */
interface FrontierCell extends Readonly<Record<"world" | "base" | "variant", string>> {
  readonly trials: readonly WeseTrial[];
}

/** The cells of the completed trials, by world and condition. */
function cellsOf(trials: readonly WeseTrial[]): FrontierCell[] {
  const done = trials.filter(({ status, condition }) => status === "completed" && /^(re)?act\b/.test(condition));
  return [...Map.groupBy(done, ({ world, condition }) => `${world}\n${condition}`).values()].map((cell) => {
    const [{ world, condition }] = cell as [WeseTrial, ...WeseTrial[]];
    const { base = condition, variant = "alone" } = weseMethod(condition) ?? {};
    return { world, base, variant, trials: cell };
  });
}

/** The tasks that every cell has completed, so that its points differ by nothing but method and model. */
function tasksOfAll(cells: readonly FrontierCell[]): ReadonlySet<string> {
  return cells.map(({ trials }) => new Set(trials.map(({ place }) => place))).reduce((all, own) => all.intersection(own));
}

/** From a poor weak model to a good one. */
const SHADES = ["#c6dbef", "#8cbbe0", "#3f8fc5", "#08519c"];
