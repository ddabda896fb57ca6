import assert from "node:assert/strict";
import process from "node:process";
import { drawLabels } from "../../../lib/apps/view/client/labels.ts";
import { layOut, type Row } from "../../../lib/apps/view/client/layout.ts";
import { momentAt } from "../../../lib/apps/view/timeline.ts";

Deno.test("layOut() puts places on their compass map, and things below the place that they are in", () => {
  const spots = layOut([
    ["cellar", "is east of", "hall"],
    ["attic", "is north of", "hall"],
    ["chest", "is in", "cellar"],
    ["coin", "is in", "chest"],
    ["key", "is in", "inventory"],
  ]);
  const [hall, cellar, attic, chest, coin, inventory] = [
    ..."hall cellar attic chest coin inventory".split(" "),
  ].map((name) => spots.get(name) ?? assert.fail(name)) as [Spot, Spot, Spot, Spot, Spot, Spot];
  assert.ok(cellar.x > hall.x && cellar.y === hall.y);
  assert.ok(attic.y > hall.y && attic.x === hall.x);
  assert.ok(chest.y < cellar.y && chest.x - cellar.x < 20 && coin.y < chest.y && coin.x > chest.x);
  assert.ok(inventory.y < hall.y);
  assert.deepEqual([hall, cellar, attic, chest].map(({ isPlace }) => isPlace), [
    true,
    true,
    true,
    false,
  ]);
});

type Spot = NonNullable<ReturnType<ReturnType<typeof layOut>["get"]>>;

Deno.test("layOut() puts thousands of things that are in one another below each other", () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, at): Row =>
      at === 0
        ? ["hall", "is east of", "cave"]
        : [`${at}`, "is in", at === 1 ? "cave" : `${at - 1}`],
  );
  const spots = layOut(rows);
  assert.equal(spots.size, 20_001);
  assert.ok((spots.get("19999")?.y ?? 0) < (spots.get("19998")?.y ?? 0));
});

Deno.test("layOut() reads GraphMind's rooms, whose relations say where the subject lies", () => {
  const spots = layOut([
    ["room 1", "is_connected_with red door", "room 2"],
    ["room 2", "is_located_to east", "room 1"],
    ["room 1", "contains", "grey ball (room 1)"],
    ["grey ball (room 1)", "is_located_to north", "room 1"],
  ]);
  assert.ok((spots.get("room 2")?.x ?? 0) > (spots.get("room 1")?.x ?? 0));
  assert.ok((spots.get("grey ball (room 1)")?.y ?? 0) > (spots.get("room 1")?.y ?? 0));
});

Deno.test("layOut() finds cells for 20,000 places to the east of one place", () => {
  const places = Array.from(
    { length: 20_000 },
    (_, at): Row => [`room ${at}`, "is east of", "hall"],
  );
  const begin = process.cpuUsage();
  const spots = layOut(places);
  assert.ok(process.cpuUsage(begin).user < 20_000_000); // µs of this process, whatever else runs; it took minutes when each place looked at every cell before its own
  assert.deepEqual(spots.get("room 19999"), { x: 20_000 * 150, y: 0, isPlace: true });
});

Deno.test("momentAt() tells what stands, came and went at a step, and begins a pass with its own graph", () => {
  const change = (pass: number, step: number, op: "add" | "remove", triplet: number) => ({
    pass,
    step,
    op,
    triplet,
  });
  const graph = {
    triplets: [["a", "r", "b"], ["b", "r", "c"], ["c", "r", "d"]] as const,
    inherited: [0],
    changes: [
      ...[
        change(0, 1, "add", 1),
        change(0, 2, "remove", 0),
        change(0, 2, "add", 2),
        change(1, 0, "add", 1),
      ],
      ...[change(1, 1, "remove", 1), change(1, 1, "add", 1)],
    ],
  };
  const steps = [[0, 0, 1], [0, 1, 2], [0, 2, 2], [1, 0, 1], [1, 1, 1]].map((
    [pass = 0, step = 0, graphSize],
  ) => ({
    pass,
    step,
    graphSize,
  }));
  const sets = (index: number): number[][] =>
    Object.values(momentAt(graph, steps, index)).map((set: ReadonlySet<number>) => [...set].sort());
  assert.deepEqual(sets(0), [[0], [], []]);
  assert.deepEqual(sets(1), [[0, 1], [1], []]);
  assert.deepEqual(sets(2), [[1, 2], [2], [0]]);
  assert.deepEqual(sets(3), [[1], [1], []]);
  assert.deepEqual(sets(4), [[1], [], []], "what was removed and added again is not new");
});

Deno.test("drawLabels() keeps names within the drawing, larger nodes first, and leaves out one that would cover another", () => {
  const drawn: [string, number][] = [];
  const measureText = (text: string): { width: number } => ({ width: 10 * text.length });
  const fillText = (text: string, x: number): void => void drawn.push([text, x]);
  const context = {
    measureText,
    fillText,
    strokeText: () => {},
  } as unknown as CanvasRenderingContext2D;
  const nodes = [
    { x: 10, y: 50, size: 4, label: "covered" },
    { x: 10, y: 50, size: 9, label: "hall" },
    { x: 10, y: 62, size: 4, label: "chest" },
    { x: 190, y: 190, size: 4, label: "key" },
    { x: 140, y: 90, size: 4, label: "lamp" }, // beneath the buttons,
    { x: 20, y: 52, size: 13, label: "here" },
  ];
  drawLabels(context, nodes, { width: 200, fontSize: 11, ground: "white", ink: "black" });
  assert.deepEqual(drawn, [["here", 36], ["hall", 22], ["chest", 17], ["key", 153], ["lamp", 93]]);
});
