/**
 * How the offline backbone acts in dialogues: invented things and places, read back by the agents'
 * own parser.
 */

import assert from "node:assert/strict";
import { createOfflineBackbone } from "../../../lib/offline/backbone.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { parseMove } from "../../../lib/core/agent/text-agent.prompts.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";
import { parseExtracted } from "../../../lib/core/agent/wese.prompts.ts";

const HOUSE = [
  "look: describe again",
  "go to {place}: walk",
  "open {place}: open",
  "take {thing} from {place}: pick up",
  "move {thing} to {place}: put down",
  "clean {thing} with {place}: clean",
  "cool {thing} with {place}: cool",
  "use {thing}: turn on",
].join("\n");

async function say(
  role: string,
  sections: Record<string, string>,
  options: { seed?: number; system?: string } = {},
): Promise<string> {
  const model = createOfflineBackbone({
    responders: offlineResponders,
    modelOptions: { seed: options.seed ?? 0 },
  });
  const system = options.system === undefined
    ? []
    : [{ role: "system" as const, content: options.system }];
  return (await model.chat({
    role,
    messages: [...system, { role: "user", content: renderSections(sections) }],
  })).choices[0].text;
}

async function act(
  task: string,
  history: string,
  extra: Record<string, string> = {},
  seed = 0,
): Promise<string> {
  const text = await say("act/act", {
    Task: task,
    "What can be done": HOUSE,
    "What has happened so far": `${history}\n>`,
    ...extra,
  }, {
    seed,
  });
  const parsed = parseMove(text);
  assert(parsed.kind === "ok" && parsed.value.action !== undefined, text);
  return parsed.value.action;
}

const OPENING =
  "You are in the middle of a room. Looking quickly around you, you see a gorf 2, a gorf 1, a melp 1, a fridge 1, and a sinkbasin 1.";

Deno.test("errands: what has to be found is looked for where nobody has looked", async () => {
  const task = "put some zolbit on melp.";
  for (let seed = 0; seed < 5; seed++) {
    const first = await act(task, OPENING, {}, seed);
    assert.match(first, /^go to (?:gorf [12]|melp 1|fridge 1|sinkbasin 1)$/);
    const place = first.slice("go to ".length);
    const second = await act(
      task,
      `${OPENING}\n> ${first}\nYou arrive at ${place}. On the ${place}, you see a dulim 1.`,
      {},
      seed,
    );
    assert.match(second, /^go to /);
    assert.notEqual(second, first);
    assert.equal(
      await act(
        task,
        `${OPENING}\n> ${first}\nYou arrive at ${place}. The ${place} is closed.`,
        {},
        seed,
      ),
      `open ${place}`,
    );
  }
});

Deno.test("errands: a thing is taken, treated and brought, in either dialect", async () => {
  const task = "cool some zolbit and put it in gorf.";
  let history =
    `${OPENING}\n> go to melp 1\nYou arrive at loc 3. On the melp 1, you see a dulim 2, and a zolbit 1.`;
  assert.equal(await act(task, history), "take zolbit 1 from melp 1");
  history += "\n> take zolbit 1 from melp 1\nYou pick up the zolbit 1 from the melp 1.";
  assert.equal(await act(task, history), "go to fridge 1");
  history += "\n> go to fridge 1\nYou arrive at fridge 1. The fridge 1 is closed.";
  assert.equal(await act(task, history), "cool zolbit 1 with fridge 1");
  history += "\n> cool zolbit 1 with fridge 1\nYou cool the zolbit 1 using the fridge 1.";
  assert.match(await act(task, history), /^go to gorf [12]$/);
  history += "\n> go to gorf 2\nYou arrive at gorf 2. On the gorf 2, you see nothing.";
  assert.equal(await act(task, history), "move zolbit 1 to gorf 2");
});

