import assert from "node:assert/strict";
import { graphEditDistance } from "../../../lib/core/graph/mod.ts";
import { ascend } from "../../../lib/core/graph/edit-ascent.ts";
import { createBounds } from "../../../lib/core/graph/edit-bound.ts";
import {
  costOfRooms,
  type GraphPair,
  indexPair,
  matchObjects,
  reversePair,
  UNIFORM_EDIT_COSTS,
} from "../../../lib/core/graph/edit-costs.ts";
import { evenRelaxation, OPEN } from "../../../lib/core/graph/edit-relaxation.ts";
import { searchRooms } from "../../../lib/core/graph/edit-search.ts";
import { referenceDistance } from "./edit_distance_reference.ts";
import { numbers } from "./random.ts";
import { anyCosts, corrupted, gridGraph, smallGraph } from "./room_graphs.ts";
import { wantsSlow } from "../../slow.ts";

/** No limit of time, so that results repeat. */
const NEVER = { until: Infinity };

function ordered(pair: GraphPair): GraphPair {
  return pair.from.rooms.length > pair.to.rooms.length ? reversePair(pair) : pair;
}

/** The ascent with no stop before its end, from the identity of indices as the first candidate. */
function ascended(pair: GraphPair): ReturnType<typeof ascend> {
  let best = Infinity;
  const offer = (map: Int32Array): number =>
    best = Math.min(best, costOfRooms(pair, map) + matchObjects(pair, map).cost);
  return ascend(pair, evenRelaxation(pair), { offer, proves: () => false, late: () => false });
}

Deno.test("ascend() bounds the distance from below, at the root and under partial maps, and never below the even split's root", () => {
  let gained = 0;
  for (let seed = 0; seed < 150; seed++) {
    const draw = numbers(50_000 + seed);
    const [a, b] = [smallGraph(draw), smallGraph(draw)];
    const costs = seed % 3 ? anyCosts(draw) : UNIFORM_EDIT_COSTS;
    const pair = ordered(indexPair(a, b, costs));
    const distance = referenceDistance(a, b, costs);
    const { value, relaxation } = ascended(pair);
    assert.ok(value <= distance + 1e-6, `seed ${seed}: ${value} above ${distance}`);
    const open = new Int32Array(pair.from.rooms.length).fill(OPEN);
    const even = createBounds(pair, evenRelaxation(pair)).at(open).value;
    assert.ok(value >= even - 1e-6, `seed ${seed}: ${value} below ${even}`);
    if (value > even + 0.01) gained++;
    const bounds = createBounds(pair, relaxation);
    const exact = searchRooms(pair, { nodes: 100_000, cheap: 100_000, ...NEVER });
    for (let decided = 0; decided < open.length; decided++) { // along the optimal map no bound may pass the distance
      const map = open.map((_, r) => r < decided ? exact.map[r] as number : OPEN);
      assert.ok(bounds.at(map).value <= distance + 1e-6, `seed ${seed}, ${decided} rooms decided`);
    }
  }
  assert.ok(gained > 4, `only ${gained} bounds rose`);
});

Deno.test("graphEditDistance() closes on maps of 49 rooms with much noise, where the even split alone does not", () => {
  for (
    const [wrong, share] of wantsSlow("maps of 49 rooms with more noise")
      ? [[12, 0], [30, 0.06]] as const
      : [[12, 0]] as const
  ) {
    const draw = numbers(wrong);
    const truth = gridGraph(draw, 7, 2);
    const built = corrupted(draw, truth, { rooms: wrong, objects: wrong });
    const found = graphEditDistance(built, truth, { nodeLimit: 2500 });
    assert.ok(
      (found.upper - found.lower) / found.upper <= share,
      `${wrong} wrong rooms: ${found.lower}–${found.upper}`,
    );
    const even = graphEditDistance(built, truth, { nodeLimit: 2000 });
    assert.ok(even.lower <= found.lower && found.upper <= even.upper);
    assert.ok(!even.exact, `${wrong} wrong rooms are proved without an ascent`);
  }
});

Deno.test("graphEditDistance() ends within its seconds with an interval", () => {
  const draw = numbers(3);
  const truth = gridGraph(draw, 12, 4);
  const built = corrupted(draw, truth, { rooms: 70, objects: 200 });
  const found = graphEditDistance(built, truth, { nodeLimit: 1_000_000_000, seconds: 0.2 });
  assert.ok(!found.exact && found.lower < found.upper, `${found.lower}–${found.upper}`);
  for (const seconds of [0, -1, NaN]) {
    assert.throws(() => graphEditDistance(truth, truth, { seconds }), {
      name: "RangeError",
      message: /seconds .*must be > 0/,
    });
  }
});
