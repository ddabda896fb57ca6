/** The examples: which are chosen for a task, and that each is a play that reached its goal. */

import assert from "node:assert/strict";
import { examplesFor } from "../../../lib/core/agent/examples.ts";
import { SCIENCEWORLD_TASKS } from "../../../lib/core/env/scienceworld.ts";
import { type EnvSpec, METHODS } from "../../../lib/mod.ts";

function spec(id: string, parameters: Record<string, unknown> = {}): EnvSpec {
  return {
    id,
    version: "1",
    parameters,
    sections: [],
    actions: [],
    fallback: "look",
    identity: "",
  };
}

Deno.test("examplesFor() chooses by world and kind of task, with thoughts or without", () => {
  const wiki = spec("wiki/hotpotqa");
  const [question, comparison, ...more] = examplesFor(wiki, "Question: Who wrote it?", 2);
  assert.deepEqual(more, []);
  assert.match(
    question?.lines(true).join("\n") ?? "",
    /^Task: Question: [^]+\n> think: [^]+\nOK\.\n> search\[[^]+> finish\[.+\]\nEpisode finished, reward = 1$/,
  );
  assert.doesNotMatch(question?.lines(false).join("\n") ?? "", /think/);
  assert.notDeepEqual(question?.lines(true), comparison?.lines(true));
  assert.match(examplesFor(wiki, "Claim: It is so.", 1)[0]?.lines(true)[0] ?? "", /^Task: Claim: /);
  assert.match(
    examplesFor(spec("cot"), "Claim: It is so.", 1)[0]?.lines(true)[0] ?? "",
    /\nCoT: .+\nDirect answer: SUPPORTS$/,
  );
  assert.deepEqual(examplesFor(spec("textworld/hunt"), "Find it.", 5), []);
  assert.deepEqual(examplesFor(wiki, "Question: Who?", 0), []);
  assert.match(METHODS["wese"]?.version ?? "", /^3 \(examples [0-9a-f]{16}\)$/);
});

Deno.test("examplesFor() has two of each type of household task, in the world's dialect", () => {
  const goals = {
    "put some mug on shelf.": /> (?:move|put) /,
    "examine the vase with the desklamp.": /> use desklamp 1/,
    "put a clean mug in shelf.": /> clean /,
    "heat some egg and put it in garbagecan.": /> heat /,
    "put a cool apple in microwave.": /> cool /,
    "find two pen and put them in drawer.": /(?:> (?:move|put) [^]+){2}/,
  };
  for (const [goal, act] of Object.entries(goals)) {
    for (const dialect of ["move", "put"]) {
      const found = examplesFor(spec("alfworld", { dialect }), goal, 10).map((example) =>
        example.lines(false).join("\n")
      );
      assert.equal(found.length, 2, `${goal} ${dialect}`);
      for (const text of found) {
        assert.match(text, act);
        assert.equal(
          /> put .+ in\/on |You put the /.test(text),
          dialect === "put" && !goal.startsWith("examine"),
          text,
        );
      }
    }
  }
});

Deno.test("examplesFor() has one of each task of the laboratory, and begins it with a thought", () => {
  for (const { name: task } of SCIENCEWORLD_TASKS) {
    const [example, ...more] = examplesFor(spec("scienceworld", { task }), "Your task is …", 10);
    assert.deepEqual(more, [], task);
    const [opening, first] = example?.lines(true) ?? [];
    assert.match(opening ?? "", /^Task: Your task is to /);
    assert.match(first ?? "", /^> think: .+\nOK\.\n> /);
  }
});