Deno.test("errands: the second of two is sought after the first was brought, not where it lies now", async () => {
  const history =
    `${OPENING}\n> go to melp 1\nOn the melp 1, you see a zolbit 1, and a zolbit 2.\n> take zolbit 1 from melp 1\n` +
    "You pick up the zolbit 1 from the melp 1.\n> go to gorf 1\nOn the gorf 1, you see nothing.\n> put zolbit 1 in/on gorf 1\nYou put the zolbit 1 in/on the gorf 1.";
  assert.equal(await act("find two zolbit and put them in gorf.", history), "go to melp 1");
});

Deno.test("errands: something to be looked at by a light is carried to it", async () => {
  const history =
    `${OPENING}\n> go to melp 1\nOn the melp 1, you see a desklamp 1, and a zolbit 1.`;
  assert.equal(
    await act("look at zolbit under the desklamp.", history),
    "take zolbit 1 from melp 1",
  );
  const holding =
    `${history}\n> take zolbit 1 from melp 1\nYou pick up the zolbit 1 from the melp 1.`;
  assert.equal(await act("examine the zolbit with the desklamp.", holding), "use desklamp 1");
});

Deno.test("errands: what an exploration noted is gone for at once, and what is seen goes before it", async () => {
  const notes = {
    "What exploring has found out": "zolbit 3, is in, gorf 1\nmelp 1, holds, dulim 1",
  };
  assert.equal(await act("put a zolbit in melp.", OPENING, notes), "go to gorf 1");
  const there = `${OPENING}\n> go to gorf 1\nOn the gorf 1, you see nothing.`;
  assert.notEqual(await act("put a zolbit in melp.", there, notes), "take zolbit 3 from gorf 1");
});

Deno.test("errands: what came to nothing is not done again", async () => {
  const history =
    `${OPENING}\n> go to melp 1\nOn the melp 1, you see a zolbit 1.\n> take zolbit 1 from melp 1\nNothing happens.`;
  assert.notEqual(await act("put a zolbit in gorf.", history), "take zolbit 1 from melp 1");
});

Deno.test("errands: an appliance that keeps a thing is opened first, and what its door had refused is tried again", async () => {
  const task = "cool some zolbit and put it in gorf.";
  const notes = { "What exploring has found out": "zolbit 3, is in, fridge 1" };
  const history = `${OPENING}\n> go to fridge 1\nYou arrive at fridge 1. The fridge 1 is closed.`;
  assert.equal(await act(task, history, notes), "open fridge 1");
  const opened =
    "> open fridge 1\nYou open the fridge 1. The fridge 1 is open. In it, you see a zolbit 3.";
  const refused = `${history}\n> take zolbit 3 from fridge 1\nNothing happens.`;
  assert.equal(await act(task, refused, notes), "open fridge 1");
  assert.equal(await act(task, `${refused}\n${opened}`, notes), "take zolbit 3 from fridge 1");
  const holding =
    `${OPENING}\n> go to melp 1\nOn the melp 1, you see a zolbit 1.\n> take zolbit 1 from melp 1\n` +
    "You pick up the zolbit 1 from the melp 1.\n> go to fridge 1\nYou arrive at fridge 1. The fridge 1 is closed.";
  assert.equal(await act("put some zolbit in fridge.", holding), "open fridge 1");
});

const LAB = [
  "look around: look",
  "open {thing}: open",
  "go to {place}: walk",
  "focus on {thing}: point out",
].join("\n");
const explore = (task: string, history: string, notes = ""): Promise<string> =>
  say("act/act", {
    ...{ Task: task, "What can be done": LAB, "What has happened so far": `${history}\n>` },
    ...(notes === "" ? {} : { "What exploring has found out": notes }),
  });
const VURN =
  "This room is called the vurn. In it, you see: \n\tthe agent\n\ta gorf. The gorf door is closed. \nYou also see:\n\tA door to the hesp (that is closed)";

