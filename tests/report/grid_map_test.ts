import assert from "node:assert/strict";
import { toSvg } from "../../lib/report/figure.ts";
import { gridMapFigure, type GridPose } from "../../lib/report/figures/grid-map.ts";
import { observationFigure } from "../../lib/papers/graphmind/figures/observation.ts";
import { rowsOf } from "../../lib/report/frame.ts";
import { TRUTH } from "../papers/graphmind/store.ts";

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly x2: number;
  readonly y2: number;
  readonly value: number;
  readonly opacity: number;
  readonly shape: string;
}

const NAMED = { id: "m", title: "M", subtitle: "backbone: mute", caption: "n = 1." };

Deno.test("gridMapFigure() draws a way as straight runs that end at the agent, and counts every pose of a cell", () => {
  // east, east, a turn, south, back: four runs, the cell (3, 2) stood on twice (arrival and turn)
  const path: GridPose[] = [[1, 2, 0], [2, 2, 0], [3, 2, 0], [3, 2, 1], [3, 3, 1], [3, 3, 2], [3, 3, 3], [3, 2, 3]];
  const rows = rowsOf<Row>(gridMapFigure([{ title: "a", truth: TRUTH, path, heat: true }], NAMED).frame);
  const of = (kind: string): Row[] => rows.filter((row) => row.kind === kind);
  const cells = ({ x, y, x2, y2 }: Row): number[] => [x, y, x2, y2].map(Math.floor);
  assert.deepEqual(of("way").map(cells), [[1, 2, 3, 2], [3, 2, 3, 3], [3, 3, 3, 2]]);
  assert.deepEqual(of("way").map(({ value }) => value), [2 / 7, 4 / 7, 1]);
  assert.deepEqual(of("heat").map(({ x, y, value }) => [x, y, value]), [[1, 2, 1], [2, 2, 1], [3, 2, 3], [3, 3, 3]]);
  assert.deepEqual(of("agent").map(({ name, x, y }) => [name, x, y]), [["north", 3.5, 2.5]]);
  assert.deepEqual(of("start").map(({ x, y }) => [x, y]), [[1.5, 2.5]]);
});

Deno.test("gridMapFigure() tells open, closed, locked, unseen and carried apart", () => {
  const carried = { ...TRUTH, objects: TRUTH.objects.map((thing) => thing.id === 1 ? { ...thing, room: null, x: null, y: null } : thing) };
  const rows = rowsOf<Row>(gridMapFigure([{ title: "a", truth: carried }], NAMED).frame);
  const doors = rows.filter(({ kind }) => kind === "door").map(({ name, shape, opacity }) => [name, shape === "#ffffff", opacity === 1]);
  assert.deepEqual(doors, [["red open door", true, true], ["purple locked door", false, true], ["green closed door", false, false]]);
  assert.deepEqual(rows.filter(({ kind }) => kind === "keyhole").map(({ x, y }) => [x, y]), [[9.5, 6.5]]);
  assert.deepEqual(rows.filter(({ kind }) => kind === "carried").map(({ name, x, y }) => [name, Math.floor(x), Math.floor(y)]), [[
    "red key",
    7,
    2,
  ]]);
  assert.equal(rows.filter(({ kind }) => kind === "thing").length, 2);
});

Deno.test("gridMapFigure() draws every part of the floor of a merged room", () => {
  const [first, , ...others] = TRUTH.rooms; // rooms 0 and 1 without the wall between them
  assert.ok(first);
  const truth = { ...TRUTH, rooms: [{ ...first, areas: [[1, 1, 5, 5], [7, 1, 5, 5], [6, 1, 1, 5]] as const }, ...others], doors: [] };
  const floors = rowsOf<Row>(gridMapFigure([{ title: "a", truth }], NAMED).frame).filter(({ kind }) => kind === "floor");
  assert.deepEqual(floors.map(({ name, x, y, x2, y2 }) => [name, x, y, x2, y2]), [
    ["room 0", 1, 1, 6, 6],
    ["room 0", 7, 1, 12, 6],
    ["room 0", 6, 1, 7, 6],
    ["room 2", 1, 7, 6, 12],
    ["room 3", 7, 7, 12, 12],
  ]);
});

Deno.test("gridMapFigure() and observationFigure() draw without a warning, also what stands still and what is empty", async () => {
  const still = { title: "still", truth: TRUTH, path: [[7, 2, 0]] as GridPose[], heat: true };
  const moved = { title: "moved", truth: TRUTH, path: [[4, 2, 0], [5, 2, 0]] as GridPose[] };
  assert.match(await toSvg(gridMapFigure([still, moved], NAMED)), /^<svg/);
  assert.match(await toSvg(gridMapFigure([{ title: "bare", truth: { ...TRUTH, doors: [], objects: [] } }], NAMED)), /^<svg/);
  assert.match(await toSvg(observationFigure("Unseen; Wall\nEmpty; Agent", NAMED)), /^<svg/);
  assert.match(await toSvg(observationFigure("Red_Open_Door; Blue_Locked_Door\nGrey_Key; Agent", NAMED)), /^<svg/);
});
