/**
 * How the stand-in keeps the baselines' memories: read by their own parsers, and of use to
 * its own planner.
 */

import assert from "node:assert/strict";
import { parseAct } from "../../../lib/core/agent/ariadne-replies.ts";
import { parseLesson } from "../../../lib/core/agent/reflexion.prompts.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";

async function answer(role: string, sections: Record<string, string>, seed = 0): Promise<string> {
  const model = createStandIn({ responders: offlineResponders, modelOptions: { seed } });
  return (await model.chat({
    role,
    messages: [{ role: "user", content: renderSections(sections) }],
  })).choices[0].text;
}

const GORF =
  "Game step #1\n-= Gorf =-\nYou see a Vurn locker.\nThere is an exit to the east. There is an exit to the south.\nInventory: You are carrying nothing.";
const MELP =
  "Game step #2\n-= Melp =-\nYou see a Hesp locker.\nThere is an exit to the west.\nInventory: You are carrying nothing.\nAction that led to this observation: go east";
const NOTE =
  "Game step #3\nKey 3 fits the Hesp locker.\nInventory: You are carrying: a Key 3.\nAction that led to this observation: examine Note 3";

/**
 * Where the actor goes with a key whose lock is elsewhere, whatever the seed that breaks its ties.
 */
async function go(memory: Record<string, string>): Promise<string[]> {
  const chosen = new Set<string>();
  for (let seed = 0; seed < 10; seed++) {
    const reply = await answer("ariadne/act", {
      "Main goal": "Find the dulim.",
      "Current observation": GORF.replace("#1", "#9").replace(" nothing", ": a Key 3"),
      ...memory,
      "Possible actions": "go east\ngo south\nlook",
    }, seed);
    const parsed = parseAct(reply);
    assert(parsed.kind === "ok");
    chosen.add(parsed.value.action);
  }
  return [...chosen].sort();
}

Deno.test("offline: without a memory the actor cannot know the way", async () => {
  assert.deepEqual(await go({}), ["go east", "go south"]);
});

Deno.test("offline: a lesson tells how places lie, what opens what, and where things were at first", async () => {
  const record = [
    GORF,
    MELP.replace("You see a Hesp", "There is a wuzzle on the floor. You see a Hesp"),
    NOTE.replace("a Key 3", "a Key 3 and a wuzzle"),
  ];
  const lesson = parseLesson(
    await answer("reflexion/reflect", {
      "Main goal": "Find the dulim.",
      "Record of the trial": record.join("\n\n"),
    }),
  );
  assert(lesson.kind === "ok");
  assert.match(lesson.value, /^wuzzle, is in, melp$/m);
  assert.doesNotMatch(lesson.value, /inventory/);
  assert.deepEqual(
    await go({ "Lessons from earlier trials": lesson.value }),
    ["go east"],
    lesson.value,
  );
  const again = parseLesson(
    await answer("reflexion/reflect", {
      "Record of the trial": GORF,
      "Lessons from earlier trials": lesson.value,
    }),
  );
  assert(
    again.kind === "ok" && again.value.includes("key 3, unlocks, hesp locker"),
    "an earlier lesson is kept",
  );
});
