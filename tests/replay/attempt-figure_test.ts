import assert from "node:assert/strict";
import type { TracePoint } from "../../lib/replay/report.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { attemptFigure } from "../../lib/replay/attempt-figure.ts";
import { rowsOf } from "../../lib/report/frame.ts";

const point = { triplets: 3, added: 2, removed: 1, score: 0, way: [] };
const TRACE: readonly TracePoint[] = [
  { ...point, step: 1, room: "hall", action: "go west" },
  { ...point, step: 2, room: "kitchen", action: "go north" },
  { ...point, step: 3, room: "pantry", action: "go to hall", way: ["kitchen", "hall"] },
  { ...point, step: 4, room: "hall", action: "go south" },
  { ...point, step: 5, room: "hall", action: "jump" },
  { ...point, step: 6, room: "attic", action: "look", score: 1 },
];

Deno.test("attemptFigure() places rooms by moves and counts visits, those inside macros too", () => {
  const rows = rowsOf<Record<string, unknown>>(attemptFigure(TRACE, { file: "run.txt", attempt: 2 }).frame);
  const rooms = rows.filter(({ kind }) => kind === "room").map(({ room, x, y, step, visits }) => [room, x, y, step, visits]);
  assert.deepEqual(rooms, [["hall", 0, 0, 1, 2], ["kitchen", -1, 0, 2, 2], ["pantry", -1, 1, 3, 1], ["attic", 0.5, 0.5, 6, 1]]);
  assert.equal(rows.filter(({ kind }) => kind === "way").length, 3); // both directions of a way are one
  assert.deepEqual(rows.filter(({ kind }) => kind === "step").map(({ fewer }) => fewer), [-1, -1, -1, -1, -1, -1]);
});

Deno.test("attemptFigure() draws an attempt, also one that saw a single room or had no rewards", async () => {
  const figure = attemptFigure(TRACE, { file: "run.txt", attempt: 2 });
  assert.equal(figure.id, "attempt-run-2");
  const svg = await toSvg(figure);
  for (const room of ["hall (1)", "kitchen (2)", "pantry (3)", "attic (6)"]) assert.ok(svg.includes(room), room);
  const { score: _, ...unscored } = TRACE[0] as TracePoint;
  assert.match(await toSvg(attemptFigure([unscored], { file: "run.txt", attempt: 1 })), /hall \(1\)/);
});
