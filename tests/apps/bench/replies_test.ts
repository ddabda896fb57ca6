import assert from "node:assert/strict";
import { METHODS } from "../../../lib/core/agent/registry.ts";
import { measureReplies, repliesTable } from "../../../lib/apps/bench/replies.ts";
import { playsOf } from "../../../lib/apps/bench/reply-plays.ts";
import { SCIENCEWORLD_TASKS } from "../../../lib/core/env/scienceworld.ts";
import { rolesOf } from "../../../lib/lab/choices.ts";
import { createModels, localProvider, scripted, type ScriptedReply } from "../../../lib/mod.ts";
import { MEMORIES } from "../../../lib/core/memory/registry.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { lab } from "../cli/captured.ts";

Deno.test("the plays of a round ask in every role of every method and memory", () => {
  const asked = new Set(playsOf(0).flatMap(rolesOf));
  const all = [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap(({ prompts }) =>
    prompts.map(({ role }) => role)
  );
  assert.ok(all.length > 50);
  assert.deepEqual(
    [...new Set(all)].filter((role) => !asked.has(role) && !role.startsWith("sese/")),
    [],
  );
});

Deno.test("the plays of the last round are of tasks that the laboratory has", () => {
  for (const { world, params } of playsOf(19).filter(({ world }) => world === "scienceworld")) {
    const { task, split, index } = params as { task: string; split: "test" | "dev"; index: number };
    const { from, to } = SCIENCEWORLD_TASKS.find(({ name }) => name === task)?.splits[split] ??
      assert.fail(task);
    assert.ok(index < to - from, `${world}: ${task}, ${split} ${index} of ${to - from}`);
  }
});

Deno.test("measureReplies() counts by the role's own reader and re-asks, and asks nothing twice", async () => {
  const usage = { prompt: 100, cached: 0, completion: 10, reasoning: 0 };
  const cut: ScriptedReply = { choices: [{ text: "Direct answer: Par", finish: "length" }] };
  const script = scripted([
    "no idea",
    "Direct answer: Paris",
    "hm",
    "hm",
    "hm",
    cut,
    "Direct answer: Rome",
  ], { id: "mine", usage });
  using store = openStore(":memory:");
  const model = createModels({
    map: { "*": "mine" },
    store,
    codeVersion: "0",
    providers: [localProvider(script)],
  });
  const two = await measureReplies(model, { roles: ["cot/answer"], asks: 2 });
  const three = await measureReplies(model, { roles: ["cot/answer"], asks: 3 });
  script.assertDone();
  assert.deepEqual(three.slice(0, 2), two);
  assert.deepEqual(
    three.map((
      { malformedAtFirst, malformed, cut, promptTokens, completionTokens },
    ) => [malformedAtFirst, malformed, cut, promptTokens, completionTokens]),
    [[true, false, false, 200, 20], [true, true, false, 300, 30], [true, false, true, 200, 20]],
  );
  const first = script.requests.filter(({ sample }) => sample?.reAsk === undefined);
  assert.equal(new Set(first.map(({ messages }) => JSON.stringify(messages))).size, 3);
  assert.match(three[1]?.problem ?? "", /Direct answer/);
  const [row = []] = repliesTable(three, "mine").rows;
  assert.deepEqual(row.slice(0, 9), ["cot/answer", "3", "3", "1", "1", "–", "0", "233", "23"]);
  assert.deepEqual(
    await measureReplies(model, { roles: ["cot/answer"], asks: 3, isOver: () => true }),
    [],
  );
});

Deno.test("bench replies names what it does not know", async () => {
  const { status, err } = await lab(
    ..."bench replies --models offline --role cot/nothing".split(" "),
  );
  assert.deepEqual([status, err.split("\n").length], [2, 2]);
  assert.match(err, /no role is called cot\/nothing/);
});
