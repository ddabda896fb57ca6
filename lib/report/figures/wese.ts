/**
 * WESE's figures: success by type of household task (Figure 3), how the explored graph grows, and what the quality of the weak model buys.
 *
 * @module
 */

import { wilsonInterval } from "../../lab/statistics.ts";
import { type Figure, PALETTE } from "../figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../frame.ts";
import { relativeImprovement, WESE_BASES, WESE_METHODS, WESE_WORLDS, weseCells, weseMean } from "../wese-measures.ts";
import { type WeseTrial, weseTrialsOf } from "../wese-trials.ts";

/** Types of tasks as the figure calls them, the more complicated ones first. */
const TYPES: Readonly<Record<string, string>> = {
  clean: "clean",
  heat: "heat",
  cool: "cool",
  puttwo: "put two",
  examine: "examine",
  put: "put",
};

/** Alone, with WESE, with SESE. */
const VARIANTS = ["alone", "WESE", "SESE"] as const;
const VARIANT_COLOURS = { domain: VARIANTS, range: ["#bbbbbb", PALETTE[0], PALETTE[1]] };

/**
 * Figure 3: success by type of household task of Act and ReAct, alone, with WESE and with SESE, and over the bars the relative improvement on the
 * method alone, which is all that the paper draws; it is undefined, and left out, where the method alone never succeeds.
 *
 * @param trials the frame of `weseTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf, weseTypesFigure } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", world: "text", task: "text", place: "text", condition: "text", status: "text", reward: "number", success: "boolean" } as const;
 * const row = { world: "alfworld", task: "heat", status: "completed", reward: 100, condition: "react", episode: "" };
 * const trials = frameOf([
 *   { ...row, place: "1", success: true },
 *   { ...row, place: "2", success: false },
 *   { ...row, place: "1", success: true, condition: "react-wese" },
 *   { ...row, place: "2", success: true, condition: "react-wese" },
 * ], types);
 * const bars = rowsOf<{ variant: string; success: number; improvement: string }>(weseTypesFigure(trials, { backbone: "offline" }).frame);
 * assert.deepEqual(bars.map(({ variant, success, improvement }) => [variant, success, improvement]), [["alone", 0.5, ""], ["WESE", 1, "+100"]]);
 * ```
 */
