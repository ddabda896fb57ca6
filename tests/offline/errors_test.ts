import assert from "node:assert/strict";
import type { Provider } from "../../lib/core/llm/provider.ts";
import { EXTRACTION_ERROR_RULES, NO_ERRORS } from "../../lib/offline/errors.ts";
import { createOfflineProvider, createSimulatedProvider } from "../../lib/offline/provider.ts";

const GRID = (last: string): string =>
  `Unseen; Wall; Wall\nUnseen; Red_Open_Door; Wall\nUnseen; Agent; Empty\n${last}`;
const PASSED =
  `Observation 0\n${
    GRID("You are facing north.")
  }\n\nAction 0: forward\n\nObservation 1\nUnseen; Wall; Wall\nUnseen; Empty; Wall\n` +
  "Wall; Agent; Wall\nYou are facing north.\n\nAction 1: forward\n\nObservation 2\nWall; Wall; Wall\nUnseen; Empty; Grey_Box\nUnseen; Agent; Empty\n" +
  "You are facing north.";
const TURNED = `Observation 0\n${
  GRID("You are facing north.")
}\n\nAction 0: left\n\nObservation 1\n${GRID("You are facing west.")}`;

const SCENE =
  "Game step #1\n-= Hall =-\nYou are in a hall. You see a chest. You see a desk. On the desk you see a note.\n" +
  "Inventory: You are carrying nothing.";

/** A role, its sections, and a reply that no error makes. */
interface Case {
  readonly role: string;
  readonly sections: Readonly<Record<string, string>>;
}

const CASES: Readonly<Record<keyof typeof NO_ERRORS, Case>> = {
  missedTriplet: { role: "arigraph/extract", sections: { Observation: SCENE } },
  wrongTriplet: { role: "arigraph/extract", sections: { Observation: SCENE } },
  missedDoor: { role: "graphmind/verify-transition", sections: { Trajectory: PASSED } },
  rotationAsPassage: { role: "graphmind/verify-transition", sections: { Trajectory: TURNED } },
};

/** A passage through the red door, of which the map says where it leads. */
const LOCATED: Case = {
  role: "graphmind/locate",
  sections: {
    "Rooms list":
      "Room 1 contains red door (north). Passed doors: red door (north) to room 2.\nRoom 2 contains none. Passed doors: none.",
    "Previous room": "Room 1",
    "Observed entities": "Entities: none",
  },
};

async function reply(model: string, { role, sections }: Case): Promise<string> {
  const content = Object.entries(sections).map(([title, text]) => `### ${title}\n${text}`).join(
    "\n\n",
  );
  const provider = model === "offline" ? createOfflineProvider() : createSimulatedProvider();
  const opened = provider.open(model, {}, { attempt: 1 });
  return (await opened.model.chat({ role, messages: [{ role: "user", content }] })).choices[0].text;
}

for (const [error, given] of Object.entries(CASES)) {
  const name = error.replaceAll(/[A-Z]/g, "-$&").toLowerCase();
  Deno.test(`${name} changes the reply of ${given.role} at 100 percent, and none at 0`, async () => {
    const right = await reply("offline", given);
    assert.equal(await reply("sim:perfect", given), right);
    assert.equal(await reply(`sim:perfect,${name}=0`, given), right);
    const wrong = await reply(`sim:perfect,${name}=100`, given);
    assert.notEqual(wrong, right);
    assert.equal(await reply(`sim:perfect,${name}=100`, given), wrong);
    for (
      const other of Object.keys(NO_ERRORS).filter((each) =>
        CASES[each as keyof typeof NO_ERRORS].role !== given.role
      )
    ) {
      const knob = other.replaceAll(/[A-Z]/g, "-$&").toLowerCase();
      assert.equal(
        await reply(`sim:perfect,${knob}=100`, given),
        right,
        `${knob} changes ${given.role}`,
      );
    }
  });
}

