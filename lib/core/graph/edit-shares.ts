/** The shares of savings that a dual ascent moves between rooms and objects (`edit-ascent.ts`). */

import { at } from "./assignment.ts";
import { type GraphPair, type IndexedGraph, matchGains, NONE } from "./edit-costs.ts";
import {
  allObjects,
  edgeGain,
  objectGain,
  objectPrices,
  OPEN,
  type Relaxation,
} from "./edit-relaxation.ts";

/** Tolerance of comparisons. */
const ROUNDING = 1e-9;

interface Shares {
  readonly savings: Float64Array;
  /** The least cost of what lies elsewhere, which is the objects. */
  readonly floor: number;
  readonly disagreements: (map: Int32Array) => readonly Move[];
  readonly shift: (moves: readonly Move[], step: number) => void;
}

/**
 * A share, by index, that one side uses: `onlyRooms` if that is the pair of rooms where it lies,
 * else the objects.
 */
interface Move {
  readonly share: number;
  readonly onlyRooms: boolean;
}

export function doorShares(
  pair: GraphPair,
): Shares & { readonly snapshot: () => Relaxation["doors"] } {
  const { from, to, costs } = pair;
  const [ours, theirs] = [arcsOf(from), arcsOf(to)];
  const [width, m] = [theirs.room.length, to.rooms.length];
  const shares = new Float64Array(ours.room.length * width);
  for (const [a, here] of ours.label.entries()) {
    for (const [b, there] of theirs.label.entries()) {
      shares[a * width + b] = edgeGain(costs, here, there) / 2;
    }
  }
  const twinOf = (share: number): number =>
    at(ours.twin, Math.floor(share / width)) * width + at(theirs.twin, share % width);
  const rooms = createInner(pair, (r, s) => {
    const [mine, yours] = [ours.of[r] ?? [], theirs.of[s] ?? []];
    return { rows: mine, columns: yours, width, shares };
  });
  return {
    savings: rooms.savings,
    floor: 0,
    disagreements: (map) => {
      const used = rooms.usedBy(map);
      return [...used].filter((share) => !used.has(twinOf(share))).map((share) => ({
        share,
        onlyRooms: true,
      }));
    },
    shift: (moves, step) => {
      for (const { share } of moves) {
        const twin = twinOf(share);
        shares[share] = at(shares, share) + step;
        shares[twin] = at(shares, twin) - step;
        for (const one of [share, twin]) {
          rooms.stale(at(ours.room, Math.floor(one / width)), at(theirs.room, one % width));
        }
      }
      rooms.refresh();
    },
    snapshot: () => {
      const [kept, whole] = [shares.slice(), rooms.savings.slice()];
      return (map, used) => {
        const open = ours.of.map((arcs) => arcs.filter((arc) => map[at(ours.next, arc)] === OPEN));
        const free = theirs.of.map((arcs) => arcs.filter((arc) => !used[at(theirs.next, arc)]));
        const untouched = (r: number, s: number): boolean =>
          open[r]?.length === ours.of[r]?.length && free[s]?.length === theirs.of[s]?.length;
        return (r, s) =>
          untouched(r, s)
            ? at(whole, r * m + s)
            : matchShares({ rows: open[r] ?? [], columns: free[s] ?? [], width, shares: kept })
              .cost;
      };
    },
  };
}

/**
 * The shares of edges to objects: object of `from` × object of `to`, split at first as
 * `evenRelaxation` splits them.
 */
