/**
 * What the quality of WESE's weak model buys.
 *
 * @module
 */

import type { Measurement } from "../../../report/estimate.ts";
import { type Figure, figureOf, PALETTE } from "../../../report/figure.ts";
import { category, nominal, quantitative } from "../../../report/marks.ts";
import { weseMean } from "../measures.ts";
import type { WeseTrial } from "../trials.ts";
import { WESE_WORLDS, weseMethod, weseWorldName } from "../worlds.ts";

/** A study of the weak model's quality, as `weakModelStudies` plans them. */
export interface WeakStudy {
  /** In per cent. */
  readonly quality: number;
  readonly trials: readonly WeseTrial[];
}

/**
 * The frontier of cost and effect: success (ScienceWorld: a hundredth of the reward) against dollars a task, a panel a world. WESE goes from the
 * poorest weak model to one as good as the strong one; beside it the methods alone and SESE.
 *
 * Only tasks that every method of a panel has completed count.
 */
export function weseFrontierFigure(studies: readonly WeakStudy[], { backbone }: { readonly backbone: string }): Figure {
  const cells = studies.flatMap(({ quality, trials }) => cellsOf(trials).map((cell) => ({ quality, ...cell })));
  const nameOf = (world: string): string => weseWorldName(world, cells.flatMap(({ trials }) => trials));
  const panels = [...Map.groupBy(cells, ({ base, world }) => `${world} ${base}`).values()];
  const points = panels.flatMap((panel) => {
    const done = tasksOfAll(panel);
    return panel.flatMap(({ quality, base, world, variant, trials: all }) => {
      const trials = all.filter(({ place }) => done.has(place));
      const isScience = world === "scienceworld";
      const [effect, dollars] = [numberOf(isScience ? "reward" : "success", trials), numberOf("dollars", trials)];
      if (!effect || !dollars) return [];
      const scale = isScience ? 0.01 : 1;
      return [{
        world: nameOf(world),
        base: weseMethod(base)?.name,
        variant,
        quality: variant === "WESE" ? quality : null,
        label: variant === "WESE" ? `WESE, weak model ${quality}` : variant,
        effect: effect.value * scale,
        low: effect.low === undefined ? null : effect.low * scale,
        high: effect.high === undefined ? null : effect.high * scale,
        dollars: dollars.value,
        n: trials.length,
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
    { label: "SESE", colour: PALETTE[1], shape: "triangle-up" },
  ].filter(({ label }) => points.some((point) => point.label === label));
  const labels = drawn.map(({ label }) => label);
  const x = quantitative("dollars", "dollars a task", { scale: { zero: false, padding: 12 }, axis: { tickCount: 3, format: "~g" } });
  const y = quantitative("effect", "success", { scale: { domain: [0, 1] } });
  const color = category("label", labels, drawn.map(({ colour }) => colour));
  const shape = category("label", labels, drawn.map((mark) => mark.shape));
  return figureOf({
    id: `wese-frontier-${backbone}`,
    title: "What the weak model's quality buys",
    subtitle: `backbone: ${backbone}`,
    caption: `Cost and effect over the quality of the weak model, backbone ${backbone}, n tasks a point: ${sample.join(", ")}. ` +
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

interface FrontierCell {
  readonly world: string;
  readonly base: string;
  readonly variant: string;
  /** Completed ones; at least one. */
  readonly trials: readonly WeseTrial[];
}

/** The completed trials of the methods that are built on a base or are one, by world and condition. */
function cellsOf(trials: readonly WeseTrial[]): FrontierCell[] {
  const done = trials.filter(({ status }) => status === "completed");
  return [...Map.groupBy(done, ({ world, condition }) => `${world}\n${condition}`).values()].flatMap((cell) => {
    const [{ world, condition }] = cell as [WeseTrial, ...WeseTrial[]];
    if (!/^(re)?act\b/.test(condition)) return [];
    const { base = condition, variant = "alone" } = weseMethod(condition) ?? {};
    return [{ world, base, variant, trials: cell }];
  });
}

function numberOf(key: "reward" | "success" | "dollars", trials: readonly WeseTrial[]): Measurement | undefined {
  const number = weseMean(key).estimate(trials);
  return typeof number === "string" ? undefined : number;
}

/** The tasks that every cell has completed, so that its points differ by nothing but method and model. */
function tasksOfAll(cells: readonly FrontierCell[]): ReadonlySet<string> {
  return cells.map(({ trials }) => new Set(trials.map(({ place }) => place))).reduce((all, own) => all.intersection(own));
}

/** From a poor weak model to a good one. */
const SHADES = ["#c6dbef", "#8cbbe0", "#3f8fc5", "#08519c"];
