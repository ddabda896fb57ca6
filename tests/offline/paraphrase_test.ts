/**
 * The offline backbone reads meaning, not one exact text: every world's texts paraphrased and
 * renamed lead to the same reading and action.
 */

import assert from "node:assert/strict";
import { createOfflineBackbone } from "../../lib/offline/backbone.ts";
import { readDungeon } from "../../lib/offline/reading/nethack-text.ts";
import { readHouseholdTask } from "../../lib/offline/reading/tasks.ts";
import { readRoom } from "../../lib/offline/reading/scienceworld-text.ts";
import { followQuestion } from "../../lib/offline/policies/question-answering.ts";
import { goalsFor } from "../../lib/offline/policies/goals.ts";
import { Belief } from "../../lib/offline/reading/belief.ts";
import { chooseSkill, dungeonGoals } from "../../lib/offline/policies/nethack-policy.ts";
import { offlineResponders } from "../../lib/offline/responders/mod.ts";
import { renderSections } from "../../lib/core/text/sections.ts";

async function say(role: string, sections: Record<string, string>): Promise<string> {
  const model = createOfflineBackbone({ responders: offlineResponders });
  return (await model.chat({
    role,
    messages: [{ role: "user", content: renderSections(sections) }],
  })).choices[0].text;
}

/** Replaces whole words, as a world with invented names would. */
function renamed(text: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce(
    (told, [old, young]) => told.replaceAll(new RegExp(`\\b${old}\\b`, "g"), young),
    text,
  );
}

for (
  const task of [
    "Your task is to find a(n) plant. First, focus on the thing. Then, move it to the red box in the vurn.",
    "Your task is to find a(n) plant. First, focus on it. Then, put it into the red box, which is in the vurn.",
    "Look for a plant. Focus your attention on it, and then bring it to the red box that stands in the vurn.",
    "You have to locate a plant somewhere. Concentrate on the thing first; afterwards carry it to the red box in the vurn.",
    "Please find a plant, point it out by focusing on it, and then place it in the red box in the vurn.",
  ]
) {
  Deno.test(`laboratory: "${task.slice(0, 75)}"`, () => {
    const { kind, to, room, focus } = readHouseholdTask(task) ?? {};
    assert.deepEqual({ kind, to, room, focus: focus?.at(-1) }, {
      kind: "plant",
      to: "red box",
      room: "vurn",
      focus: "plant",
    });
  });
}

for (
  const [task, focus, rooms] of [
    [
      "Your task is to melt glim. First, focus on the substance. Then, take actions that will cause it to change its state.",
      ["glim"],
      [],
    ],
    ["Change the state of matter of frell. Begin by focusing on the substance.", ["frell"], []],
    [
      "Your task is to measure the temperature of zolbit, which is located around the vurn. First, focus on the probe. Next, focus on the zolbit. " +
      "If the zolbit temperature is above 50 degrees, focus on the red box.",
      ["probe", "zolbit"],
      ["vurn"],
    ],
    [
      "Your task is to find the wug with the longest life. The wugs are in the 'hesp' location. Focus on the wug with the longest life.",
      [
        "wug",
      ],
      ["hesp"],
    ],
    [
      "Your task is to focus on the 4 life stages of the giant wug, starting from earliest to latest. The wugs are located outside.",
      [
        "giant wug",
      ],
      ["outside"],
    ],
  ] as const
) {
  Deno.test(`laboratory: "${task.slice(0, 75)}" is read by its parts`, () => {
    const read = readHouseholdTask(task);
    assert.deepEqual([read?.focus, read?.rooms], [focus, rooms]);
  });
}

const FORMS =
  "look around: look\nopen {thing}: open\ngo to {place}: walk\nteleport to {place}: jump\nfocus on {thing}: point out\n" +
  "pick up {thing}: take\nmove {thing} to {container}: put\n{number}: answer";