export function objectShares(pair: GraphPair): Shares {
  const { from, to, costs } = pair;
  const [n, width] = [from.objects.length, to.objects.length];
  const gain = (u: number, v: number): number => objectGain(pair, u, v);
  const edge = (u: number, v: number): number =>
    at(from.home, u) === NONE || at(to.home, v) === NONE
      ? 0
      : edgeGain(costs, at(from.homeLabel, u), at(to.homeLabel, v));
  const shares = new Float64Array(n * width);
  const { rowPrice, columnPrice } = objectPrices(pair);
  for (let u = 0; u < n; u++) {
    for (let v = 0; v < width; v++) {
      if (edge(u, v) < 0) {
        shares[u * width + v] = Math.min(
          0,
          gain(u, v) - at(rowPrice, u) - at(columnPrice, v) + edge(u, v),
        );
      }
    }
  }
  const rooms = createInner(
    pair,
    (r, s) => ({ rows: from.contents[r] ?? [], columns: to.contents[s] ?? [], width, shares }),
  );
  const rest = (u: number, v: number): number => edge(u, v) - at(shares, u * width + v);
  const assignObjects = (): ReturnType<typeof matchGains> =>
    matchGains(n, width, (u, v) => gain(u, v) + rest(u, v));
  let objects = assignObjects();
  return {
    savings: rooms.savings,
    get floor() {
      return allObjects(pair) + objects.cost;
    },
    disagreements: (map) => {
      const atRooms = rooms.usedBy(map);
      const atObjects = new Set(objects.pairs.map(({ row, column }) => row * width + column));
      const withRest = (share: number): boolean =>
        rest(Math.floor(share / width), share % width) < -ROUNDING;
      return [
        ...[...atRooms].filter((share) => !atObjects.has(share)).map((share) => ({
          share,
          onlyRooms: true,
        })),
        ...[...atObjects].filter((share) => !atRooms.has(share) && withRest(share)).map((
          share,
        ) => ({ share, onlyRooms: false })),
      ];
    },
    shift: (moves, step) => {
      for (const { share, onlyRooms } of moves) {
        const [u, v] = [Math.floor(share / width), share % width];
        shares[share] = Math.max(edge(u, v), at(shares, share) + (onlyRooms ? step : -step));
        rooms.stale(at(from.home, u), at(to.home, v));
      }
      rooms.refresh();
      if (moves.length > 0) objects = assignObjects();
    },
  };
}

export function fixedShares({ floor, contents }: Relaxation): Shares {
  return { savings: contents, floor, disagreements: () => [], shift: () => {} };
}

/** A small assignment problem over shares, which stand in rows of `width`. */
interface InnerProblem {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly width: number;
  readonly shares: Float64Array;
}

function matchShares(
  { rows, columns, width, shares }: InnerProblem,
): ReturnType<typeof matchGains> {
  return matchGains(
    rows.length,
    columns.length,
    (i, j) => at(shares, (rows[i] as number) * width + (columns[j] as number)),
  );
}

/**
 * The small assignment problem of every pair of rooms, solved again where its shares have moved.
 */
function createInner({ from, to }: GraphPair, problemOf: (r: number, s: number) => InnerProblem): {
  readonly savings: Float64Array;
  readonly usedBy: (map: Int32Array) => ReadonlySet<number>;
  readonly stale: (r: number, s: number) => unknown;
  readonly refresh: () => void;
} {
  const m = to.rooms.length;
  const savings = new Float64Array(from.rooms.length * m);
  const used = Array.from(savings, (): readonly number[] => []);
  const stale = new Set(savings.keys());
  const refresh = (): void => {
    for (const cell of stale) {
      const problem = problemOf(Math.floor(cell / m), cell % m);
      const { cost, pairs } = matchShares(problem);
      savings[cell] = cost;
      used[cell] = pairs.map(({ row, column }) =>
        (problem.rows[row] as number) * problem.width + (problem.columns[column] as number)
      );
    }
    stale.clear();
  };
  refresh();
  return {
    savings,
    usedBy: (map) => new Set([...map].flatMap((s, r) => s === NONE ? [] : used[r * m + s] ?? [])),
    stale: (r, s) => stale.add(r * m + s),
    refresh,
  };
}

/** The doors of a graph in both directions: an arc is a door as seen from one of its rooms. */
interface Arcs {
  readonly room: Int32Array;
  readonly next: Int32Array;
  readonly label: Int32Array;
  readonly twin: Int32Array;
  readonly of: readonly (readonly number[])[];
}

function arcsOf({ neighbours, doors, rooms }: IndexedGraph): Arcs {
  const ends = neighbours.flatMap((nexts, room) => nexts.map((next) => ({ room, next })));
  const key = (room: number, next: number): number => room * rooms.length + next;
  const index = new Map(ends.map(({ room, next }, arc) => [key(room, next), arc]));
  return {
    room: Int32Array.from(ends, ({ room }) => room),
    next: Int32Array.from(ends, ({ next }) => next),
    label: Int32Array.from(ends, ({ room, next }) => at(doors, key(room, next))),
    twin: Int32Array.from(ends, ({ room, next }) => index.get(key(next, room)) as number),
    of: neighbours.map((nexts, room) => nexts.map((next) => index.get(key(room, next)) as number)),
  };
}
