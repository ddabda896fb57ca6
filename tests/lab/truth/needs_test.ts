import assert from "node:assert/strict";
import { neededFacts } from "../../../lib/lab/truth/needs.ts";
import type { Knowledge, Row } from "../../../lib/lab/truth/claims.ts";

const ROOMS = ["Hall", "Cellar", "Attic"];

/**
 * The facts of a hunt, all of which the agent has come across but for those whose subject is given.
 */
function world(
  facts: readonly Row[],
  unseen: readonly string[] = [],
): { row: Row; verdict: Knowledge }[] {
  return facts.map((row) => ({ row, verdict: unseen.includes(row[0]) ? "unseen" : "right" }));
}

/**
 * The treasure is in a locked chest in the cellar, whose iron key lies in a locked box in the
 * attic, whose tin key lies in the hall.
 */
const HUNT: readonly Row[] = [
  ["treasure", "is in", "chest"],
  ["chest", "is in", "cellar"],
  ["chest", "is", "locked"],
  ["iron key", "unlocks", "chest"],
  ["iron key", "is in", "box"],
  ["box", "is in", "attic"],
  ["box", "is", "locked"],
  ["tin key", "unlocks", "box"],
  ["tin key", "is in", "hall"],
  ["odd key", "unlocks", "trunk"],
  ["odd key", "is in", "cellar"],
];

function moved(thing: string, holder: string, facts: readonly Row[] = HUNT): Row[] {
  return facts.map((row) =>
    row[0] === thing && row[1] === "is in" ? [thing, "is in", holder] : row
  );
}

function needed(
  location: string,
  facts: readonly Row[],
  unseen: readonly string[] = [],
): string[][] | undefined {
  return neededFacts("Find the treasure.", { rooms: ROOMS, location }, world(facts, unseen));
}

Deno.test("neededFacts() goes backwards from the goal to the key that can be had, and never to one of no use", () => {
  assert.deepEqual(needed("Attic", HUNT), [["tin key", "hall"]]);
});

Deno.test("neededFacts() asks for the container once its key is held, and for what lies open in another thing up to the room", () => {
  const holding = moved("tin key", "inventory");
  assert.deepEqual(needed("Hall", holding), [["box", "attic"]]);
  const open = holding.map((row): Row =>
    row[0] === "box" && row[1] === "is" ? ["box", "is", "open"] : row
  );
  assert.deepEqual(needed("Hall", open), [["iron key", "box"], ["box", "attic"]]);
  const shut = holding.map((row): Row =>
    row[0] === "box" && row[1] === "is" ? ["box", "is", "closed"] : row
  );
  assert.deepEqual(needed("Hall", shut.filter(([thing]) => thing !== "tin key")), [[
    "box",
    "attic",
  ]]); // closed, it needs no key
  assert.deepEqual(needed("Hall", moved("iron key", "inventory")), [["chest", "cellar"]]);
});

Deno.test("neededFacts() asks for nothing in the present room, nothing unseen, and nothing where no thing is named or all is held", () => {
  assert.equal(needed("Hall", HUNT), undefined);
  assert.equal(needed("Attic", HUNT, ["tin key"]), undefined);
  assert.equal(needed("Attic", moved("treasure", "inventory")), undefined);
  assert.equal(
    neededFacts("Tidy up.", { rooms: ROOMS, location: "Attic" }, world(HUNT)),
    undefined,
  );
});

Deno.test("neededFacts() ends where two keys lie in each other's boxes", () => {
  const circle = moved("tin key", "chest");
  assert.equal(needed("Hall", circle), undefined);
});
