/** The exact graph edit distance of wrong maps of grids of rooms from the true ones. */

import process from "node:process";
import { mean, median, quantile } from "simple-statistics";
import { graphEditDistance } from "../../core/graph/edit-distance.ts";
import { createDraw } from "../../core/random.ts";
import { measured, type Measurement, processorMs } from "./measure.ts";
import { below, corrupted, gridGraph } from "./room-maps.ts";

/** Wrong maps of each size, and partial maps that a search may look at. */
const SIZES = [
  { side: 3, pairs: 200, nodeLimit: 10_000 },
  { side: 4, pairs: 40, nodeLimit: 5000 },
  { side: 7, pairs: 12, nodeLimit: 1000 },
] as const;
/** Objects a room. */
const DENSITY = 3;

/** Measures processor time, the share of proved distances and the width of unproved intervals. */
export function benchEditDistance(): Measurement[] {
  for (let seed = 0; seed < 20; seed++) measure(3, `warming up ${seed}`, 1000);
  return SIZES.map(({ side, pairs, nodeLimit }) => {
    const runs = Array.from(
      { length: pairs },
      (_, seed) => measure(side, `${side}/${seed}`, nodeLimit),
    );
    const [times, widths] = [runs.map(({ seconds }) => seconds), runs.map(({ width }) => width)];
    const rooms = `${side} × ${side} rooms and ${side * side * DENSITY} objects`;
    return measured(
      `ged-${side}x${side}`,
      `95th percentile of the exact distance of wrong maps of ${rooms}`,
      quantile(times, 0.95),
      "s",
      {
        most: side === 3 ? 1 : undefined,
        details: {
          proved: widths.filter((width) => width === 0).length / pairs,
          meanWidth: mean(widths),
          widest: Math.max(...widths),
          medianMs: median(times) * 1000,
          slowestMs: Math.max(...times) * 1000,
          meanDistance: mean(runs.map(({ distance }) => distance)),
        },
      },
    );
  });
}

/** The distance of a grid from a map with up to half its rooms and a third of its objects wrong. */
function measure(
  side: number,
  seed: string,
  nodeLimit: number,
): { readonly seconds: number; readonly width: number; readonly distance: number } {
  const draw = createDraw(`wrong map ${seed}`);
  const next = (): number => draw.next();
  const truth = gridGraph(next, side, DENSITY);
  const rooms = side * side;
  const wrong = {
    rooms: below(next, Math.ceil(rooms / 2) + 1),
    objects: below(next, Math.floor(rooms * DENSITY / 3) + 1),
  };
  const built = corrupted(next, truth, wrong);
  const started = process.cpuUsage();
  const { lower, upper } = graphEditDistance(built, truth, { nodeLimit });
  return { seconds: processorMs(started) / 1000, width: upper - lower, distance: upper };
}