Deno.test("a turn that is taken for a passage leads through the door in view, and none is where no door is in view", async () => {
  const wrong = async (trajectory: string): Promise<Record<string, unknown>> =>
    JSON.parse(
      await reply("sim:perfect,rotation-as-passage=100", {
        ...CASES.rotationAsPassage,
        sections: { Trajectory: trajectory },
      }),
    );
  const seen = await wrong(TURNED);
  assert.deepEqual([seen["check_pass_door"], seen["connected_door"]], [true, "red door"]);
  const Passage = `The agent has passed the ${seen["connected_door"]}, going ${
    seen["door_direction"]
  }.`;
  const located = JSON.parse(
    await reply("offline", { role: LOCATED.role, sections: { ...LOCATED.sections, Passage } }),
  );
  assert.notEqual(located.current_graph_node_id, 1, "the agent is taken to have stayed");
  assert.equal(
    (await wrong(TURNED.replaceAll("Red_Open_Door", "Empty")))["check_pass_door"],
    false,
  );
});

/** The role of each memory that extracts, and the section that its text stands in. */
const EXTRACTIONS = {
  "arigraph/extract-paragraph": "Paragraph",
  "hipporag/triplets": "Text",
  "graphiti/extract": "Text",
  "mem0/extract": "Newest action and observation",
};

Deno.test("a triplet that is alone in its reply is wrong, too, whichever memory extracts it", async () => {
  for (const [role, section] of Object.entries(EXTRACTIONS)) {
    const given = { role, sections: { [section]: "Ida Moor\nIda Moor was born in Warsaw." } };
    const right = await reply("offline", given);
    assert.match(right, /ida moor.*warsaw/i, `${role} reads nothing: ${right}`);
    const wrong = await reply("sim:perfect,wrong-triplet=100", given);
    assert.match(wrong, /warsaw.*ida moor/i, `${role}: ${wrong}`);
    assert.equal(wrong.length, right.length, `${role} gives the same triplets otherwise: ${wrong}`);
  }
});

Deno.test("which triplet is missed follows from the triplet: a better player extracts all that a worse one does", async () => {
  const content = `### Observation\n${SCENE}`;
  const facts = async (name: string, attempt: number): Promise<string[]> => {
    const { model } = createSimulatedProvider().open(`sim:${name},missed-triplet=50`, {}, {
      attempt,
    });
    return (await model.chat({ role: "arigraph/extract", messages: [{ role: "user", content }] }))
      .choices[0].text.split("; ");
  };
  let differ = 0;
  for (let attempt = 1; attempt <= 60; attempt++) {
    const [worse, better] = await Promise.all([facts("77", attempt), facts("99", attempt)]);
    assert.deepEqual(
      worse.filter((fact) => fact !== "[]" && !better.includes(fact)),
      [],
      `attempt ${attempt}`,
    );
    if (worse.length < better.length) differ++;
  }
  assert.ok(differ > 5, `the players differ in ${differ} of 60 attempts`);
});

Deno.test("the rules of missed and wrong triplets are part of the identity of those that commit such errors alone", () => {
  const rulesOf = (provider: Provider, models: string[]): unknown =>
    provider.identity?.({}, models)["extractionErrorRules"];
  for (const model of ["sim:99,missed-triplet=5", "sim:perfect,wrong-triplet=5"]) {
    assert.equal(
      rulesOf(createSimulatedProvider(), ["sim:99", model]),
      EXTRACTION_ERROR_RULES,
      model,
    );
  }
  assert.equal(
    rulesOf(createOfflineProvider(), ["offline", "offline-weak"]),
    EXTRACTION_ERROR_RULES,
  );
  assert.equal(
    rulesOf(createSimulatedProvider(), ["sim:99", "sim:perfect,missed-door=5,missed-triplet=0"]),
    undefined,
  );
  assert.equal(rulesOf(createOfflineProvider(), ["offline", "offline-w500"]), undefined);
});
