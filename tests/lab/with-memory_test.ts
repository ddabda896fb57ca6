import assert from "node:assert/strict";
import { experiment } from "../../lib/lab/experiment.ts";
import { withMemory } from "../../lib/lab/with-memory.ts";

const worlds = ["textworld/hunt", "textworld/cleaning"];

Deno.test("withMemory() plays each world, game and method once with the memory", () => {
  const study = experiment({
    id: "mine",
    worlds,
    memories: ["rag", "summary"],
    seeds: 2,
    steps: 3,
  });
  assert.equal(study.chains.length, 8);
  const { chains } = withMemory(study, "none");
  assert.deepEqual(
    chains.map(({ episodes: [one] }) => [one?.world, one?.memory, one?.condition, one?.seed]),
    [1, 2].flatMap((seed) => worlds.map((world) => [world, "none", "none", seed])),
  );
  assert.deepEqual(chains[0]?.episodes[0]?.options, { method: { maxSteps: 3 } });
  const methods = ["ariadne", "random-walk"];
  const both = withMemory(experiment({ id: "two", worlds, memories: ["rag"], methods }), "none");
  assert.deepEqual(
    new Set(both.chains.map(({ episodes: [one] }) => one?.condition)),
    new Set(methods.map((method) => `${method}, none`)),
  );
});

Deno.test("withMemory() keeps the order of chains, and refuses a study without memories", () => {
  const { chains: [one], ...study } = experiment({ id: "mine", worlds, memories: ["rag"] });
  assert.ok(one);
  const bare = { world: "textworld/hunt", label: "hunt", attempt: 1, seed: 1, method: "random" };
  const after = { ...one, id: "second", after: one.id };
  const changed = withMemory({ ...study, chains: [one, after] }, "none");
  assert.deepEqual(changed.chains.map(({ id, after }) => [id, after]), [
    [one.id, undefined],
    ["second", one.id],
  ]);
  const none = { ...study, chains: [{ id: "bare", episodes: [bare] }] };
  assert.throws(() => withMemory(none, "none"), /takes a memory/);
  assert.throws(() => withMemory({ ...study, chains: [one] }, "nune"), /did you mean "none"/);
});
