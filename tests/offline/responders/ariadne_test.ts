/** How the offline backbone plans and acts: invented places, read through Ariadne's own parsers. */

import assert from "node:assert/strict";
import { parseAct, parsePlan } from "../../../lib/core/agent/ariadne.prompts.ts";
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

async function act(
  sections: Record<string, string>,
  actions: readonly string[],
  seed = 0,
): Promise<string> {
  const parsed = parseAct(
    await answer("ariadne/act", { ...sections, "Possible actions": actions.join("\n") }, seed),
  );
  assert(parsed.kind === "ok");
  return parsed.value.action;
}

async function plan(sections: Record<string, string>): Promise<string[]> {
  const parsed = parsePlan(await answer("ariadne/plan", sections));
  assert(parsed.kind === "ok");
  return parsed.value.steps.map((step) => step.subGoal);
}

const HUNT = { "Main goal": "Find the dulim." };
const COOK = {
  "Main goal": "Find the recipe in the cookbook, prepare the meal as it says and eat it.",
};
const now = (text: string, carrying = "nothing"): string =>
  `Game step #9\n${text}\nInventory: You are carrying${
    carrying === "nothing" ? "" : ":"
  } ${carrying}.`;

Deno.test("hunt: a key that lies about is taken", async () => {
  const seen = now(
    "-= Gorf =-\nYou see a Vurn locker. There is a Key 1 on the floor. There is a zolbit on the floor.\nThere is an exit to the east.",
  );
  const actions = ["examine Key 1", "go east", "look", "take zolbit", "take Key 1"];
  assert.equal(await act({ ...HUNT, "Current observation": seen }, actions), "take Key 1");
});

Deno.test("ariadne/act goes to the lock, by go to or move by move, when a triplet names it", async () => {
  const seen = now("-= Gorf =-\nYou see a Vurn locker.\nThere is an exit to the east.", "a Key 3");
  const triplets =
    "key 3, unlocks, hesp locker\nhesp locker, is in, melp\nmelp, is east of, gorf\ngorf, is west of, melp";
  const sections = {
    ...HUNT,
    "Current observation": seen,
    "Relevant triplets from memory": triplets,
  };
  assert.equal(
    await act(sections, ["examine Vurn locker", "go east", "look", "go to melp", "go to brist"]),
    "go to melp",
  );
  assert.equal(await act(sections, ["examine Vurn locker", "go east", "look"]), "go east");
});

Deno.test("hunt: the same is found in a full history, with no memory but the text", async () => {
  const everything = [
    "Game step #1\n-= Gorf =-\nThere is an exit to the east. There is an exit to the south.\nInventory: You are carrying nothing.",
    "Game step #2\n-= Melp =-\nYou see a Hesp locker.\nThere is an exit to the west.\nInventory: You are carrying nothing.\nAction that led to this observation: go east",
    "Game step #3\n-= Gorf =-\nThere is an exit to the east. There is an exit to the south.\nInventory: You are carrying nothing.\nAction that led to this observation: go west",
    "Game step #4\nKey 3 fits the Hesp locker.\nInventory: You are carrying: a Key 3.\nAction that led to this observation: examine Note 3",
  ].join("\n\n");
  const seen =
    "Game step #5\nYou look around.\nInventory: You are carrying: a Key 3.\nAction that led to this observation: wait";
  const sections = {
    ...HUNT,
    "Current observation": seen,
    "All observations and actions so far": everything,
  };
  for (let seed = 0; seed < 10; seed++) {
    assert.equal(await act(sections, ["go east", "go south", "look"], seed), "go east");
  }
});

Deno.test("hunt: a note in an opened locker is read, once", async () => {
  const seen = now(
    "You open the Vurn locker, revealing a Note 2 and a Key 2.",
    "a Key 1 and a Key 2",
  );
  const actions = ["close Vurn locker", "examine Note 2", "go east", "look"];
  assert.equal(await act({ ...HUNT, "Current observation": seen }, actions), "examine Note 2");
  const read =
    "Game step #8\nIt is smudged.\nInventory: You are carrying: a Key 1 and a Key 2.\nAction that led to this observation: examine Note 2";
  assert.notEqual(
    await act(
      { ...HUNT, "Current observation": seen, "History of observations and actions": read },
      actions,
    ),
    "examine Note 2",
  );
});

Deno.test("exploring: an exit that was never taken comes first, then the nearest place that has one", async () => {
  const seen = now("-= Gorf =-\nThere is an exit to the east. There is an exit to the south.");
  const triplets = "melp, is east of, gorf\ngorf, is west of, melp";
  const sections = {
    ...HUNT,
    "Current observation": seen,
    "Relevant triplets from memory": triplets,
  };
  assert.equal(await act(sections, ["go east", "go south", "look"]), "go south");
  const listed = { ...sections, "Unexplored exits": "melp: north" };
  assert.equal(await act(listed, ["go east", "go south", "look", "go to melp"]), "go to melp");
});

