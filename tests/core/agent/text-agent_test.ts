/**
 * The loop of the text agents: what is sent to the world and what is not, what an answer is taken
 * for, and when a play ends.
 */

import assert from "node:assert/strict";
import {
  connectWorlds,
  experiment,
  listEpisodes,
  listTurns,
  localProvider,
  openStore,
  playStudy,
} from "../../../lib/mod.ts";
import {
  type ChatRequest,
  createAct,
  createAsker,
  createReact,
  createReactReflexion,
  createSaycan,
  type Method,
  scripted,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import { SWIFTSAGE_RULES } from "../../../lib/core/agent/text-agent-options.ts";
import { textPrompt } from "../../../lib/core/agent/text-agent.prompts.ts";
import { formatEntry } from "../../../lib/core/agent/text-history.ts";
import { testWordings } from "../memory/snapshot.ts";
import { type Played, playTiny } from "./play-tiny.ts";
import { recording } from "./recording.ts";
import { tinyWorld } from "./tiny-world.ts";

async function play(
  method: Method,
  replies: readonly string[] | ((request: ChatRequest) => string),
  world: Parameters<typeof tinyWorld>[0] = {},
): Promise<Played> {
  let asked = 0;
  return await playTiny(method, {
    "*": typeof replies === "function"
      ? replies
      : () => replies[Math.min(asked++, replies.length - 1)] ?? "look",
    "reflexion/reflect": () => "Go to the attic and wait there.",
  }, { world });
}

function shown({ requests }: Played, index: number): Record<string, string> {
  return readSections(String(requests.at(index)?.messages.at(1)?.content));
}

const WALK = ["go north", "go north", "wait"];

Deno.test("act sends each line to the world and wins by it", async () => {
  const played = await play(createAct(), WALK);
  assert.deepEqual(played.outcome.passes, [{
    kind: "only",
    score: 1,
    maxScore: 1,
    steps: 3,
    end: "won",
  }]);
  assert.deepEqual(played.worlds[0]?.taken, WALK);
  assert.equal(
    shown(played, -1)["What has happened so far"],
    "-= Hall =-\nThere is an exit to the north.\n> go north\n-= Kitchen =-\nThere is an exit to the north. There is an exit to the south.\n" +
      "> go north\n-= Attic =-\nThere is an exit to the south.\n>",
  );
});

Deno.test("createReact() keeps thoughts from the world, counts them and shows OK.", async () => {
  const played = await play(createReact(), [
    "think: The attic is up.",
    "go north",
    "think: One more.\ngo north",
    "wait",
  ]);
  assert.deepEqual(played.worlds[0]?.taken, WALK);
  assert.deepEqual(played.outcome.passes[0]?.steps, 4);
  assert.deepEqual(played.steps.map(({ action }) => action), [
    undefined,
    "think: The attic is up.",
    "go north",
    "go north",
    "wait",
  ]);
  assert.equal(played.steps[1]?.turn.observation, "OK.");
  assert.match(
    shown(played, -1)["What has happened so far"] ?? "",
    /> think: The attic is up\.\nOK\.\n> go north\n[^>]*> think: One more\.\nOK\.\n/,
  );
});

Deno.test("createReact() acts when the model continues the dialogue after its thought", async () => {
  const onward = "think: The attic is up.\nOK.\n> go north\n-= Kitchen =-";
  const played = await play(createReact(), [onward, "think: Hm.\nOK.", "OK.", "go north", "wait"]);
  assert.deepEqual(played.worlds[0]?.taken, ["go north", "look", "go north", "wait"]); // OK. alone is no possible action
  assert.deepEqual(played.steps.map(({ action }) => action), [
    undefined,
    "go north",
    "think: Hm.",
    "look",
    "go north",
    "wait",
  ]);
});

Deno.test("a reply ends where the world's turn begins, and actions are listed where no example shows them", async () => {
  const played = await play(createReact(), WALK);
  assert.deepEqual(played.requests[0]?.sampling, {
    temperature: 0,
    maxTokens: 200,
    stop: ["\n>", "\nObs"],
  });
  assert.equal(shown(played, 0)["Examples of other tasks"], "");
  assert.equal(typeof shown(played, 0)["What can be done"], "string");
  assert.equal(
    shown(await play(createReact({ actions: "none" }), WALK), 0)["What can be done"],
    undefined,
  );
});

Deno.test("createSaycan() asks once for five candidates and takes the first possible one", async () => {
  const model = scripted({
    "saycan/act": [{
      choices: ["fly", "go up", "go north", "look", "wait"].map((text) => ({
        text,
        finish: "stop" as const,
      })) as never,
    }, {
      choices: [{ text: "head to the north", finish: "stop" }, {
        text: "north, go",
        finish: "stop",
      }],
    }],
  });
  const world = tinyWorld();
  const { recorder } = recording();
  await createSaycan({ maxSteps: 2 }).run({
    world: () => Promise.resolve(world),
    ask: createAsker({ model }),
    embedder: createLexicalEmbedder(),
    recorder,
    seed: 1,
  });
  assert.deepEqual(world.taken, ["go north", "go north"]); // the second one as the nearest to both
  assert.deepEqual(model.requests.map(({ n, sampling }) => [n, sampling?.temperature]), [[5, 0.5], [
    5,
    0.5,
  ]]);
});

Deno.test("SWIFTSAGE_RULES end a play in circles, and bar doors and the last three actions", async () => {
  const played = await play(
    createReact({ ...SWIFTSAGE_RULES, grounding: "none", filter: "none" }),
    (request) => {
      const history =
        readSections(String(request.messages.at(1)?.content))["What has happened so far"] ?? "";
      return /-= Kitchen =-[^=]*$/.test(history) ? "go south" : "go north";
    },
  );
  assert.deepEqual(played.outcome.passes, [{
    kind: "only",
    score: 0,
    maxScore: 1,
    steps: 5,
    end: "limit",
  }]);
  assert.deepEqual(played.events, ["0 stopped-loop"]);
  assert.equal(shown(played, 0)["What can be done"], undefined); // no list of actions, as SwiftSage shows none
});

Deno.test("createAct() cuts an overlong action in the history and where the world repeats it", () => {
  const long = "😀x".repeat(200);
  assert.equal(
    formatEntry({ action: long, observation: `I know no ${long}, but I know "x".` }),
    `> ${"😀x".repeat(100)}… (300 more characters)\nI know no ${
      "😀x".repeat(100)
    }… (300 more characters), but I know "x".`,
  );
  for (
    const action of ["a".repeat(500), `think: ${"a".repeat(600)}`, `think[${"a".repeat(600)}]`]
  ) {
    assert.equal(formatEntry({ action, observation: `No ${action}` }), `> ${action}\nNo ${action}`);
  }
  assert.match(
    formatEntry({ action: `finish[${"$&".repeat(300)}]`, observation: "$&".repeat(300) }),
    /\n(\$&){100}… \(400 more characters\)$/,
  );
  const prose = `I say ${"x".repeat(600)}`;
  const cut = `say ${"x".repeat(194)}… (406 more characters)`;
  assert.equal(
    formatEntry({ action: `${prose}\n`, observation: `Invalid action: i${prose.slice(1)}` }),
    `> I ${cut}\nInvalid action: i ${cut}`,
  );
});

Deno.test("createReactReflexion() shows lessons in fresh worlds, and marks the best trial", async () => {
  const played = await play(
    createReactReflexion({ trials: 4, maxSteps: 3 }),
    (request) => {
      const {
        "Lessons from earlier trials": lessons = "",
        "What has happened so far": history = "",
      } = readSections(
        String(request.messages.at(1)?.content),
      );
      return lessons === "" ? "wait" : WALK[history.split("\n> ").length - 1] ?? "look";
    },
  );
  assert.deepEqual(played.outcome.passes, [
    { kind: "trial", score: 0, maxScore: 1, steps: 3, end: "limit" },
    { kind: "trial", score: 1, maxScore: 1, steps: 3, end: "won", counts: true },
  ]);
  assert.equal(played.worlds.length, 2);
  assert.deepEqual(played.outcome.artefact?.body, { lessons: ["Go to the attic and wait there."] });
  const reflected = played.requests.find(({ role }) => role === "reflexion/reflect");
  assert.match(
    String(reflected?.messages.at(1)?.content),
    /0 of 1 points after 3 steps[\s\S]*Action that led to this observation: wait/,
  );
});

testWordings({
  "text-agent-act": textPrompt({ role: "act/act", thoughts: false }),
  "text-agent-react": textPrompt({ role: "react/act", thoughts: true }),
});

Deno.test("an action is taken whatever its case, article and full stop, though the prompt lists none", async () => {
  const worlds = connectWorlds();
  using store = openStore(":memory:");
  try {
    const model = scripted(["Go to the cabinet 1.", "go to cabinet 2"], { id: "loose" });
    const study = experiment({
      id: "loose",
      worlds: ["alfworld"],
      methods: ["act"],
      models: { "*": "loose" },
      steps: 2,
    });
    await playStudy(study, { store, worlds, providers: [localProvider(model)] });
    const [{ id = "" } = {}] = listEpisodes(store, { study: "loose" });
    const [, first, second] = listTurns(store, id);
    assert.deepEqual([first?.action, second?.action], ["go to cabinet 1", "go to cabinet 2"]);
    assert.match(first?.observation ?? "", /You arrive at cabinet 1/);
  } finally {
    await worlds.close();
  }
});
