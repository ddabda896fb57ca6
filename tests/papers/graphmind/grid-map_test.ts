import assert from "node:assert/strict";
import { gridMap, type GridPanel } from "../../../lib/papers/graphmind/grid-map.ts";
import type { GridPose } from "../../../lib/papers/graphmind/trace.ts";
import { TRUTH } from "./store.ts";

function rowsOf(panel: Omit<GridPanel, "title">, kind: string): Record<string, unknown>[] {
  return gridMap([{ title: "a", ...panel }]).toRecords().filter((row) => row.kind === kind);
}

Deno.test("gridMap() draws a path as straight runs that end at the agent, and counts every pose of a cell", () => {
  // east, east, a turn, south, back: three runs; the cell (3, 2) has arrival, turn and return
  const path: GridPose[] = [
    ...[[1, 2, 0], [2, 2, 0], [3, 2, 0], [3, 2, 1]] as const,
    ...[[3, 3, 1], [3, 3, 2], [3, 3, 3], [3, 2, 3]] as const,
  ];
  const of = (kind: string) => rowsOf({ truth: TRUTH, path }, kind);
  const cells = of("path").map(({ x, y, x2, y2 }) => [x, y, x2, y2].map(Number).map(Math.floor));
  assert.deepEqual(cells, [[1, 2, 3, 2], [3, 2, 3, 3], [3, 3, 3, 2]]);
  assert.deepEqual(of("path").map(({ value }) => value), [2 / 7, 4 / 7, 1]);
  const visits = of("visit").map(({ x, y, value }) => [x, y, value]);
  assert.deepEqual(visits, [[1, 2, 1], [2, 2, 1], [3, 2, 3], [3, 3, 3]]);
  assert.deepEqual(of("agent").map(({ name, x, y }) => [name, x, y]), [["north", 3.5, 2.5]]);
  assert.deepEqual(of("start").map(({ x, y }) => [x, y]), [[1.5, 2.5]]);
});

Deno.test("gridMap() tells open, closed, locked, unseen and carried apart", () => {
  const objects = TRUTH.objects.map((thing) =>
    thing.id === 1 ? { ...thing, room: null, x: null, y: null } : thing
  );
  const of = (kind: string) => rowsOf({ truth: { ...TRUTH, objects } }, kind);
  const doors = of("door").map((
    { name, fill, opacity },
  ) => [name, fill === "#ffffff", opacity === 1]);
  assert.deepEqual(doors, [
    ["red open door", true, true],
    ["purple locked door", false, true],
    ["green closed door", false, false],
  ]);
  assert.deepEqual(of("lock").map(({ x, y }) => [x, y]), [[9.5, 6.5]]);
  const carried = of("carried").map((
    { name, x, y },
  ) => [name, Math.floor(Number(x)), Math.floor(Number(y))]);
  assert.deepEqual(carried, [["red key", 7, 2]]);
  assert.deepEqual(of("thing").map(({ name }) => name), ["blue ball", "grey box"]);
  assert.deepEqual([of("path"), of("visit"), of("start")], [[], [], []]);
});
