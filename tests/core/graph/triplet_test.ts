import assert from "node:assert/strict";
import {
  normaliseEntity,
  normaliseTriplet,
  parseTriplet,
} from "../../../lib/core/graph/triplet.ts";

Deno.test("normaliseTriplet() lowers case and strips quotes, dots, back-ticks, spaces, colons and semicolons from the ends", () => {
  assert.deepEqual(
    normaliseTriplet({ subject: ' "Key 1". ', relation: "`is in`:", object: "'White  Locker';" }),
    {
      subject: "key 1",
      relation: "is in",
      object: "white locker",
    },
  );
});

Deno.test("normaliseEntity() reads I as the inventory and P as the player, but no other letter", () => {
  assert.deepEqual(["I", "P", "i", "Room I", "'I'"].map(normaliseEntity), [
    "inventory",
    "player",
    "i",
    "room i",
    "inventory",
  ]);
});

Deno.test("normaliseTriplet() drops what says nothing", () => {
  assert.equal(normaliseTriplet({ subject: "north", relation: "Free", object: "hall" }), undefined);
  assert.equal(normaliseTriplet({ subject: " . ", relation: "is", object: "x" }), undefined);
});

Deno.test("parseTriplet() takes exactly three fields", () => {
  assert.deepEqual(parseTriplet("a, b, c"), { subject: "a", relation: "b", object: "c" });
  for (const part of ["a, b", "a, b, c, d", "", "a,,c"]) {
    assert.equal(parseTriplet(part), undefined);
  }
});