Deno.test("laboratory: rooms in other words and with renamed substances lead to the same actions", async () => {
  const room =
    "This room is called the vurn. In it, you see: \n\tthe agent\n\ta substance called glim\n\ta probe, currently reading a temperature of 3 degrees\n" +
    "You also see:\n\tA door to the hesp (that is open)";
  const other =
    "You are in the vurn. Here you see: \n\tan agent\n\tsome glim\n\ta probe, which is now reading 3 degrees\n\ta door to the hesp (that is open)";
  const act = (substance: string, seen: string): Promise<string> =>
    say("act/act", {
      Task: `Your task is to melt ${substance}. First, focus on the substance.`,
      "What can be done": FORMS,
      "What has happened so far": `${seen}\n>`,
    });
  for (const seen of [room, other]) {
    assert.equal(await act("glim", seen), "focus on glim");
    assert.equal(await act("frell", renamed(seen, { glim: "frell" })), "focus on frell");
    assert.equal(await act("probe", seen), "focus on probe");
    assert.deepEqual(readRoom(seen).exits, ["hesp"]);
  }
  assert.equal(await act("frell", room), "go to hesp");
  const asked =
    `${room}\n> focus on glim\nAmbiguous request: Please enter the number for the action you intended:\n0:\tfocus on probe\n1:\tfocus on glim`;
  assert.equal(await act("glim", asked), "1");
});

Deno.test("laboratory: only what can be done is answered when nothing of the task is understood", async () => {
  const sections = {
    Task: "Your task is to be merry.",
    "What can be done": FORMS,
    "What has happened so far": "Fog.\n>",
  };
  assert.equal(await say("act/act", sections), "look around");
});

const HOUSE =
  "go to {place}: walk\nopen {place}: open\ntake {thing} from {place}: pick up\nmove {thing} to {place}: put down\nclean {thing} with {place}: clean";
const OPENING =
  "You are in the middle of a room. Looking quickly around you, you see a gorf 1, and a sinkbasin 1.\n> go to gorf 1\n";

Deno.test("household: paraphrased tasks and renamed appliances lead to the same actions", async () => {
  for (
    const task of [
      "put a clean zolbit in gorf.",
      "clean some zolbit and put it in gorf.",
      "rinse a zolbit, and then place it into the gorf.",
      "bring a washed zolbit to the gorf.",
    ]
  ) {
    for (const basin of ["sinkbasin", "washbasin", "sink"]) {
      const opening = renamed(OPENING, { sinkbasin: basin });
      const act = (seen: string): Promise<string> =>
        say("act/act", {
          Task: task,
          "What can be done": HOUSE,
          "What has happened so far": `${opening}${seen}\n>`,
        });
      assert.equal(
        await act("On the gorf 1, you see a zolbit 1."),
        "take zolbit 1 from gorf 1",
        task,
      );
      assert.equal(
        await act("Inside the gorf 1 there is a zolbit 1."),
        "take zolbit 1 from gorf 1",
        task,
      );
      assert.equal(
        await act(
          "On the gorf 1, you see a zolbit 1.\n> take zolbit 1 from gorf 1\nYou get the zolbit 1 from the gorf 1.",
        ),
        `go to ${basin} 1`,
        task,
      );
    }
  }
});

const LEVEL = `Last skill:
explore_level() was interrupted: 100 game turns have passed

Surroundings:
You are in room 1, which contains:
- stairs down at (9, 9), 4 steps away

Exits of this place:
- locked closed door at (51, 13), not passed yet, 2 steps away

Monsters:
Close monsters:
- newt at (2, 3), 1 step away

Stats:
Depth 1, turn 100, score 0, gold 0
Hit points 16 of 16
State: normal`;

