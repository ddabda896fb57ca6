import assert from "node:assert/strict";
import { createNetPlay } from "../../../lib/core/agent/netplay.ts";
import { formatSkills, parseSkill } from "../../../lib/core/agent/netplay.prompts.ts";
import type { ActionSpec, Environment, Turn } from "../../../lib/core/env/environment.ts";
import { WorldError } from "../../../lib/core/errors.ts";
import { scripted, type ScriptedModel } from "../../../lib/core/llm/scripted.ts";
import { countTokens } from "../../../lib/core/text/tokens.ts";
import { sectionsOf } from "../memory/house.ts";
import { type Recording, recording, worldless } from "./recording.ts";

const SKILLS: readonly ActionSpec[] = [
  { name: "explore_level()", params: [], description: "explore this level", explores: true },
  {
    name: "move_to(x={x}, y={y})",
    params: ["x", "y"],
    description: "walk to a cell (x: integer, y: integer)",
    explores: false,
  },
  {
    name: "press_key(key={key})",
    params: ["key"],
    description: "press one key (key: string)",
    explores: false,
  },
];

/** A world that takes calls of the skills, but for x = 99, and says of each what became of it. */
function skillWorld(
  options: { readonly popupAt?: number; readonly words?: number } = {},
): Environment & { readonly taken: string[] } {
  const taken: string[] = [];
  const turn = (result: string): Turn => ({
    goal: "Go down.",
    observation: `Last skill:\n${result}`,
    sections: {
      result,
      message: "word ".repeat(options.words ?? 1).trim(),
      events: "",
      popup: taken.length === options.popupAt ? "Really?" : "",
    },
    frames: [],
    score: taken.length,
    maxScore: 100,
  });
  return {
    taken,
    spec: {
      id: "test/skills",
      version: "1",
      parameters: { maxCalls: 6 },
      sections: [],
      actions: SKILLS,
      fallback: "explore_level()",
      identity: "0",
    },
    reset: () => Promise.resolve(turn("")),
    step: (action) => {
      if (action.includes("99")) {
        return Promise.reject(new WorldError("bad-action", "x is at most 78"));
      }
      taken.push(action);
      return Promise.resolve(turn(`call ${taken.length}: done`));
    },
    validActions: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}

const choice = (skill: unknown): string =>
  JSON.stringify({ thoughts: { reasoning: "because" }, skill });

async function play(
  world: Environment,
  replies: readonly string[],
  options = {},
): Promise<
  {
    readonly record: Recording;
    readonly model: ScriptedModel;
    readonly sections: Record<string, string>[];
    readonly steps: number;
  }
> {
  let at = 0;
  const model = scripted({
    "netplay/skill": () => replies[Math.min(at++, replies.length - 1)] ?? "",
  });
  const record = recording();
  const { passes } = await createNetPlay(options).run({
    world: () => Promise.resolve(world),
    ...worldless(model, record),
  });
  const sections = model.requests.map(sectionsOf);
  return { record, model, sections, steps: passes[0]?.steps ?? 0 };
}

Deno.test("parseSkill() reads calls of every kind, leaves out what is null, and counts a parameter that the skill lacks", () => {
  const call = (text: string): unknown => {
    const reading = parseSkill(SKILLS)(text);
    if (reading.kind !== "ok") return reading.problem;
    return reading.dropped ? [reading.value.call, reading.dropped] : reading.value.call;
  };
  for (
    const skill of [
      ...["move_to(3, 5)", "move_to(x=3, y=5)", "move_to((3, 5))", "move_to(x: 3, y: 5)"],
      { name: "move_to", x: 3, y: 5 },
      { name: "move_to", params: { x: 3, y: 5 } },
      { name: "move_to", arguments: { x: 3, y: 5 } },
      { name: "move_to", args: [3, 5] },
    ]
  ) assert.equal(call(choice(skill)), "move_to(x=3, y=5)", JSON.stringify(skill));
  for (const beside of ['"x": 3, "y": 5', '"parameters": {"x": 3, "y": 5}']) {
    assert.equal(call(`{"thoughts": {}, "skill": "move_to", ${beside}}`), "move_to(x=3, y=5)");
  }
  const cases: [unknown, unknown][] = [
    [{ name: "explore_level", count: 1 }, ["explore_level()", 1]],
    [{ name: "explore_level", x: null }, "explore_level()"],
    ["explore_level", "explore_level()"],
    ["press_key(y)", 'press_key(key="y")'],
    [{ name: "press_key", key: 'say "y"' }, 'press_key(key="say \\"y\\"")'],
    [{ name: "fly" }, 'there is no skill "fly"; there are explore_level, move_to, press_key'],
    [{ name: "move_to", z: 1 }, 'move_to has no parameter "z"; its parameters are x, y'],
  ];
  for (const [skill, told] of cases) assert.deepEqual(call(choice(skill)), told);
  assert.equal(call(`Well: ${choice("explore_level")}`), "explore_level()");
  assert.match(
    String(call(choice({ name: "move_to", x: [1], y: 2 }))),
    /^move_to: x must be a num/,
  );
  for (const skill of ["move_to(3, 5, 7)", { x: 3 }]) {
    assert.equal(parseSkill(SKILLS)(choice(skill)).kind, "malformed");
  }
  assert.match(String(call("{}")), /skill/);
  assert.match(String(call("x".repeat(20_001))), /20001 characters/);
});

Deno.test("NetPlay shows task, history, situation and skills, and what came of the last skill once", async () => {
  const { sections, steps, record } = await play(skillWorld(), [
    choice({ name: "move_to", x: 1, y: 2 }),
  ]);
  assert.equal(steps, 6, "the world's maxCalls is the limit");
  assert.deepEqual(Object.keys(sections[0] ?? {}), [
    "Task",
    "What has happened so far",
    "Current situation",
    "Skills",
  ]);
  assert.equal(sections[0]?.["Task"], "Go down.");
  assert.equal(sections[0]?.["Skills"], formatSkills(SKILLS));
  assert.match(
    formatSkills(SKILLS),
    /^- explore_level: explore this level\n- move_to: walk to a cell \(x: integer, y: integer\)\n/,
  );
  assert.equal(sections[1]?.["What has happened so far"], "");
  assert.equal(sections[1]?.["Current situation"], "Last skill:\ncall 1: done");
  assert.equal(
    sections[2]?.["What has happened so far"],
    "> move_to(x=1, y=2)\ncall 1: done\nword",
  );
  assert.deepEqual(record.steps[1]?.details, { observations: "", reasoning: "because", speak: "" });
});

Deno.test("NetPlay's history holds 500 tokens at most, the latest", async () => {
  const { sections } = await play(skillWorld({ words: 150 }), [choice({ name: "explore_level" })]);
  const last = sections.at(-1)?.["What has happened so far"] ?? "";
  assert.ok(await countTokens(last) <= 500);
  assert.deepEqual([...last.matchAll(/call (\d)/g)].map(([, number]) => number), ["2", "3", "4"]);
  // What parts two entries counts, too.
  const entry = "> explore_level()\ncall 1: done\nword";
  const two = await countTokens(`${entry}\n\n${entry}`);
  for (const [historyTokens, numbers] of [[two, ["3", "4"]], [two - 1, ["4"]]] as const) {
    const { sections: tight } = await play(skillWorld(), [choice({ name: "explore_level" })], {
      historyTokens,
    });
    const shown = tight.at(-1)?.["What has happened so far"] ?? "";
    assert.deepEqual([...shown.matchAll(/call (\d)/g)].map(([, number]) => number), numbers);
  }
  const { sections: none } = await play(skillWorld(), [choice({ name: "explore_level" })], {
    historyTokens: 0,
  });
  assert.ok(none.every((shown) => shown["What has happened so far"] === ""));
});

Deno.test("createNetPlay() tells the model why a call was refused, and falls back in the end", async () => {
  const world = skillWorld();
  const bad = choice({ name: "move_to", x: 99, y: 2 });
  const { sections, record } = await play(world, [bad, choice({ name: "move_to", x: 3, y: 2 })], {
    maxSteps: 1,
  });
  assert.deepEqual(world.taken, ["move_to(x=3, y=2)"]);
  assert.equal(sections[1]?.["What has happened so far"], "> move_to(x=99, y=2)\nx is at most 78");
  assert.deepEqual(record.events.map(({ kind }) => kind), ["invalid-action"]);

  const stubborn = skillWorld();
  const kept = await play(stubborn, [bad], { maxSteps: 1, reAsks: 1 });
  assert.deepEqual(stubborn.taken, ["explore_level()"]);
  assert.deepEqual(kept.record.events.map(({ kind }) => kind), [
    "invalid-action",
    "invalid-action",
    "fallback",
  ]);
});

Deno.test("NetPlay offers only the skills that answer while the game asks something", async () => {
  const { sections } = await play(
    skillWorld({ popupAt: 1 }),
    [choice({ name: "explore_level" }), choice({ name: "press_key", key: "y" })],
    {
      maxSteps: 2,
    },
  );
  assert.equal(sections[1]?.["Skills"], "- press_key: press one key (key: string)");
});
