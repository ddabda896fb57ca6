/**
 * How the graph grows while WESE explores.
 *
 * @module
 */

import { type Figure, PALETTE } from "../../../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../../../report/frame.ts";
import { variantOf, WESE_WORLDS, weseWorldName } from "../measures.ts";
import { weseTrialsOf } from "../trials.ts";

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
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { weseGrowthFigure } from "labyrinth/papers/wese";
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
  const order = [...WESE_WORLDS.map(({ id }) => id), "fresh"];
  const rank = (key: string): number => order.indexOf(key.split("\n")[0] ?? "");
  const nameOf = (world: string): string => weseWorldName(world, explored);
  const groups = [...Map.groupBy(explored, ({ world, condition }) => `${world}\n${variantOf(condition)}`)]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? 1 : -1)); // the broad line of WESE first, below the other
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
  const countsOf = (world: string): string => {
    const counts = groups.filter(([key]) => key.startsWith(`${world}\n`)).map(([key, { length }]) => `${key.split("\n")[1]} ${length}`);
    return `${nameOf(world)}: ${counts.join(", ")}`;
  };
  return {
    id: `wese-growth-${backbone}`,
    caption:
      `Growth of the explored graph, backbone ${backbone}: triplets after each step of the exploration, mean over all explorations of a world; n = ${
        order.filter((world) => groups.some(([key]) => key.startsWith(`${world}\n`))).map(countsOf).join("; ")
      }. One that has ended stays as it ended. WESE: the weak model explores; SESE: the strong one.`,
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
      facet: { field: "world", type: "nominal", title: null, sort: order.map(nameOf) },
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
