/**
 * How the offline backbone keeps the baselines' memories: read by their own parsers, and of use to
 * its own planner.
 */

import assert from "node:assert/strict";
import { parseAct } from "../../../lib/core/agent/ariadne.prompts.ts";
import { parseLesson } from "../../../lib/core/agent/reflexion.prompts.ts";
import {
  parseImportance,
  parseInsights,
  parseQuestions,
} from "../../../lib/core/memory/simulacra.prompts.ts";
import { parseSummary } from "../../../lib/core/memory/summary.prompts.ts";
import { createOfflineBackbone } from "../../../lib/offline/backbone.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";

async function answer(role: string, sections: Record<string, string>, seed = 0): Promise<string> {
  const model = createOfflineBackbone({ responders: offlineResponders, modelOptions: { seed } });
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

Deno.test("summary/rewrite writes three paragraphs and keeps what the previous summary said", async () => {
  const first = parseSummary(
    await answer("summary/rewrite", {
      "Main goal": "Find the dulim.",
      "History of observations and actions": GORF,
      "Current observation": MELP,
      "Previous summary": "",
    }),
  );
  assert(first.kind === "ok");
  const second = parseSummary(
    await answer("summary/rewrite", {
      "Main goal": "Find the dulim.",
      "Current observation": NOTE,
      "Previous summary": first.value,
    }),
  );
  assert(second.kind === "ok");
  assert.equal(second.value.split("\n\n").length, 3);
  assert.deepEqual(
    await go({ "Summary of what has happened": second.value }),
    ["go east"],
    second.value,
  );
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

Deno.test("simulacra/importance rates what is needed above what shows a place, above nothing new", async () => {
  const rate = async (memory: string): Promise<number> => {
    const parsed = parseImportance(
      await answer("simulacra/importance", { "Main goal": "Find the dulim.", Memory: memory }),
    );
    assert(parsed.kind === "ok");
    return parsed.value;
  };
  const [note, room, wait] = [
    await rate(NOTE),
    await rate(GORF),
    await rate("Game step #4\nTime passes."),
  ];
  assert(note > room && room > wait, `${note}, ${room}, ${wait}`);
});

Deno.test("simulacra/insights rest on the statements and serve the actor", async () => {
  const questions = parseQuestions(3)(
    await answer("simulacra/questions", {
      "Main goal": "Find the dulim.",
      "Recent memories": GORF,
      "Questions wanted": "3",
    }),
  );
  assert(questions.kind === "ok" && questions.value.length === 3);
  const statements = [GORF, MELP, NOTE].map((text, i) => `Statement ${i + 1}:\n${text}`).join(
    "\n\n",
  );
  const insights: string[] = [];
  for (const question of questions.value) {
    const parsed = parseInsights({ statements: 3, most: 5 })(
      await answer("simulacra/insights", { Question: question, Statements: statements }),
    );
    assert(parsed.kind === "ok");
    for (const { text, evidence } of parsed.value) {
      insights.push(text);
      if (text === "key 3, unlocks, hesp locker") assert.deepEqual(evidence, [3]);
    }
  }
  assert(insights.includes("key 3, unlocks, hesp locker"), insights.join("\n"));
  assert.deepEqual(await go({ "Insights from reflection": insights.join("\n") }), ["go east"]);
  assert.deepEqual(
    parseInsights({ statements: 1, most: 5 })(
      await answer("simulacra/insights", {
        Question: questions.value[0] ?? "",
        Statements: "Statement 1:\nFog.",
      }),
    ),
    { kind: "ok", value: [] },
  );
});
