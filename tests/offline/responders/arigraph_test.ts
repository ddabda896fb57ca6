/**
 * How the offline backbone answers the roles of AriGraph: read back through the memory's own
 * parsers.
 */

import assert from "node:assert/strict";
import {
  parseEntities,
  parseExplore,
  parseExtract,
  parseOutdate,
} from "../../../lib/core/memory/arigraph.prompts.ts";
import { createOfflineBackbone, type OfflineOptions } from "../../../lib/offline/backbone.ts";
import { formatTriplet } from "../../../lib/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";

async function ask(
  role: string,
  sections: Record<string, string>,
  modelOptions: OfflineOptions = {},
): Promise<string> {
  const model = createOfflineBackbone({ responders: offlineResponders, modelOptions });
  return (await model.chat({
    role,
    messages: [{ role: "user", content: renderSections(sections) }],
  })).choices[0].text;
}

function triplets(text: string): string[] {
  const parsed = parseExtract(text);
  assert(parsed.kind === "ok", text);
  return parsed.value.map(formatTriplet);
}

const ROOM = `Game step #3
-= Gorf =-
You've entered a Gorf.

You see a frenk. On the frenk you can see a zolbit, a drask and a Note 2. You make out a locked Vurn locker.

There is an exit to the east.
Inventory: You are carrying: a Key 1.`;

const ROOM_FACTS = [
  "frenk, is in, gorf",
  "zolbit, is on, frenk",
  "drask, is on, frenk",
  "note 2, is on, frenk",
  "vurn locker, is in, gorf",
  "vurn locker, is, locked",
  "gorf, has exit, east",
  "key 1, is in, inventory",
];

Deno.test("extract: the facts of a room with invented names", async () => {
  assert.deepEqual(
    triplets(await ask("arigraph/extract", { "Triplets extracted before": "", Observation: ROOM })),
    ROOM_FACTS,
  );
});

Deno.test("extract: an observation without facts is answered with empty brackets", async () => {
  assert.equal(
    await ask("arigraph/extract", { Observation: "Game step #2\nNothing happens." }),
    "[]",
  );
});

Deno.test("extract: recall drops facts and adds none", async () => {
  const kept = triplets(await ask("arigraph/extract", { Observation: ROOM }, { recall: 0.5 }));
  assert(
    kept.length > 0 && kept.length < ROOM_FACTS.length,
    `${kept.length} of ${ROOM_FACTS.length}`,
  );
  assert.deepEqual(kept.filter((fact) => !ROOM_FACTS.includes(fact)), []);
  assert.equal(await ask("arigraph/extract", { Observation: ROOM }, { recall: 0 }), "[]");
});

Deno.test("extract: precision gives facts a wrong object, as many as told in the long run", async () => {
  const none = triplets(await ask("arigraph/extract", { Observation: ROOM }, { precision: 0 }));
  assert.equal(none.length, ROOM_FACTS.length);
  assert.deepEqual(none.filter((fact) => ROOM_FACTS.includes(fact)), []);
  let right = 0;
  for (let seed = 0; seed < 100; seed++) {
    right +=
      triplets(await ask("arigraph/extract", { Observation: ROOM }, { precision: 0.7, seed }))
        .filter((fact) => ROOM_FACTS.includes(fact)).length;
  }
  const share = right / (100 * ROOM_FACTS.length); // 800 draws: ± 0.05 is more than three standard errors
  assert(Math.abs(share - 0.7) < 0.05, `${share}`);
});

for (
  const [name, existing, fresh, stale] of [
    [
      "a thing that was taken",
      "key 2, is in, vurn locker\nvurn locker, is in, gorf",
      "key 2, is in, inventory",
      [
        "key 2, is in, vurn locker",
      ],
    ],
    [
      "both places of a thing on the floor",
      "zolbit, is on, floor\nzolbit, is in, gorf",
      "zolbit, is in, inventory",
      [
        "zolbit, is on, floor",
        "zolbit, is in, gorf",
      ],
    ],
    ["a place said the other way round", "gorf, contains, zolbit", "zolbit, is in, inventory", [
      "gorf, contains, zolbit",
    ]],
    [
      "a lock that was opened",
      "vurn locker, is, locked\nvurn locker, is in, gorf",
      "vurn locker, is, open",
      ["vurn locker, is, locked"],
    ],
    [
      "raw food that was fried, not what was cut",
      "drask, is, raw\ndrask, is, diced",
      "drask, is, fried",
      ["drask, is, raw"],
    ],
    [
      "nothing where the aspects differ",
      "gorf, has exit, east\nkey 2, unlocks, hesp locker",
      "key 2, is in, inventory\ngorf, has exit, west",
      [],
    ],
    ["nothing that is said again", "key 2, is in, inventory", "key 2, is in, inventory", []],
  ] as const
) {
  Deno.test(`outdate: ${name}`, async () => {
    const parsed = parseOutdate(
      await ask("arigraph/outdate", { "Existing triplets": existing, "New triplets": fresh }),
    );
    assert(parsed.kind === "ok");
    assert.deepEqual(parsed.value.stale.map(formatTriplet), stale);
    assert.equal(parsed.value.ignored, 0);
  });
}

Deno.test("entities: what the next sub-goals speak of counts 2, what is only seen counts 1", async () => {
  const plan = JSON.stringify({
    plan_steps: [{ sub_goal_1: "Unlock the Hesp locker with the Key 1.", reason: "" }],
  });
  const parsed = parseEntities(2)(
    await ask("arigraph/entities", { Observation: ROOM, Plan: plan }),
  );
  assert(parsed.kind === "ok");
  assert.equal(parsed.value.get("hesp locker"), 2);
  assert.equal(parsed.value.get("key 1"), 2);
  assert.equal(parsed.value.get("gorf"), 1);
  assert.equal(parsed.value.get("zolbit"), 1);
  assert.equal(parsed.value.has("inventory"), false);
});

Deno.test("explore: True where the plan wants something found, False where its place is known", async () => {
  const of = async (goal: string): Promise<unknown> => {
    const parsed = parseExplore(
      await ask("arigraph/explore", {
        Plan: JSON.stringify({ plan_steps: [{ sub_goal_1: goal, reason: "" }] }),
      }),
    );
    return parsed.kind === "ok" && parsed.value;
  };
  assert.equal(await of("Find the hesp locker."), true);
  assert.equal(await of("Explore the places that have not been visited yet."), true);
  assert.equal(await of("Take the zolbit from the frenk."), false);
});
