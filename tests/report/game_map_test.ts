import assert from "node:assert/strict";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { gameMapFigure, type GameTruth, isGameTruth, layOut } from "../../lib/report/figures/game-map.ts";
import { rowsOf } from "../../lib/report/frame.ts";

const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());

const STEP: Readonly<Record<string, readonly [number, number]>> = { north: [0, 1], south: [0, -1], east: [1, 0], west: [-1, 0] };

for (const [world, rooms, things] of [["textworld/hunt", 12, 19], ["textworld/cleaning", 9, 40], ["textworld/cooking", 9, 10]] as const) {
  Deno.test(`gameMapFigure() draws ${world} as it is: every room once, in its place, with what lies in it`, async () => {
    const game = await worlds.open(world);
    await game.reset();
    const truth = await game.truth();
    await game.close();
    assert.ok(isGameTruth(truth));
    assert.equal(truth.rooms.length, rooms);
    const places = layOut(truth);
    for (const { from, direction, to } of truth.exits) {
      const [a, b, [dx, dy]] = [places.get(from), places.get(to), STEP[direction] ?? assert.fail(direction)];
      assert.deepEqual([(a?.x ?? NaN) + dx, (a?.y ?? NaN) + dy], [b?.x, b?.y], `${from} ${direction} ${to}`);
    }
    const figure = gameMapFigure(truth, { id: "m", title: "A game" });
    const boxes = rowsOf<{ kind: string; name: string; text: string }>(figure.frame).filter(({ kind }) =>
      kind === "room" || kind === "start"
    );
    assert.deepEqual(boxes.map(({ name }) => name).sort(), [...truth.rooms].sort());
    assert.deepEqual(boxes.filter(({ kind }) => kind === "start").map(({ name }) => name), [truth.location]);
    const written = boxes.map(({ text }) => text).join("\n").replaceAll("\n", " ");
    const lying = truth.facts.filter(([, relation, place]) => relation === "on" || (relation === "in" && place !== "RECIPE")).map((
      [thing = ""],
    ) => thing);
    assert.ok(lying.length >= things && figure.caption.includes(`${lying.length} things`), `${lying.length} things; ${figure.caption}`);
    for (const thing of lying) assert.ok(written.includes(thing), thing);
    assert.match(await toSvg(figure), new RegExp(truth.location));
  });
}

const BENT: GameTruth = {
  rooms: ["a", "b", "c", "far"],
  exits: [
    { from: "a", direction: "north", to: "b", door: null },
    { from: "b", direction: "south", to: "c", door: "gate" }, // where a is already
    { from: "c", direction: "north", to: "b", door: "gate" },
  ],
  location: "a",
  facts: [["gate", "is", "locked"], ["key", "in", "a"], ["key", "unlocks", "gate"]],
};

Deno.test("layOut() puts no two rooms in one place, where the game bends its space and where no way leads", () => {
  const places = layOut(BENT);
  assert.deepEqual(Object.fromEntries(places), { a: { x: 0, y: 0 }, b: { x: 0, y: 1 }, c: { x: 0, y: -1 }, far: { x: 0, y: -2 } });
});

Deno.test("gameMapFigure() tells doors, locks and keys, each way once", () => {
  const rows = rowsOf<{ kind: string; name: string; text: string }>(gameMapFigure(BENT, { id: "m", title: "M" }).frame);
  assert.deepEqual(rows.map(({ kind, name, text }) => [kind, name, text]), [
    ["way", "", ""],
    ["door", "gate", ""],
    ["start", "a", "key → gate"],
    ["room", "b", "south: gate (locked)"],
    ["room", "c", "north: gate (locked)"],
    ["room", "far", ""],
  ]);
});

Deno.test("isGameTruth() refuses what has no map", () => {
  for (const other of [undefined, null, {}, { rooms: [], exits: [], location: "", facts: [] }, { rooms: ["a"] }]) {
    assert.equal(isGameTruth(other), false);
  }
});
