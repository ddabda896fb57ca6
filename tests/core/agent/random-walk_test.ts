/** A memory watches what is done at random. */

import assert from "node:assert/strict";
import { createAriGraph, createRandom, type Episode, scripted } from "../../../lib/mod.ts";
import { randomWalk } from "../../../lib/core/agent/random.ts";
import { type Recording, recording, worldless } from "./recording.ts";
import { tinyWorld } from "./tiny-world.ts";

function episode(record: Recording, seed: number): Episode {
  const model = scripted({
    "arigraph/extract": (request) => {
      const text = request.messages.map(({ content }) => String(content)).join("\n");
      return `${text.match(/-= (\w+) =-/)?.[1] ?? "nowhere"}, has exit, north`;
    },
    "arigraph/outdate": () => "[]",
    "arigraph/entities": () => "{}",
  });
  return {
    world: () => Promise.resolve(tinyWorld({ stepLimit: 30 })),
    ...worldless(model, record, seed),
  };
}

Deno.test("random-walk takes the actions of random, and records its graph at each step", async () => {
  for (const seed of [1, 2, 3]) {
    const [plain, watched] = [recording(), recording()];
    await createRandom().run(episode(plain, seed));
    const { artefact } = await randomWalk.create({ memory: createAriGraph() }).run(
      episode(watched, seed),
    );
    assert.deepEqual(
      watched.steps.map(({ action }) => action),
      plain.steps.map(({ action }) => action),
    );
    assert(watched.steps.length > 1 && watched.steps.every(({ graph }) => graph !== undefined));
    const last = watched.steps.at(-1)?.graph;
    assert(last && last.size > 0);
    const steps = watched.steps.length - 1;
    assert.deepEqual(
      last.episodes.map(({ time }) => time),
      Array.from({ length: steps }, (_, i) => i + 1),
      "every step is an episode",
    );
    assert.equal(artefact?.kind, "arigraph");
  }
});