Deno.test("exploring: equally good exits are chosen by the seed", async () => {
  const seen = now("-= Gorf =-\nThere is an exit to the east. There is an exit to the south.");
  const chosen = new Set<string>();
  for (let seed = 0; seed < 20; seed++) {
    chosen.add(
      await act({ ...HUNT, "Current observation": seen }, ["go east", "go south", "look"], seed),
    );
  }
  assert.deepEqual([...chosen].sort(), ["go east", "go south"]);
});

const RECIPE = "recipe, requires, pale drask\npale drask, to be, diced\npale drask, to be, fried";

Deno.test("cooking: food is cut and heated as the recipe says and never twice", async () => {
  const actions = [
    "chop pale drask with knife",
    "dice pale drask with knife",
    "eat pale drask",
    "fry pale drask with stove",
    "look",
  ];
  const sections = { ...COOK, "Relevant triplets from memory": RECIPE };
  const holding = (state: string): string => now("You wait.", `a knife and a ${state} pale drask`);
  assert.equal(
    await act({ ...sections, "Current observation": holding("raw") }, actions),
    "dice pale drask with knife",
  );
  assert.equal(
    await act({ ...sections, "Current observation": holding("diced raw") }, actions),
    "fry pale drask with stove",
  );
  const done = await act({ ...sections, "Current observation": holding("diced fried") }, [
    ...actions,
    "prepare meal",
  ]);
  assert.equal(done, "prepare meal");
});

Deno.test("cooking: with full hands what is least needed is put down", async () => {
  const seen = now(
    "You're carrying too many things already.",
    "a bent spoon, a knife and a diced hrun",
  );
  const sections = {
    ...COOK,
    "Current observation": seen,
    "Relevant triplets from memory": `${RECIPE}\nrecipe, requires, hrun\npale drask, is on, frenk`,
  };
  assert.equal(
    await act(sections, ["drop bent spoon", "drop knife", "drop hrun", "take pale drask", "look"]),
    "drop bent spoon",
  );
});

Deno.test("cleaning: what common sense finds out of place is taken, and put where it belongs", async () => {
  const goal = {
    "Main goal": "Find the things that are out of place and bring each back to where it belongs.",
  };
  const seen =
    "-= Study =-\nYou see a desk. On the desk you see a pencil and a toothbrush.\nThere is an exit to the east.";
  assert.equal(
    await act({ ...goal, "Current observation": now(seen) }, [
      "take pencil from desk",
      "take toothbrush from desk",
      "look",
    ]),
    "take toothbrush from desk",
  );
  const triplets = "washbasin, is in, bathroom\nbathroom, is east of, study";
  const carrying = {
    ...goal,
    "Current observation": now(seen, "a toothbrush"),
    "Relevant triplets from memory": triplets,
  };
  assert.equal(
    await act(carrying, ["put toothbrush on desk", "go east", "go to bathroom"]),
    "go to bathroom",
  );
});

Deno.test("cleaning: of two places that fit as well the one at hand is taken, wherever the agent stands", async () => {
  const goal = {
    "Main goal": "Find the things that are out of place and bring each back to where it belongs.",
  };
  const triplets =
    "study table, is in, vurn\ndining table, is in, hesp\nvurn, is north of, hesp\nhesp, is south of, vurn";
  for (const [room, table] of [["Hesp", "dining table"], ["Vurn", "study table"]] as const) {
    const seen = now(
      `-= ${room} =-\nYou see a ${table}.\nThere is an exit to the north.`,
      "a table runner",
    );
    const [first] = await plan({
      ...goal,
      "Current observation": seen,
      "Relevant triplets from memory": triplets,
    });
    assert.equal(first, `Put the table runner on the ${table}.`);
  }
});

Deno.test("plan: sub-goals name what is needed, and keep in words what the memory no longer shows", async () => {
  const seen = now("-= Gorf =-\nThere is an exit to the east.", "a Key 3");
  const first = await plan({
    ...HUNT,
    "Current observation": seen,
    "Relevant triplets from memory": "key 3, unlocks, hesp locker",
  });
  assert.deepEqual(first.slice(0, 2), [
    "Find the hesp locker.",
    "Unlock the hesp locker with the key 3.",
  ]);
  const previous = JSON.stringify({
    plan_steps: first.map((goal, i) => ({ [`sub_goal_${i + 1}`]: goal, reason: "" })),
  });
  const later = await plan({ ...HUNT, "Current observation": seen, "Previous plan": previous });
  assert.deepEqual(later, first);
});

Deno.test("plan: an achieved sub-goal goes", async () => {
  const seen = now("You open the Hesp locker.", "a Key 3");
  const goals = await plan({
    ...HUNT,
    "Current observation": seen,
    "Relevant triplets from memory": "key 3, unlocks, hesp locker",
  });
  assert(!goals.some((goal) => goal.includes("hesp locker")), goals.join(" / "));
});

Deno.test("act: with no action on offer the answer still parses", async () => {
  assert.equal(await act({ ...HUNT, "Current observation": now("Dark.") }, []), "look");
});
