/** What every memory keeps to. */

import assert from "node:assert/strict";
import type { Cue, Memory, MemoryFactory, Perception } from "../../../lib/mod.ts";
import { normaliseEntity } from "../../../lib/core/graph/triplet.ts";
import type { ScriptedResponder } from "../../../lib/core/llm/scripted.ts";
import { context, READER, WALK } from "./house.ts";

/** Replies that no prompt asks for. */
const NONSENSE: readonly string[] = [
  "",
  "   \n",
  "I am sorry, but I cannot help with that.",
  "Je ne sais pas; la clé est peut-être ici -> là-bas, non ?",
  "钥匙在桌子上。房间里有一个箱子。",
  "{{{{[[[[ -> -> ]] }}",
  "null",
  "[1, 2, 3]",
  '{"kitchen": "very", "hall": null}',
  "a, b, c; ".repeat(11_000), // 100 kB that reads like an answer
  "lorem ipsum ".repeat(9_000),
];

/** Roles that are answered in plain text, so that only its length can be wrong. */
const TAKES_ANY_TEXT = ["summary/rewrite"];

/**
 * Registers the checks as tests under the memory's name; one that `keeps` nothing is not asked what
 * it remembers.
 */
export function memorySpec(
  name: string,
  create: MemoryFactory,
  { replies = READER, keeps = true }: {
    readonly replies?: Readonly<Record<string, ScriptedResponder>>;
    readonly keeps?: boolean;
  } = {},
): void {
  async function walk(memory: Memory, steps: readonly Perception[] = WALK): Promise<string> {
    const told = [];
    for (const perception of steps) {
      await memory.observe(perception);
      told.push(await memory.recall(cueOf(perception)));
    }
    return JSON.stringify(told);
  }

  Deno.test(`${name}: remembers a walk, the same in every instance`, async () => {
    const told = await walk(create(context(replies)));
    assert.equal(told.toLowerCase().includes("chest"), keeps);
    assert.equal(await walk(create(context(replies))), told);
  });

  Deno.test(`${name}: recalls text under titles, and does not change by recalling`, async () => {
    const memory = create(context(replies));
    await walk(memory);
    const before = JSON.stringify(memory.save());
    const { sections } = await memory.recall(cueOf(WALK.at(-1) as Perception));
    assert.equal(Object.keys(sections).length > 0, keeps);
    for (const [title, text] of Object.entries(sections)) {
      assert(/^[A-Z][^\n#]*$/.test(title));
      assert.equal(typeof text, "string");
    }
    assert.equal(JSON.stringify(memory.save()), before);
  });

  Deno.test(`${name}: goes on from its artefact as if it had never stopped`, async () => {
    const memory = create(context(replies));
    await walk(memory);
    const artefact = JSON.parse(JSON.stringify(memory.save()));
    const copy = create(context(replies));
    copy.load(artefact);
    assert.deepEqual(copy.save(), memory.save());
    assert.deepEqual(copy.graph?.triplets(), memory.graph?.triplets());
    const recalled = JSON.stringify(
      await copy.recall({ ...cueOf(WALK[0] as Perception), plan: "Open the chest with the key." }),
    );
    assert.equal(recalled.toLowerCase().includes("key"), keeps);
  });

  Deno.test(`${name}: refuses the artefact of another memory or a broken one`, () => {
    const memory = create(context(replies));
    const { kind } = memory.save();
    for (
      const artefact of [{ kind: "elephant", body: memory.save().body }, { kind, body: 7 }, {
        kind,
        body: { graph: [] },
      }]
    ) {
      assert.throws(
        () => memory.load(artefact),
        (error: Error) => error instanceof TypeError && !error.message.includes("\n"),
      );
    }
  });

  Deno.test(`${name}: stands nonsense from its models, and tells of it`, async () => {
    for (const reply of NONSENSE) {
      const asked = context({ "*": () => reply });
      const memory = create(asked);
      await walk(memory, WALK.slice(0, 3));
      for (const event of asked.events) assert(!event.includes("\n") && event.length < 500);
      const isText = reply.trim() !== "" && reply.length < 1000;
      const takesText = asked.requests.every(({ role }) => TAKES_ANY_TEXT.includes(role));
      const readable = asked.requests.length === 0 || /^(a, b, c|\[1)/.test(reply) ||
        (takesText && isText);
      assert(asked.events.length > 0 || readable, JSON.stringify(reply.slice(0, 40)));
      assert(JSON.stringify(memory.save()).length < 50_000);
    }
  });

  Deno.test(`${name}: its ways lead from here to other known places`, async () => {
    const memory = create(context(replies));
    for (const perception of WALK) {
      await memory.observe(perception);
      const here = normaliseEntity(perception.location ?? "");
      for (const place of memory.navigation?.destinations() ?? []) {
        assert.notEqual(place, here);
        assert((memory.navigation?.route(place)?.length ?? 0) > 0);
      }
    }
    assert.equal(memory.navigation?.route("atlantis"), undefined);
  });

  Deno.test(`${name}: works where a world tells neither inventory nor place`, async () => {
    const memory = create(context(replies));
    for (const { step, goal, observation } of WALK) {
      await memory.observe({ step, goal, observation });
      await memory.recall({ step, goal, observation, plan: "" });
    }
    assert.deepEqual(memory.navigation?.destinations() ?? [], []);
  });
}

/** What recall starts from on the step of a perception. */
export function cueOf({ step, goal, observation, inventory, location }: Perception): Cue {
  return {
    step,
    goal,
    observation,
    inventory,
    location,
    plan: step === 1 ? "" : "Find the key, then open the chest.",
  };
}