Deno.test("laboratories: who has opened something looks into it, and who has opened a door goes through it", async () => {
  const task = "Your task is to find a(n) plant. First, focus on the thing.";
  assert.equal(await explore(task, VURN), "open gorf");
  const opened = `${VURN}\n> open gorf\nThe gorf is now open.`;
  assert.equal(await explore(task, opened), "look around");
  const seen = VURN.replace("gorf door is closed. ", "gorf door is open. In the gorf is: nothing.");
  assert.equal(await explore(task, `${opened}\n> look around\n${seen}`), "open door to hesp");
  assert.equal(
    await explore(
      task,
      `${opened}\n> look around\n${seen}\n> open door to hesp\nThe door is now open.`,
    ),
    "go to hesp",
  );
});

Deno.test("laboratories: what was refused in one room is done in another, and nobody goes back to a room for it", async () => {
  const task = "Your task is to find a(n) plant. First, focus on the thing.";
  const [vurn, hesp] = ["vurn", "hesp"].map((room) =>
    `This room is called the ${room}. In it, you see: \n\tthe agent\nYou also see:\n\tA door to the ${
      room === "vurn" ? "hesp" : "vurn"
    } (that is open)` +
    (room === "vurn" ? "\n\tA door to the melp (that is open)" : "")
  );
  const refused =
    `${hesp}\n> focus on oak\nNo known action matches that input.\n> go to vurn\nYou move to the vurn.\n> look around\n${vurn}`;
  assert.equal(await explore(task, refused, "oak, is in, hesp"), "go to melp"); // the note was wrong: the oak is not in the hesp
  const there = refused.replace(
    "the agent\nYou also see:\n\tA door to the hesp",
    "the agent\n\tan oak\nYou also see:\n\tA door to the hesp",
  );
  assert.equal(await explore(task, there), "focus on oak");
});

Deno.test("laboratories: a thing in a pot that was not found yet is looked for, one without an article is seen", async () => {
  const open = VURN.replace("\n\ta gorf. The gorf door is closed. ", "").replace(
    "that is closed",
    "that is open",
  );
  assert.equal(
    await explore(
      "Your task is to find a(n) plant. First, focus on the thing.",
      open,
      "oak, is in, pot 2",
    ),
    "go to hesp",
  );
  const seen = open.replace("\n\tthe agent", "\n\tthe agent\n\tunknown dulim B");
  assert.equal(
    await explore(
      "Your task is to weigh unknown dulim B. First, focus on the unknown dulim B.",
      seen,
    ),
    "focus on unknown dulim b",
  );
});

Deno.test("nextMove() walks room by room, opens doors, focuses on a living thing before taking it", async () => {
  const lab =
    "look around: look\nopen {thing}: open\ngo to {place}: walk\nfocus on {thing}: point out\npick up {thing}: take\nmove {thing} to {container}: put";
  const task =
    "Your task is to find a(n) plant. First, focus on the thing. Then, move it to the blue box in the vurn.";
  const next = (history: string): Promise<string> =>
    say("act/act", {
      Task: task,
      "What can be done": lab,
      "What has happened so far": `${history}\n>`,
    });
  let history =
    "This room is called the vurn. In it, you see: \n\tthe agent\n\ta substance called air\n\ta blue box (containing nothing)\nYou also see:\n" +
    "\tA door to the hesp (that is closed)";
  assert.equal(await next(history), "open door to hesp");
  history += "\n> open door to hesp\nThe door is now open.\n";
  history += "> look around\n" + history.split("\n> ")[0]?.replace("closed", "open");
  assert.equal(await next(history), "go to hesp");
  history += "\n> go to hesp\nYou move to the hesp.";
  assert.equal(await next(history), "look around");
  history +=
    "\n> look around\nThis room is called the hesp. In it, you see: \n\ta zolbit tree (containing a dulim)\nYou also see:\n\tA door to the vurn (that is open)";
  assert.equal(await next(history), "focus on zolbit tree");
  history += "\n> focus on zolbit tree\nYou focus on the zolbit tree.";
  assert.equal(await next(history), "pick up zolbit tree");
  history += "\n> pick up zolbit tree\nYou move the zolbit tree to the inventory.";
  assert.equal(await next(history), "go to vurn");
  history += "\n> go to vurn\nYou move to the vurn.";
  assert.equal(await next(history), "move zolbit tree to blue box");
});

