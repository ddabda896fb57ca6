/** The benchmark of the exact graph edit distance: wrong maps of grids of rooms against the true ones, and networkx beside it. */

import process from "node:process";
import { type EditDistanceOptions, graphEditDistance } from "../../core/graph/edit-distance.ts";
import type { RoomObjectGraph } from "../../core/graph/room-object-graph.ts";
import { createDraw } from "../../core/random.ts";
import { below, corrupted, gridGraph, noisy } from "./room-maps.ts";
import { type Measurement, measurement, median, processorMs } from "./benchmarks.ts";

/** A wrong map and the true one. */
export interface MapPair {
  readonly built: RoomObjectGraph;
  readonly truth: RoomObjectGraph;
}

/** What another program found for a pair. */
export interface OtherDistance {
  /** The best that it found; null where it found nothing in time. */
  readonly distance: number | null;
  /** That it took. */
  readonly seconds: number;
}

/** Wrong maps a size, and partial maps that a search may look at: larger grids get fewer, so that the whole takes seconds. */
const SIZES = [
  { side: 3, pairs: 200, nodeLimit: 10_000 },
  { side: 4, pairs: 40, nodeLimit: 5000 },
  { side: 7, pairs: 12, nodeLimit: 1000 },
] as const;
/** Objects a room. */
const DENSITY = 3;
/** Below which the 95th percentile is wanted on 3 × 3 rooms. */
const SECONDS = 1;

/**
 * Grids of 3 × 3, 4 × 4 and 7 × 7 rooms with three objects each, up to half of whose rooms are double, merged or missing and up to a third of whose
 * objects are wrong: how long the distance takes, how often it is proved, and how wide the interval is where it is not. Processor time, which other
 * programs on the machine do not lengthen.
 */
export function benchEditDistance(): Measurement[] {
  for (let seed = 0; seed < 20; seed++) measure(pairOf(3, `warming up ${seed}`), { nodeLimit: 1000 });
  return SIZES.map(({ side, pairs, nodeLimit }) => {
    const measured = Array.from({ length: pairs }, (_, seed) => measure(pairOf(side, `${side}/${seed}`), { nodeLimit }));
    const times = measured.map(({ seconds }) => seconds).sort((a, b) => a - b);
    const late = times[Math.ceil(0.95 * pairs) - 1] as number;
    const widths = measured.map(({ width }) => width);
    const details = {
      proved: widths.filter((width) => width === 0).length / pairs,
      meanWidth: widths.reduce((sum, width) => sum + width, 0) / pairs,
      widest: Math.max(...widths),
      medianMs: median(times) * 1000,
      slowestMs: (times.at(-1) as number) * 1000,
      meanDistance: measured.reduce((sum, { distance }) => sum + distance, 0) / pairs,
      pairs,
      nodeLimit,
    };
    const says = `95th percentile of the exact distance of wrong maps of ${side} × ${side} rooms and ${side * side * DENSITY} objects`;
    const found = { name: `ged-${side}x${side}`, says, value: late, unit: "s", details };
    return measurement(found, side === 3 ? { is: "<", bound: SECONDS } : undefined);
  });
}

/** Noise of big, bad maps, and the worst that is wanted of each after `PATIENCE` seconds: the share of pairs not proved, or the gap of each. */
const NOISES = [
  { noise: 0.3, value: "unproved", bound: 0.4 },
  { noise: 0.6, value: "widest", bound: 0.05 },
  { noise: 1, value: "widest", bound: 0.05 },
] as const;
const [PATIENCE, NOISY_PAIRS] = [10, 5];