Deno.test("dungeon: renamed creatures, other words for the way down and for the task lead to the same calls", () => {
  const call = (text: string, task: string): string => {
    const view = readDungeon(text);
    assert(view);
    return chooseSkill({ view, task, made: [] }).call;
  };
  for (
    const task of [
      "Go down as deep as you can.",
      "Descend the dungeon.",
      "Get as far below the surface as possible.",
      "Reach the lowermost level.",
    ]
  ) {
    assert.equal(call(renamed(LEVEL, { newt: "wug" }), task), "melee_attack(x=2, y=3)", task);
    for (
      const way of [
        "stairs down",
        "staircase down",
        "ladder leading downwards",
        "downward stairway",
      ]
    ) {
      const calm = renamed(LEVEL, { newt: "friendly wug", "stairs down": way });
      assert.equal(call(calm, task), "down()", `${task} ${way}`);
      const view = readDungeon(calm);
      assert(view);
      assert.match(dungeonGoals({ view, task, made: [] })[0]?.text ?? "", /^Take the stairs down/);
    }
  }
});

Deno.test("dungeon: what is for sale stays, whatever the currency and the seller are called", () => {
  const view = readDungeon(
    LEVEL.replace(
      "- stairs down at (9, 9), 4 steps away",
      "- a violet gem (12 glims) at (8, 8), 1 step away",
    ).replace(
      "newt",
      "peaceful wug",
    ),
  );
  assert(view);
  assert.notEqual(chooseSkill({ view, task: "Find gems.", made: [] }).call, "pickup(x=8, y=8)");
});

for (
  const mission of [
    "put the red ball next to the blue box",
    "place the red ball beside the blue box",
    "bring a red ball to the blue box",
    "take the red ball and drop it near the blue box",
  ]
) {
  Deno.test(`rooms: "${mission}" fetches the ball`, async () => {
    const grid = [
      ...Array(6).fill("Unseen; Unseen; Unseen; Empty; Unseen; Unseen; Unseen"),
      "Wall; Blue_Box; Empty; Agent; Red_Ball; Empty; Wall",
    ].join("\n");
    const plan = JSON.parse(
      await say("graphmind/plan", {
        Mission: mission,
        Observation: `${grid}\nYou are facing north.`,
        Inventory: "nothing",
      }),
    );
    assert.deepEqual(plan.subplans, ["pick_up_entity(red ball)"]);
  });
}

for (
  const [tasks, first] of [
    [
      [
        "Find the dulim.",
        "Search for the dulim and take it.",
        "Look for the dulim!",
        "Get hold of the dulim.",
        "Locate a dulim.",
      ],
      "Find the dulim.",
    ],
    [[
      "Read the recipe in the cookbook and cook the meal.",
      "Prepare the dish of the cookbook and eat it.",
    ], "Find the cookbook."],
  ] as const
) {
  for (const task of tasks) {
    Deno.test(`text game: "${task}" begins with "${first}"`, () =>
      assert.equal(goalsFor(task, new Belief())[0]?.text, first));
  }
}

Deno.test("text game: tidying is recognised in other words", () => {
  for (
    const task of [
      "Clean the house.",
      "Tidy up: things are out of place.",
      "Put everything back where it belongs.",
    ]
  ) {
    const belief = new Belief();
    for (const thing of ["toothbrush", "desk"]) {
      belief.learn({
        subject: thing,
        relation: "is in",
        object: thing === "desk" ? "study" : "desk",
      });
    }
    belief.rooms.add("study");
    assert.equal(goalsFor(task, belief)[0]?.text, "Take the toothbrush from the desk.", task);
  }
});

Deno.test("encyclopedia: one question in several words has one answer", () => {
  const facts = [["the bell", "was written by", "orla vesk"], [
    "orla vesk",
    "was born in",
    "hespby",
  ]].map((
    [subject = "", relation = "", object = ""],
  ) => ({ subject, relation, object }));
  for (
    const question of [
      "Who wrote The Bell?",
      "Who is the author of The Bell?",
      "By whom was The Bell written?",
      "Which poet wrote The Bell?",
      "Who was The Bell's author?",
    ]
  ) {
    assert.equal(followQuestion(question, facts).answer, "orla vesk", question);
  }
  for (
    const question of [
      "Where was the author of The Bell born?",
      "What is the birthplace of the person who wrote The Bell?",
      "In which town was the author of The Bell born?",
    ]
  ) {
    assert.equal(followQuestion(question, facts).answer, "hespby", question);
  }
});