const LIBRARY =
  "search[{entity}]: look up\nlookup[{keyword}]: next sentence\nfinish[{answer}]: answer";

Deno.test("nextMove() says actions as the examples do when none are listed", async () => {
  const examples =
    "Task: put a dulim on melp.\nA room.\n> walk to melp 1\nYou are there.\n> place dulim 2 onto melp 1\nDone.\n> go to gorf 1\nYou go.";
  const history =
    `${OPENING}\n> go to melp 1\nYou arrive at melp 1. On the melp 1, you see nothing.`;
  const asked = {
    Task: "put some zolbit on melp.",
    "Examples of other tasks": examples,
    "What can be done": "",
  };
  assert.match(
    await say("act/act", { ...asked, "What has happened so far": `${history}\n>` }),
    /^go to (?:gorf [12]|fridge 1|sinkbasin 1)$/,
  );
  const seen =
    "Task: a dulim.\nA room.\n> go to vurn\nYou go.\n> look around\nA gorf.\n> look at gorf\nIt is a gorf.";
  const moved = `${
    VURN.replace("that is closed", "that is open")
  }\n> go to hesp\nYou move to the hesp.\n>`;
  const lab = {
    Task: "Your task is to find a(n) plant. First, focus on the thing.",
    "What has happened so far": moved,
  };
  assert.equal(
    await say("act/act", { ...lab, "Examples of other tasks": seen, "What can be done": "" }),
    "look around",
  );
  const pages = "Task: Question: Who?\n> search[Tarn]\nTarn is a town.";
  const question = {
    Task: "Question: Who wrote Morla?",
    "Examples of other tasks": pages,
    "What has happened so far": ">",
  };
  assert.equal(await say("act/act", question), "search[Morla]");
});

Deno.test("errands: things are taken from where they are as the examples say it when no actions are listed", async () => {
  const examples =
    "Task: put a pim on melp.\n> go to gorf 1\nYou arrive.\n> take pim 1 from gorf 1\nYou have it.\n> put pim 1 in/on melp 1\nIt is there.";
  const history =
    `${OPENING}\n> go to melp 1\nYou arrive at melp 1. On the melp 1, you see a zolbit 1.`;
  const own = { "Examples of other tasks": examples, "What can be done": "" };
  assert.equal(await act("put some zolbit on gorf.", history, own), "take zolbit 1 from melp 1");
  const carried =
    `${history}\n> take zolbit 1 from melp 1\nYou pick up the zolbit 1 from the melp 1.\n> go to gorf 1\nYou arrive at gorf 1. On the gorf 1, you see nothing.`;
  assert.equal(await act("put some zolbit on gorf.", carried, own), "put zolbit 1 in/on gorf 1");
});

Deno.test("research: one page leads to the next, and to an answer; what cannot be found is Unknown", async () => {
  const ask = (
    history: string,
    task = "Question: Where was the author of The Dulim Bell born?",
  ): Promise<string> =>
    say("act/act", {
      Task: task,
      "What can be done": LIBRARY,
      "What has happened so far": `${history}\n>`,
    });
  assert.equal(await ask(""), "search[The Dulim Bell]");
  let history =
    "> search[The Dulim Bell]\nThe Dulim Bell is a novel written by Orla Vesk in 1801..";
  assert.equal((await ask(history)).toLowerCase(), "search[orla vesk]");
  history +=
    "\n> search[orla vesk]\nOrla Vesk was a poet. She was born in Hespby and studied at Gorf College..";
  assert.equal((await ask(history)).toLowerCase(), "finish[hespby]");
  const missed = "> search[The Dulim Bell]\nCould not find The Dulim Bell. Similar: [].";
  assert.equal(await ask(missed), "finish[Unknown]");
  assert.equal(
    await ask("> search[Orla Vesk]\nOrla Vesk was a poet..", "Claim: Orla Vesk was born in Melp."),
    "finish[NOT ENOUGH INFO]",
  );
  assert.equal(
    await ask(
      "> search[Orla Vesk]\nOrla Vesk was born in Hespby..",
      "Claim: Orla Vesk was born in Melp.",
    ),
    "finish[REFUTES]",
  );
  assert.equal(
    await ask(
      "> search[Orla Vesk]\nOrla Vesk was born in Hespby..",
      "Claim: Orla Vesk was born in Hespby.",
    ),
    "finish[SUPPORTS]",
  );
});

