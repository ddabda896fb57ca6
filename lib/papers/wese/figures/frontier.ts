/**
 * What the quality of WESE's weak model buys.
 *
 * @module
 */

import { type Figure, PALETTE } from "../../../report/figure.ts";
import { type DataFrame, frameOf } from "../../../report/frame.ts";
import {
  baseOf,
  variantOf,
  WESE_BASES,
  WESE_METHODS,
  WESE_WORLDS,
  type WeseCell,
  weseCells,
  weseMean,
  weseWorldName,
} from "../measures.ts";
import { weseTrialsOf } from "../trials.ts";

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
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { weseFrontierFigure } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", world: "text", place: "text", condition: "text", reward: "number", success: "boolean", dollars: "number" } as const;
 * const row = { episode: "", world: "fever", place: "1", condition: "act-wese", reward: 100, success: true, dollars: 0.002 };
 * const figure = weseFrontierFigure([{ quality: 50, trials: frameOf([row], types) }], { backbone: "offline" });
 * assert.deepEqual(rowsOf<{ quality: number; effect: number }>(figure.frame).map(({ quality, effect }) => [quality, effect]), [[50, 1]]);
 * ```
 */
export function weseFrontierFigure(studies: readonly WeakStudyTrials[], { backbone }: { readonly backbone: string }): Figure {
  const cells = studies.flatMap(({ quality, trials }) =>
    weseCells(weseTrialsOf(trials)).flatMap((cell) => {
      const base = cell.condition in WESE_BASES ? cell.condition : baseOf(cell.condition);
      return base === undefined || cell.trials.length === 0 ? [] : [{ quality, base, cell }];
    })
  );
  const nameOf = (world: string): string => weseWorldName(world, cells.flatMap(({ cell }) => cell.trials));
  const panels = [...Map.groupBy(cells, ({ base, cell }) => `${cell.world} ${base}`).values()];
  const points = panels.flatMap((panel) => {
    const done = tasksOfAll(panel.map(({ cell }) => cell));
    return panel.flatMap(({ quality, base, cell: { world, condition, trials } }) => {
      const cell = { world, condition, trials: trials.filter(({ place }) => done.has(place)) };
      const science = cell.world === "scienceworld";
      const [effect, dollars] = [weseMean(cell, science ? "reward" : "success"), weseMean(cell, "dollars")];
      if (!effect || !dollars) return [];
      const scale = science ? 0.01 : 1;
      const variant = variantOf(cell.condition);
      return [{
        world: nameOf(cell.world),
        base: WESE_METHODS[base],
        variant,
        quality: variant === "WESE" ? quality : null,
        label: variant === "WESE" ? `WESE, weak model ${quality}` : variant,
        effect: effect.value * scale,
        low: effect.low === undefined ? null : effect.low * scale,
        high: effect.high === undefined ? null : effect.high * scale,
        dollars: dollars.value,
        n: cell.trials.length,
      }];
    });
  });
  const worlds = [...WESE_WORLDS.map(({ id }) => nameOf(id)), nameOf("fresh")].filter((world) =>
    points.some((point) => point.world === world)
  );
  const science = worlds.includes(nameOf("scienceworld"));
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
      `Cost and effect over the quality of the weak model, backbone ${backbone}, n tasks a point: ${sample.join(", ")}. Success${
        science ? " (ScienceWorld: a hundredth of the reward)" : ""
      } ` +
      `against dollars of all models a task, as if those of the role map "today" had answered. Of 100 facts the weak model finds ${qualities}, and gets as ` +
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

/** Those that every cell has completed, so that its points differ by nothing but method and model. */
function tasksOfAll(cells: readonly WeseCell[]): ReadonlySet<string> {
  return cells.map(({ trials }) => new Set(trials.map(({ place }) => place))).reduce((all, own) => all.intersection(own));
}

/** From a poor weak model to a good one. */
const SHADES = ["#c6dbef", "#8cbbe0", "#3f8fc5", "#08519c"];
