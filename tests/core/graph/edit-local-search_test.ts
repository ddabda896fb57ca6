import assert from "node:assert/strict";
import { createBounds } from "../../../lib/core/graph/edit-bound.ts";
import {
  costOfRooms,
  type GraphPair,
  indexPair,
  matchObjects,
  NONE,
  reversePair,
  UNIFORM_EDIT_COSTS,
} from "../../../lib/core/graph/edit-costs.ts";
import { climb, shaken } from "../../../lib/core/graph/edit-local-search.ts";
import { evenRelaxation } from "../../../lib/core/graph/edit-relaxation.ts";
import { graphEditDistance } from "../../../lib/core/graph/mod.ts";
import { createDraw } from "../../../lib/core/random.ts";
import { referenceDistance } from "./edit_distance_reference.ts";
import { numbers } from "./random.ts";
import { anyCosts, corrupted, gridGraph, noisy, shuffled, smallGraph } from "./room_graphs.ts";
import { slowTest } from "../../slow.ts";

function ordered(pair: GraphPair): GraphPair {
  return pair.from.rooms.length > pair.to.rooms.length ? reversePair(pair) : pair;
}

/** A random map in which about a third of the rooms have no counterpart. */
function anyMap(draw: () => number, { from, to }: GraphPair): Int32Array {
  const images = shuffled(draw, [...to.rooms.keys()]);
  return Int32Array.from(from.rooms, (_, room) => draw() < 0.33 ? NONE : images[room] as number);
}

/** A pair of a grid of rooms and a wrong map of it, by seed. */
function wrongMap(seed: number): GraphPair {
  const draw = numbers(seed);
  const truth = gridGraph(draw, 3, 2);
  return ordered(
    indexPair(
      corrupted(draw, truth, { rooms: 3, objects: 4 }),
      truth,
      seed % 2 ? anyCosts(draw) : UNIFORM_EDIT_COSTS,
    ),
  );
}

Deno.test("climb() ends where no reassignment and no exchange lowers the bound", () => {
  for (let seed = 0; seed < 60; seed++) {
    const pair = wrongMap(seed);
    const bounds = createBounds(pair, evenRelaxation(pair));
    const images = pair.to.rooms.length;
    const start = anyMap(numbers(seed), pair);
    const map = climb(start, images, bounds, Infinity);
    const least = bounds.atComplete(map);
    assert.ok(least <= bounds.atComplete(start) + 1e-9, `seed ${seed}`);
    assert.equal(
      new Set(map.filter((image) => image !== NONE)).size,
      map.filter((image) => image !== NONE).length,
      "two rooms share a counterpart",
    );
    for (let room = 0; room < map.length; room++) {
      for (let image = NONE; image < images; image++) {
        const owner = image === NONE ? -1 : map.indexOf(image);
        const other = Int32Array.from(map);
        if (owner >= 0) other[owner] = map[room] as number;
        other[room] = image;
        assert.ok(
          bounds.atComplete(other) >= least - 1e-6,
          `seed ${seed}: room ${room} to ${image}`,
        );
      }
    }
  }
});

Deno.test("shaken() is never below the distance and reaches it on small graphs from any map", () => {
  let reached = 0;
  for (let seed = 0; seed < 100; seed++) {
    const draw = numbers(80_000 + seed);
    const [a, b] = [smallGraph(draw), smallGraph(draw)];
    const pair = ordered(indexPair(a, b, UNIFORM_EDIT_COSTS));
    if (pair.from.rooms.length === 0) continue;
    const costOf = (map: Int32Array): number =>
      costOfRooms(pair, map) + matchObjects(pair, map).cost;
    const map = anyMap(draw, pair);
    const bounds = createBounds(pair, evenRelaxation(pair));
    const shaking = { images: pair.to.rooms.length, bounds, costOf, rounds: 50, until: Infinity };
    const found = shaken({ map, cost: costOf(map) }, { ...shaking, lower: 0 });
    const distance = referenceDistance(a, b, UNIFORM_EDIT_COSTS);
    assert.equal(found.cost, costOf(found.map));
    assert.ok(found.cost >= distance, `seed ${seed}`);
    assert.deepEqual(
      shaken({ map, cost: costOf(map) }, { ...shaking, lower: Infinity }).map,
      map,
      "a map as cheap as its lower bound is left",
    );
    reached += Number(found.cost === distance);
  }
  assert.ok(reached >= 60, `${reached} distances reached`);
});

slowTest(
  "graphEditDistance() is within 5 % on a map of 7 × 7 rooms of which every part is wrong",
  () => {
    const { next } = createDraw("noisy map 1 0");
    const truth = gridGraph(next, 7, 2);
    const { lower, upper } = graphEditDistance(noisy(next, truth, 1), truth, { nodeLimit: 2001 });
    assert.ok((upper - lower) / upper <= 0.05, `${lower}–${upper}`);
  },
);