Deno.test("nextMove() writes a thought when it changes, both lines over pages, none when unasked", async () => {
  const system = "Think in lines that begin with think: and so on";
  const sections = { Task: "put some zolbit on melp.", "What can be done": HOUSE };
  const first = await say(
    "react/act",
    { ...sections, "What has happened so far": `${OPENING}\n>` },
    { system },
  );
  assert.equal(first, "think: The zolbit has to be found.");
  const then = await say("react/act", {
    ...sections,
    "What has happened so far": `${OPENING}\n> ${first}\nOK.\n>`,
  }, { system });
  assert.match(then, /^go to /);
  const page = await say("react/act", {
    Task: "Question: Who wrote The Bell?",
    "What can be done": LIBRARY,
    "What has happened so far": ">",
  }, {
    system,
  });
  assert.match(page, /^think: .+\nsearch\[The Bell\]$/);
});

Deno.test("WESE's roles explore until the task's needs were seen, and note what was shown", async () => {
  const sections = {
    Task: "put some zolbit on melp.",
    "What can be done": HOUSE.split("\n").slice(0, 3).join("\n"),
  };
  const explore = (history: string): Promise<string> =>
    say("wese/explore", { ...sections, "What has happened so far": `${history}\n>` });
  assert.match(await explore(OPENING), /^go to /);
  assert.equal(
    await explore(`${OPENING}\n> go to gorf 1\nOn the gorf 1, you see a zolbit 1.`),
    "enough",
  );
  const triplets = parseExtracted(
    await say("wese/extract", {
      Task: "t",
      Action: "go to gorf 1",
      Observation: "You arrive at gorf 1. On the gorf 1, you see a zolbit 1, and a dulim 2.",
    }),
  );
  assert.deepEqual(triplets, {
    kind: "ok",
    value: [{ subject: "zolbit 1", relation: "is in", object: "gorf 1" }, {
      subject: "dulim 2",
      relation: "is in",
      object: "gorf 1",
    }],
  });
  const inside = await say("wese/extract", {
    Task: "t",
    Action: "open gorf 2",
    Observation:
      "You open the gorf 2. The gorf 2 is open. In it, you see a zolbit 1, and a dulim 2.",
  });
  assert.equal(inside, "zolbit 1, is in, gorf 2; dulim 2, is in, gorf 2");
  const chosen = await say("wese/task-entities", {
    Task: sections.Task,
    "Names in the graph": "dulim 2\nzolbit 1\ngorf 1\nmelp 1",
  });
  assert.deepEqual(chosen.split("\n"), ["zolbit 1", "melp 1"]);
});

Deno.test("reflexion/reflect notes where things were first seen when the trial was in a household", async () => {
  const record = [
    `Game step #1\n${OPENING}`,
    "Game step #2\nOn the melp 1, you see a zolbit 1.\nAction that led to this observation: go to melp 1",
    "Game step #3\nYou pick up the zolbit 1 from the melp 1.\nAction that led to this observation: take zolbit 1 from melp 1",
    "Game step #4\nOn the gorf 1, you see a dulim 1.\nAction that led to this observation: go to gorf 1",
    "Game step #5\nYou move the zolbit 1 to the gorf 1.\nAction that led to this observation: move zolbit 1 to gorf 1",
  ].join("\n\n");
  const lesson = await say("reflexion/reflect", {
    "Main goal": "put some zolbit on gorf.",
    "Record of the trial": record,
  });
  assert.deepEqual(lesson.split("\n"), ["zolbit 1, is in, melp 1", "dulim 1, is in, gorf 1"]);
});
