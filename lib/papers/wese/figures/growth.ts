/**
 * How the graph grows while WESE explores.
 *
 * @module
 */

import { countText } from "../../../report/counts.ts";
import { type Figure, figureOf, PALETTE } from "../../../report/figure.ts";
import { stepRows } from "../../../report/frame.ts";
import { bandsOf } from "../../../report/growth.ts";
import { category, nominal, quantitative } from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { type WeseTrial, weseTrials } from "../trials.ts";
import { WESE_METHODS, WESE_WORLDS, weseMethod, weseWorldName } from "../worlds.ts";

/**
 * How the graph grows over the exploration, a panel a world and base method and a line a model that explores: mean triplets over the explorations,
 * those that have ended with what they ended with. `undefined` where nothing was explored.
 */
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
  const explorers = EXPLORERS.filter(({ name }) => rows.some(({ explorer }) => explorer === name));
  const names = explorers.map(({ name }) => name);
  return figureOf({
    id: `wese-growth-${backbone}`,
    title: "The graph over the exploration",
    subtitle: `backbone: ${backbone}`,
    caption:
      `Growth of the explored graph, backbone ${backbone}: triplets after each step of the exploration, mean over the explorations of a method in a ` +
      `world; n a line: ${counts.join("; ")}. One that has ended stays as it ended. WESE: the weak model explores; SESE: the strong one.`,
    rows,
    fields: [["text", "world", "base", "explorer"], ["integer", "step", "explorations", "running"], ["number", "triplets"]],
    facet: { row: nominal("world", worlds), column: nominal("base", ["Act", "ReAct"]) },
    resolve: { scale: { x: "independent", y: "independent" } },
    spec: {
      width: 270,
      height: 150,
      mark: { type: "line" },
      encoding: {
        x: quantitative("step", "step of the exploration", { axis: { tickMinStep: 1 } }),
        y: quantitative("triplets", "triplets"),
        color: category("explorer", names, explorers.map(({ colour }) => colour), { legend: { symbolType: "stroke" } }),
        strokeWidth: category("explorer", names, explorers.map(({ width }) => width)), // one may lie on the other
      },
    },
  });
}

const EXPLORERS = [{ name: "WESE", colour: PALETTE[0], width: 3.5 }, { name: "SESE", colour: PALETTE[1], width: 1.5 }];
