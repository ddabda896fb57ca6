import assert from "node:assert/strict";
import { reasonPlannerResponders } from "../../../lib/offline/responders/reasonplanner.ts";
import { createReasonPlanner } from "../../../lib/core/agent/reasonplanner.ts";
import type { Environment, Turn } from "../../../lib/core/env/environment.ts";
import { createAsker } from "../../../lib/core/llm/asker.ts";
import { createOfflineBackbone } from "../../../lib/offline/backbone.ts";
import {
  eventFacts,
  eventOf,
  isRefusal,
  PARTICIPLES,
  readCommand,
  readRoom,
  taskOf,
} from "../../../lib/offline/reading/scienceworld-text.ts";
import { temporalGraphResponders } from "../../../lib/offline/responders/temporal-graph.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { type Recording, recording } from "../../core/agent/recording.ts";

/**
 * A laboratory of invented things: the zorb in the vault has to be put into the kiln of the
 * gallery, then the kiln activated. The substance in the task changes from episode to episode;
 * nothing but doing it tells how it is done.
 */
function laboratory(substance: string, start: "vault" | "gallery"): Environment {
  let [place, holds, done] = [start as string, "crate", false];
  let steps = 0;
  const exits: Readonly<Record<string, string>> = { vault: "gallery", gallery: "vault" };
  const things: Readonly<Record<string, string>> = { vault: "a crate", gallery: "a kiln" };

  function turn(observation: string): Turn {
    const zorb = holds === "crate" && place === "vault" ? ". On the crate is: a zorb" : "";
    const look = `This room is called the ${place}. In it, you see: \n\t${
      things[place]
    }${zorb}.\nYou also see:\n\tA door to the ${exits[place]} (that is open)`;
    const score = done ? 100 : holds === "kiln" ? 60 : holds === "you" ? 30 : 0;
    const end = done ? { end: "won" as const } : steps >= 25 ? { end: "limit" as const } : {};
    return {
      goal: `Your task is to temper ${substance}. Nobody says how.`,
      observation,
      sections: {
        look,
        location: place,
        inventory: `In your inventory, you see:\n\t${holds === "you" ? "a zorb" : "nothing"}`,
      },
      frames: [],
      score,
      maxScore: 100,
      ...end,
    };
  }

  function act(action: string): string {
    if (action === `go to ${exits[place]}`) {
      place = exits[place] as string;
      return `You move to the ${place}.`;
    }
    if (action === "pick up zorb" && place === "vault" && holds === "crate") {
      return (holds = "you", "You move the zorb to the inventory.");
    }
    if (action === "move zorb to kiln" && place === "gallery" && holds === "you") {
      return (holds = "kiln", "You move the zorb to the kiln.");
    }
    if (action === "activate kiln" && place === "gallery" && holds === "kiln") {
      return (done = true, "The kiln is now activated.");
    }
    return action === "look around"
      ? turn("").sections["look"] ?? ""
      : "No known action matches that input.";
  }

  return {
    spec: {
      ...{
        id: "test/laboratory",
        version: "1",
        parameters: { stepLimit: 25 },
        sections: ["look", "inventory", "location"],
      },
      actions: [{
        name: "go to {place}",
        params: ["place"],
        description: "walk there",
        explores: true,
      }],
      ...{ fallback: "look around", identity: "laboratory" },
    },
    reset: () => Promise.resolve(turn(turn("").sections["look"] ?? "")),
    step: (action) => {
      steps += 1;
      const said = act(action);
      return Promise.resolve(turn(said));
    },
    validActions: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

type Artefact = NonNullable<
  Awaited<ReturnType<ReturnType<typeof createReasonPlanner>["run"]>>["artefact"]
>;

async function play(
  world: Environment,
  given: { readonly goldPath?: readonly string[]; readonly artefact?: Artefact },
  options = {},
): Promise<{ score: number; record: Recording; artefact: Artefact | undefined }> {
  const record = recording();
  const { passes, artefact } = await createReasonPlanner(options).run({
    world: () => Promise.resolve(world),
    ask: createAsker({
      model: createOfflineBackbone({
        responders: [...temporalGraphResponders, ...reasonPlannerResponders],
      }),
    }),
    embedder: createLexicalEmbedder(),
    recorder: record.recorder,
    seed: 1,
    ...given,
  });
  return { score: passes[0]?.score ?? 0, record, artefact };
}

const GOLD = ["pick up zorb", "go to gallery", "move zorb to kiln", "activate kiln"];

Deno.test("offline ReasonPlanner repeats what training taught for another substance and place", async () => {
  const trained = await play(laboratory("glim", "vault"), { goldPath: GOLD });
  assert.equal(trained.score, 100);
  const artefact = JSON.parse(JSON.stringify(trained.artefact)) as Artefact;

  const with_ = await play(laboratory("frell", "gallery"), { artefact });
  assert.equal(with_.score, 100, JSON.stringify(with_.record.steps.map(({ action }) => action)));
  const untrained = await play(laboratory("frell", "gallery"), {});
  assert.equal(untrained.score, 0);
  assert.ok(untrained.record.events.some(({ kind }) => kind === "exploration"));
  const without = await play(laboratory("frell", "gallery"), { artefact }, { worldModel: false });
  assert.equal(without.score, 0);
  for (const { record } of [with_, untrained, without]) {
    assert.deepEqual(record.events.filter(({ kind }) => kind === "malformed-reply"), []);
  }
});

Deno.test("a command comes back from the facts that it left", () => {
  for (
    const command of [
      "move zorb to kiln",
      "pick up zorb",
      "focus on blue glim",
      "use probe on frell",
      "connect left end to lamp",
      "wait",
    ]
  ) {
    const read = readCommand(command);
    assert.ok(read, command);
    assert.deepEqual(eventOf(eventFacts(read, { task: "temper glim", place: "vault" })), {
      action: command,
      task: "temper glim",
      place: "vault",
    });
  }
  assert.deepEqual(readCommand("use probe in inventory on frell"), {
    verb: "use",
    thing: "probe",
    preposition: "on",
    other: "frell",
  });
  const moved = { verb: "move", thing: "glim egg", preposition: "to", other: "red box" };
  assert.deepEqual(readCommand("move glim egg in inventory to red box"), moved);
  assert.deepEqual(readCommand("move glim in the jar to pot 1"), {
    ...moved,
    thing: "glim in the jar",
    other: "pot 1",
  });
  assert.equal(readCommand("frobnicate the zorb"), undefined);
  assert.equal(eventOf([{ subject: "zorb", relation: "is in", object: "vault" }]), undefined);
  assert.equal(new Set(Object.values(PARTICIPLES)).size, Object.keys(PARTICIPLES).length); // each way back is one
});

Deno.test("rooms are read as a reader would: what is in what, states, exits; brackets hold lists", () => {
  const { place, exits, things, facts } = readRoom(
    "This room is called the round vault. In it, you see: \n\tthe agent\n\ta crate. On the crate is: a zorb (containing red glim, a lid), a rod.\n" +
      "\ta tap, which is turned off. In the tap is: nothing.\n\tunknown glim B\n\ta pot (containing a frell in the adult stage. On the frell you see: a bud. , soil)\n\ta chest. The chest door is closed. \nYou also see:\n\tA door to the gallery (that is open)",
  );
  assert.deepEqual([place, exits], ["round vault", ["gallery"]]);
  assert.deepEqual(things, [
    "crate",
    "zorb",
    "red glim",
    "lid",
    "rod",
    "tap",
    "unknown glim b",
    "pot",
    "frell",
    "bud",
    "soil",
    "chest",
  ]);
  const told = facts.map(({ subject, relation, object }) => `${subject} ${relation} ${object}`);
  for (
    const fact of [
      ...[
        "crate is in round vault",
        "zorb is on crate",
        "lid is in zorb",
        "rod is on crate",
        "tap is turned off",
        "chest is closed",
      ],
      ...["pot is in round vault", "frell is in pot", "bud is on frell", "soil is in pot"],
      ...["round vault leads to gallery", "door to gallery is open"],
    ]
  ) assert.ok(told.includes(fact), `${fact} in ${told.join("; ")}`);
});

Deno.test("tasks and refusals are known by their words", () => {
  assert.equal(
    taskOf("Your task is to find a(n) blue thing. First, focus on it."),
    "find a blue thing",
  );
  assert.equal(taskOf("Your task is to weigh glim, which is around the vault."), "weigh glim");
  for (
    const said of [
      "No known action matches that input.",
      "You can't do that.",
      "The kiln appears broken.",
    ]
  ) {
    assert.ok(isRefusal(said), said);
  }
  for (const said of ["You move the zorb to the kiln.", "The kiln is now activated."]) {
    assert.ok(!isRefusal(said), said);
  }
});