export function weseTypesFigure(trials: DataFrame, { backbone }: { readonly backbone: string }): Figure {
  const all = weseTrialsOf(trials).filter(({ world, reward }) => world === "alfworld" && reward !== null);
  const bars = Object.entries(WESE_BASES).flatMap(([base, built]) =>
    Object.entries(TYPES).flatMap(([task, name]) => {
      const of = (condition: string): WeseTrial[] => all.filter((trial) => trial.condition === condition && trial.task === task);
      return [base, ...built].flatMap((condition, at) => {
        const mine = of(condition);
        if (mine.length === 0) return [];
        const won = mine.filter(({ success }) => success).length;
        const gain = at === 0
          ? undefined
          : relativeImprovement({ world: "alfworld", trials: mine }, { world: "alfworld", trials: of(base) }, "success");
        return [{
          base: WESE_METHODS[base],
          task: name,
          variant: VARIANTS[at],
          success: won / mine.length,
          ...wilsonInterval(won, mine.length),
          n: mine.length,
          improvement: gain ? `${gain.value < 0 ? "−" : "+"}${Math.abs(gain.value).toFixed(0)}` : "",
        }];
      });
    })
  );
  const x = { field: "task", type: "nominal", sort: Object.values(TYPES), title: null, axis: { labelAngle: 0 } };
  const xOffset = { field: "variant", type: "nominal", sort: VARIANTS };
  const y = {
    field: "success",
    type: "quantitative",
    title: "success rate",
    scale: { domain: [0, 1.08] },
    axis: { values: [0, 0.25, 0.5, 0.75, 1] },
  };
  const counts = [...new Set(bars.map(({ n }) => n))].sort((a, b) => a - b);
  return {
    id: `wese-fig3-${backbone}`,
    caption:
      `Success by type of household task (after Figure 3), backbone ${backbone}, n = ${
        counts.join(", ")
      } households a bar, each played once, with Wilson's ` +
      "95 % intervals. Over the bars: relative improvement on the method alone in percent, which is what the paper draws; none where the method alone never succeeds.",
    frame: frameOf(bars, {
      base: "text",
      task: "text",
      variant: "text",
      success: "number",
      low: "number",
      high: "number",
      n: "integer",
      improvement: "text",
    }),
    spec: {
      title: { text: "Success by type of household task", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: { row: { field: "base", type: "nominal", title: null, sort: ["Act", "ReAct"] } },
      spec: {
        width: 520,
        height: 150,
        encoding: { x, xOffset },
        layer: [
          {
            mark: { type: "bar" },
            encoding: { y, color: { field: "variant", type: "nominal", title: null, sort: VARIANTS, scale: VARIANT_COLOURS } },
          },
          { mark: { type: "rule", color: "black" }, encoding: { y: { field: "low", type: "quantitative" }, y2: { field: "high" } } },
          {
            mark: { type: "text", fontSize: 8, baseline: "bottom", dy: -2 },
            encoding: { y: { datum: 1 }, text: { field: "improvement", type: "nominal" } },
          },
        ],
      },
    },
  };
}

/** One recorded step of an exploration. */
interface ExploredStep {
  readonly episode: string;
  readonly pass: number;
  readonly step: number;
  readonly triplets: number | null;
}

/**
 * How the graph grows over the exploration, a panel a world and a line a model that explores: mean triplets over the explorations, those that have
 * ended with what they ended with. `undefined` where nothing was explored.
 *
 * @param steps the frame of `stepsFrame`
 * @param trials the frame of `weseTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf, weseGrowthFigure } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const row = { episode: "a", world: "fever", condition: "act-wese", explored: 2, triplets: 5 };
 * const trials = frameOf([row], { episode: "text", world: "text", condition: "text", explored: "integer", triplets: "integer" });
 * const types = { episode: "text", pass: "integer", step: "integer", triplets: "integer" } as const;
 * const steps = frameOf([0, 1, 2].map((step) => ({ episode: "a", pass: 0, step, triplets: [0, 3, 5][step] })), types);
 * const figure = weseGrowthFigure(steps, trials, { backbone: "offline" });
 * assert.deepEqual(rowsOf<{ triplets: number }>(figure!.frame).map(({ triplets }) => triplets), [0, 3, 5]);
 * ```
 */
export function weseGrowthFigure(steps: DataFrame, trials: DataFrame, { backbone }: { readonly backbone: string }): Figure | undefined {
  const explored = weseTrialsOf(trials).filter((trial) => trial.explored !== null);
  if (explored.length === 0) return undefined;
  const byEpisode = Map.groupBy(
    rowsOf<ExploredStep>(steps.select("episode", "pass", "step", "triplets")).filter(({ pass }) => pass === 0),
    ({ episode }) => episode,
  );
  const groups = [...Map.groupBy(explored, ({ world, condition }) => `${world}\n${variantOf(condition)}`)]
    .sort(([a], [b]) => a < b ? 1 : -1); // the broad line of WESE first, below the other
  const rows = groups.flatMap(([key, members]) => {
    const [world = "", explorer = ""] = key.split("\n");
    const last = Math.max(...members.map((trial) => trial.explored ?? 0));
    const courses = members.map(({ episode }) => byEpisode.get(episode) ?? []);
    return Array.from({ length: last + 1 }, (_, step) => {
      const sizes = courses.map((course) => course.findLast((at) => at.step <= step)?.triplets ?? 0);
      return {
        world: nameOf(world),
        explorer,
        step,
        explorations: members.length,
        running: members.filter((trial) => (trial.explored ?? 0) >= step).length,
        triplets: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      };
    });
  });
  const names = ["WESE", "SESE"];
  return {
    id: `wese-growth-${backbone}`,
    caption:
      `Growth of the explored graph, backbone ${backbone}: triplets after each step of the exploration, mean over all explorations of a world (n = ${
        groups.map(([key, members]) => `${nameOf(key.split("\n")[0] ?? "")} ${key.split("\n")[1]} ${members.length}`).join(", ")
      }); one that has ended stays as it ended. WESE: the weak model explores; SESE: the strong one.`,
    frame: frameOf(rows, {
      world: "text",
      explorer: "text",
      step: "integer",
      explorations: "integer",
      running: "integer",
      triplets: "number",
    }),
    spec: {
      title: { text: "The graph over the exploration", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: { field: "world", type: "nominal", title: null, sort: [...WESE_WORLDS.map(({ name }) => name), nameOf("fresh")] },
      columns: 2,
      resolve: { scale: { x: "independent", y: "independent" } },
      spec: {
        width: 270,
        height: 150,
        mark: { type: "line" },
        encoding: {
          x: { field: "step", type: "quantitative", title: "step of the exploration", axis: { tickMinStep: 1 } },
          y: { field: "triplets", type: "quantitative", title: "triplets" },
          color: {
            field: "explorer",
            type: "nominal",
            title: null,
            sort: names,
            scale: { domain: names, range: [PALETTE[0], PALETTE[1]] },
            legend: { symbolType: "stroke" },
          },
          strokeWidth: { field: "explorer", type: "nominal", sort: names, scale: { domain: names, range: [3.5, 1.5] }, title: null }, // one may lie on the other
        },
      },
    },
  };
}

/** A study of the weak model's quality, as `weakModelStudies` plans them. */
export interface WeakStudyTrials {
  /** In per cent. */
  readonly quality: number;
  /** Its frame of `weseTrialsFrame`. */
  readonly trials: DataFrame;
}

/**
 * The frontier of cost and effect: success (ScienceWorld: a hundredth of the reward) against dollars a task, a panel a world. WESE goes from the
 * poorest weak model to one as good as the strong one; beside it the methods alone and SESE.
 *
 * Only tasks that every method of a panel has completed count.
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf, weseFrontierFigure } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", world: "text", place: "text", condition: "text", reward: "number", success: "boolean", dollars: "number" } as const;
 * const row = { episode: "", world: "fever", place: "1", condition: "act-wese", reward: 100, success: true, dollars: 0.002 };
 * const figure = weseFrontierFigure([{ quality: 50, trials: frameOf([row], types) }], { backbone: "offline" });
 * assert.deepEqual(rowsOf<{ quality: number; effect: number }>(figure.frame).map(({ quality, effect }) => [quality, effect]), [[50, 1]]);
 * ```
 */
export function weseFrontierFigure(studies: readonly WeakStudyTrials[], { backbone }: { readonly backbone: string }): Figure {
  const points = studies.flatMap(({ quality, trials }) =>
    weseCells(weseTrialsOf(trials)).flatMap((cell) => {
      const science = cell.world === "scienceworld";
      const [effect, dollars] = [weseMean(cell, science ? "reward" : "success"), weseMean(cell, "dollars")];
      if (!effect || !dollars || !(cell.condition in WESE_METHODS)) return [];
      const scale = science ? 0.01 : 1;
      const variant = variantOf(cell.condition);
      return [{
        world: nameOf(cell.world),
        base: cell.condition.startsWith("act") ? "Act" : "ReAct",
        variant,
        quality: variant === "WESE" ? quality : null,
        label: variant === "WESE" ? `WESE, weak model ${quality}` : variant,
        effect: effect.value * scale,
        low: effect.low === undefined ? null : effect.low * scale,
        high: effect.high === undefined ? null : effect.high * scale,
        dollars: dollars.value,
        n: cell.trials.length,
      }];
    })
  );
  const worlds = [...WESE_WORLDS.map(({ name }) => name), nameOf("fresh")].filter((world) => points.some((point) => point.world === world));
  const sample = worlds.map((world) =>
    `${world} ${[...new Set(points.filter((point) => point.world === world).map(({ n }) => n))].join(" or ")}`
  );
  const qualities = studies.map(({ quality }) => quality).join(", ");
  const labels = ["alone", ...studies.map(({ quality }) => `WESE, weak model ${quality}`), "SESE"];
  const shades = studies.map((_, at) => SHADES[Math.round(at * (SHADES.length - 1) / Math.max(1, studies.length - 1))]);
  const x = {
    field: "dollars",
    type: "quantitative",
    title: "dollars a task",
    scale: { zero: false, padding: 12 },
    axis: { tickCount: 3, format: "~g" },
  };
  const y = { field: "effect", type: "quantitative", title: "success", scale: { domain: [0, 1] } };
  const legend = { title: null, sort: labels };
  return {
    id: `wese-frontier-${backbone}`,
    caption:
      `Cost and effect over the quality of the weak model, backbone ${backbone}, n tasks a point: ${
        sample.join(", ")
      }. Success (ScienceWorld: a hundredth of the ` +
      `reward) against dollars of all models a task, as if those of the role map "today" had answered. Of 100 facts the weak model finds ${qualities}, and gets as ` +
      "many of 100 right; at 100 it is as good as the strong one. The methods alone and SESE have no weak model. Better is higher, cheaper is farther to the left.",
    frame: frameOf(points, {
      world: "text",
      base: "text",
      variant: "text",
      quality: "integer",
      label: "text",
      effect: "number",
      low: "number",
      high: "number",
      dollars: "number",
      n: "integer",
    }),
    spec: {
      title: { text: "What the weak model's quality buys", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: {
        column: { field: "world", type: "nominal", title: null, sort: worlds },
        row: { field: "base", type: "nominal", title: null, sort: ["Act", "ReAct"] },
      },
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
          {
            mark: { type: "point", filled: true, size: 75, opacity: 1 },
            encoding: {
              x,
              y,
              color: { field: "label", type: "nominal", ...legend, scale: { domain: labels, range: ["#000000", ...shades, PALETTE[1]] } },
              shape: {
                field: "label",
                type: "nominal",
                ...legend,
                scale: { domain: labels, range: ["square", ...studies.map(() => "circle"), "triangle-up"] },
              },
            },
          },
        ],
      },
    },
  };
}

/** From a poor weak model to a good one. */
const SHADES = ["#c6dbef", "#8cbbe0", "#3f8fc5", "#08519c"];

function variantOf(condition: string): (typeof VARIANTS)[number] {
  return condition.endsWith("-wese") ? "WESE" : condition.endsWith("-sese") ? "SESE" : "alone";
}

function nameOf(world: string): string {
  return WESE_WORLDS.find(({ id }) => id === world)?.name ?? "ALFWorld, fresh households";
}
