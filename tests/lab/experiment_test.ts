import assert from "node:assert/strict";
import { UsageError } from "../../lib/core/errors.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import type { CustomMemory } from "../../lib/lab/study.ts";

const mine = (id = "mine"): CustomMemory => ({
  id,
  create: () => assert.fail("nothing is played here"),
});

Deno.test("experiment() plays every world, game, memory and combination of factors, replicate by replicate, in chains of its own", () => {
  const { chains } = experiment({
    id: "all",
    worlds: ["textworld/hunt", {
      world: "textworld/cooking",
      label: "cooking",
      params: { stepLimit: 9 },
    }],
    params: { stepLimit: 100 },
    games: 2,
    memories: ["arigraph", mine()],
    factors: { "memory.k": [2, 5], maxSteps: [10] },
    seeds: [7, 8],
  });
  const episodes = chains.map(({ episodes: [episode] }) => episode);
  assert.equal(chains.length, 2 * 2 * (2 + 1) * 2);
  assert.equal(new Set(chains.map(({ id }) => id)).size, chains.length);
  assert.deepEqual(episodes.map((one) => one?.seed), [...Array(12).fill(7), ...Array(12).fill(8)]);
  assert.deepEqual(episodes.map((one) => one?.attempt), [
    ...Array(12).fill(1),
    ...Array(12).fill(2),
  ]);
  const { world, params, options, condition, factors } = episodes[3] ?? {};
  assert.deepEqual({ world, params, options, condition, factors }, {
    world: "textworld/cooking",
    params: { stepLimit: 9, seed: 1 },
    options: { method: { maxSteps: 10 }, memory: { k: 2 } },
    condition: "arigraph, memory.k 2, maxSteps 10",
    factors: {
      world: "cooking",
      game: 1,
      method: "ariadne",
      memory: "arigraph",
      "memory.k": 2,
      maxSteps: 10,
    },
  });
  assert.equal(
    episodes[8]?.condition,
    "mine, maxSteps 10",
    "a memory without the factor is played once",
  );
});

Deno.test("experiment() makes a memory of the levels of its factors, which are its options, and parameters of worlds", () => {
  const made: unknown[] = [];
  const { chains } = experiment({
    id: "made",
    worlds: ["textworld/hunt"],
    memories: [(levels) => {
      made.push(levels);
      return mine();
    }],
    factors: { reach: [1, 2], "world.rename": [3] },
  });
  assert.deepEqual(made, [{ reach: 1 }, { reach: 2 }]);
  assert.deepEqual(
    chains.map(({ episodes: [one] }) => [(one?.memory as CustomMemory).options, one?.params]),
    [[{ reach: 1 }, { rename: 3 }], [{ reach: 2 }, { rename: 3 }]],
  );
});

Deno.test("experiment() takes factors of worlds, which name what the worlds are levels of", () => {
  const worlds = [9, 16].map((rooms) => ({
    world: "textworld/long-hunt",
    label: `${rooms} rooms`,
    params: { rooms },
    factors: { rooms },
  }));
  const { chains } = experiment({ id: "sizes", worlds, games: 2, memories: ["rag"] });
  assert.deepEqual(chains.map(({ episodes: [one] }) => one?.factors?.["rooms"]), [9, 9, 16, 16]);
  assert.deepEqual(
    chains.map(({ episodes: [one] }) => one?.params),
    [9, 9, 16, 16].map((rooms, i) => ({ rooms, seed: i % 2 })),
  );
});

Deno.test("experiment() refuses what is not known, and names the nearest", () => {
  const worlds = ["textworld/hunt"];
  const refuses = (options: object, message: RegExp): void =>
    assert.throws(
      () => experiment({ id: "bad", worlds, ...options }),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  refuses(
    { factor: { k: [1] } },
    /experiment\(\) has no option "factor"; did you mean "factors"\?/,
  );
  refuses({ memories: ["arigrpah"] }, /no memory "arigrpah"; did you mean "arigraph"\?/);
  refuses({ methods: ["ariadn"] }, /no method "ariadn"; did you mean "ariadne"\?/);
  refuses(
    { memories: ["arigraph"], factors: { widht: [1] } },
    /factor widht .*did you mean "width"\?.*world\.widht/,
  );
  refuses({ memories: ["arigraph"], factors: { k: [] } }, /the factor k has no level/);
  refuses({ memories: [mine("a"), mine("a")] }, /two rows of the experiment are called "a"/);
  refuses({ worlds: [] }, /names no world/);
});
