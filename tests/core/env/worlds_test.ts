import assert from "node:assert/strict";
import process from "node:process";
import { connectWorlds, type Turn } from "../../../lib/core/env/mod.ts";
import { withoutTruth } from "../../../lib/core/env/session.ts";
import { withVariables } from "../../environment.ts";
import { checkEnd, checkWorld, isOfKind, needsParameters, numbers } from "./conformance.ts";
import { wantsSlow } from "../../slow.ts";

const own = withVariables({ LAB_WORLDS: undefined }); // these tests are about the lab's own server
const worlds = connectWorlds();
const catalogue = await worlds.list();
own[Symbol.dispose]();
Deno.test.afterAll(() => worlds.close());

const HUNT = "textworld/hunt";

/** Larger games of makers that are tested anyway. */
const VARIANTS = /-hard/;
const variants = wantsSlow("conformance of the harder games");

for (const entry of catalogue.filter(({ id }) => variants || !VARIANTS.test(id))) {
  const missing = needsParameters(entry);
  if (missing) process.stdout.write(`skipped: conformance of ${entry.id}, which ${missing}\n`);
  Deno.test({
    name: `${entry.id} keeps to what every world keeps to`,
    ignore: missing !== undefined,
    fn: async () => {
      assert.equal(entry.problem, undefined);
      await checkWorld(worlds, entry.id);
      if ("stepLimit" in (entry.parameters.properties as object)) await checkEnd(worlds, entry.id);
    },
  });
}

Deno.test("an episode is played to its end", async () => {
  const env = await worlds.open(HUNT, { stepLimit: 30 });
  const random = numbers(1);
  let turn: Turn = await env.reset();
  let steps = 0;
  for (; !turn.end; steps += 1) {
    const actions = await env.validActions() ?? [];
    turn = await env.step(actions[Math.floor(random() * actions.length)] ?? "look");
  }
  assert.equal(turn.end, "limit");
  assert.equal(steps, 30);
  await env.close();
  await env.close(); // closing twice is no error
});

Deno.test("eight sessions side by side do not mix", async () => {
  const seeds = [1, 0, 1, 0, 1, 0, 1, 0];
  const walks = await Promise.all(seeds.map(async (seed) => {
    const env = await worlds.open(HUNT, { seed });
    const random = numbers(seed);
    const turns = [await env.reset()];
    for (let step = 0; step < 10; step += 1) {
      const actions = await env.validActions() ?? [];
      turns.push(await env.step(actions[Math.floor(random() * actions.length)] ?? "look"));
    }
    await env.close();
    return turns;
  }));
  for (const [place, walk] of walks.entries()) assert.deepEqual(walk, walks[place % 2]);
  assert.notDeepEqual(walks[0], walks[1]);
});

Deno.test("refused actions are errors, count as no step and spoil nothing", async () => {
  const env = await worlds.open(HUNT, { stepLimit: 2 });
  await env.reset();
  for (
    const action of [
      "x".repeat(1_000_000),
      "look\0",
      "look \ud800",
      "open door then go north",
      "save",
      "script",
    ]
  ) {
    await assert.rejects(env.step(action), isOfKind("bad-action"), action.slice(0, 20));
  }
  assert.equal((await env.step("take Key 1")).score, 1);
  await assert.rejects(env.step("x".repeat(3_000_000)), isOfKind("bad-request")); // larger than any request may be
  assert.equal((await env.step("look")).end, "limit");
  await env.close();
});

Deno.test("open() refuses what is not in the catalogue or out of range, and names what is", async () => {
  await assert.rejects(
    worlds.open("textworld/nowhere"),
    (error: Error) => isOfKind("unknown-world")(error) && error.message.includes(HUNT),
  );
  await assert.rejects(
    worlds.open(HUNT, { stepLimit: 0 }),
    (error: Error) => isOfKind("bad-parameter")(error) && /stepLimit/.test(error.message),
  );
  await assert.rejects(worlds.open(HUNT, { planets: 1 }), isOfKind("bad-parameter"));
});

Deno.test("withoutTruth() hands on a world without its truth", async () => {
  const env = await worlds.open(HUNT);
  const blind = withoutTruth(env);
  const turn = await blind.reset();
  assert.equal("truth" in blind, false);
  assert.equal(Object.values(blind).includes(env), false);
  assert.equal((await env.truth()).location, turn.sections.location);
  assert.deepEqual(blind.spec, env.spec);
  await blind.close();
  await assert.rejects(env.step("look"), isOfKind("unknown-session"));
});

Deno.test("an interrupted call leaves the world usable", async () => {
  let controller = new AbortController();
  using _own = withVariables({ LAB_WORLDS: undefined });
  const interrupted = connectWorlds({ signal: () => controller.signal });
  const env = await interrupted.open(HUNT);
  const step = env.reset().then(() => env.step("take Key 1"));
  controller.abort(new DOMException("stop", "AbortError"));
  await assert.rejects(step, { name: "AbortError" });
  await assert.rejects(
    env.step("look"),
    { name: "AbortError" },
    "a signal that has fired stays so",
  );
  controller = new AbortController();
  assert.match((await env.reset()).observation, /Key 1/);
  assert.equal((await env.step("take Key 1")).score, 1);
  await interrupted.close();
  await assert.rejects(env.step("look"), isOfKind("unknown-session"));
});