/** Maps of 7 × 7 rooms and 98 objects with much noise: how many are proved, and how wide the interval is as a share of the distance where none is. */
export function benchNoisyMaps(): Measurement[] {
  return NOISES.map(({ noise, value, bound }) => {
    const measured = Array.from({ length: NOISY_PAIRS }, (_, seed) => {
      const draw = createDraw(`noisy map ${noise} ${seed}`);
      const next = (): number => draw.next();
      const truth = gridGraph(next, 7, 2);
      return measure({ truth, built: noisy(next, truth, noise) }, { nodeLimit: Number.MAX_SAFE_INTEGER, seconds: PATIENCE });
    });
    const gaps = measured.map(({ width, distance }) => width / distance);
    const found = { unproved: gaps.filter((gap) => gap > 0).length / NOISY_PAIRS, widest: Math.max(...gaps) };
    const times = measured.map(({ seconds }) => seconds);
    const says = value === "unproved" ? "share of maps not proved" : "widest interval ÷ its distance";
    return measurement({
      name: `ged-noise-${noise}`,
      says: `${says} after ${PATIENCE} s, 7 × 7 rooms and 98 objects at noise ${noise}`,
      value: found[value],
      unit: "",
      details: { ...found, medianSeconds: median(times), slowestSeconds: Math.max(...times), pairs: NOISY_PAIRS },
    }, { is: "≤", bound });
  });
}

/**
 * networkx on maps of growing size, each stopped after `limit` seconds, beside ours on the same pairs. Wanted: ours is never above what it found, and
 * equal wherever it came to its end.
 */
export async function benchAgainstNetworkx(
  ask: (pairs: readonly MapPair[], limit: number) => Promise<readonly OtherDistance[]>,
  limit: number,
): Promise<Measurement> {
  const sizes = [{ side: 2, density: 1 }, { side: 2, density: 3 }, { side: 3, density: 1 }, { side: 3, density: 3 }];
  const pairs = sizes.map(({ side, density }) => pairOf(side, `networkx ${side} ${density}`, density));
  const ours = pairs.map((pair) => measure(pair, {}));
  const theirs = await ask(pairs, limit);
  const ended = theirs.map(({ seconds }) => seconds < limit);
  const holds = theirs.every(({ distance }, i) => {
    const mine = ours[i]?.distance ?? NaN;
    return distance === null || (ended[i] ? distance === mine : mine <= distance);
  });
  const [total, mine] = [theirs.reduce((sum, { seconds }) => sum + seconds, 0), ours.reduce((sum, { seconds }) => sum + seconds, 0)];
  const named = (name: string, values: readonly (number | null | undefined)[]): Record<string, number> =>
    Object.fromEntries(sizes.map(({ side, density }, i) => [`${name} ${side}x${side}/${side * side * density}`, values[i] ?? NaN]));
  return {
    name: "ged-networkx",
    says: `networkx, stopped after ${limit} s a pair, ÷ ours on the same ${pairs.length} pairs (rooms/objects); wanted: never below ours`,
    value: total / mine,
    unit: "×",
    holds,
    details: {
      ended: ended.filter(Boolean).length,
      ...named("distance", ours.map(({ distance }) => distance)),
      ...named("networkx", theirs.map(({ distance }) => distance)),
      ...named("networkx seconds", theirs.map(({ seconds }) => seconds)),
      ourMs: mine * 1000,
    },
  };
}

/** A grid and a map of it with errors: up to half of its rooms, up to a third of its objects. */
function pairOf(side: number, seed: string, density: number = DENSITY): MapPair {
  const draw = createDraw(`wrong map ${seed}`);
  const next = (): number => draw.next();
  const truth = gridGraph(next, side, density);
  const rooms = side * side;
  const wrong = { rooms: below(next, Math.ceil(rooms / 2) + 1), objects: below(next, Math.floor(rooms * density / 3) + 1) };
  return { truth, built: corrupted(next, truth, wrong) };
}

function measure(
  { built, truth }: MapPair,
  options: EditDistanceOptions,
): { readonly seconds: number; readonly width: number; readonly distance: number } {
  const started = process.cpuUsage();
  const { lower, upper } = graphEditDistance(built, truth, options);
  return { seconds: processorMs(started) / 1000, width: upper - lower, distance: upper };
}
