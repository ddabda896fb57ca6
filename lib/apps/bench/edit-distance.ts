/** The exact graph edit distance of wrong maps of grids of rooms from the true ones. */

import process from "node:process";
import { mean, median, quantile } from "simple-statistics";
import { graphEditDistance } from "../../core/graph/edit-distance.ts";
import { createDraw } from "../../core/random.ts";
import { bounded, type Measurement, processorMs } from "./measure.ts";
import { below, corrupted, gridGraph } from "./room-maps.ts";

/**
 * Wrong maps a size, and partial maps that a search may look at: larger grids get fewer, so that
 * the whole takes seconds.
 */
const SIZES = [
  { side: 3, pairs: 200, nodeLimit: 10_000 },
  { side: 4, pairs: 40, nodeLimit: 5000 },
  { side: 7, pairs: 12, nodeLimit: 1000 },
] as const;
/** Objects a room. */
const DENSITY = 3;

/**
 * Grids of 3 × 3, 4 × 4 and 7 × 7 rooms with three objects each, up to half of whose rooms are
 * double, merged or missing and up to a third of whose objects are wrong: how long the distance
 * takes (processor time), how often it is proved, and how wide the interval is where it is not.
 */
export function benchEditDistance(): Measurement[] {
  for (let seed = 0; seed < 20; seed++) measure(3, `warming up ${seed}`, 1000);
  return SIZES.map(({ side, pairs, nodeLimit }) => {
    const measured = Array.from(
      { length: pairs },
      (_, seed) => measure(side, `${side}/${seed}`, nodeLimit),
    );
    const [times, widths] = [
      measured.map(({ seconds }) => seconds),
      measured.map(({ width }) => width),
    ];
    const found = {
      name: `ged-${side}x${side}`,
      description:
        `95th percentile of the exact distance of wrong maps of ${side} × ${side} rooms and ${
          side * side * DENSITY
        } objects`,
      value: quantile(times, 0.95),
      unit: "s",
      details: {
        proved: widths.filter((width) => width === 0).length / pairs,
        meanWidth: mean(widths),
        widest: Math.max(...widths),
        medianMs: median(times) * 1000,
        slowestMs: Math.max(...times) * 1000,
        meanDistance: mean(measured.map(({ distance }) => distance)),
      },
    };
    return side === 3 ? bounded(found, "≤", 1) : found;
  });
}

/**
 * The distance of a drawn grid from a map of it with errors: up to half of its rooms, up to a third
 * of its objects.
 */
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
