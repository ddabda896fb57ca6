/**
 * How the stand-in answers the roles of AriGraph: read back through the memory's own
 * parsers.
 */

import assert from "node:assert/strict";
import { parseExtract } from "../../../lib/core/memory/arigraph-replies.ts";
import { createStandIn, type OfflineOptions } from "../../../lib/offline/stand-in.ts";
import { formatTriplet } from "../../../lib/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";

async function ask(
  role: string,
  sections: Record<string, string>,
  modelOptions: OfflineOptions = {},
): Promise<string> {
  const model = createStandIn({ responders: offlineResponders, modelOptions });
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
