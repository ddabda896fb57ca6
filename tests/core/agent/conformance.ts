/** What every method keeps to. */

import assert from "node:assert/strict";
import {
  type Environment,
  type Episode,
  type Method,
  scripted,
  type ScriptedModel,
} from "../../../lib/mod.ts";
import { type Recording, recording, worldless } from "./recording.ts";
import { type TinyWorld, tinyWorld } from "./tiny-world.ts";
import { watched } from "./watched.ts";

/**
 * Registers the checks as tests under the method's name. `make` gives a fresh one, `open` a world
 * that it can play (the tiny one).
 */
export function methodSpec(
  name: string,
  make: () => Method,
  open: () => Promise<Environment> = tiny,
): void {
  function start(
    reply: string,
    seed = 1,
  ): { episode: Episode; record: Recording; worlds: TinyWorld[]; model: ScriptedModel } {
    const model = scripted({ "*": () => reply });
    const record = recording();
    const worlds: TinyWorld[] = [];
    const world = async (): Promise<TinyWorld> => {
      const opened = watched(await open());
      worlds.push(opened);
      return opened;
    };
    const episode = {
      world,
      ...worldless(model, record, seed),
    };
    return { episode, record, worlds, model };
  }

  const NONSENSE = [
    "",
    "Entschuldigung, das weiß ich nicht.",
    "{}",
    "[[",
    "north ".repeat(20_000),
    '{"action_to_take": "fly", "plan_steps": [{"sub_goal_1": "fly"}]}',
  ];

  Deno.test(`${name}: comes to an end whatever the model says, with every step on record and every world closed`, async () => {
    for (const reply of NONSENSE) {
      const { episode, record, worlds } = start(reply);
      const { passes } = await make().run(episode);
      assert(passes.length > 0);
      for (const [pass, { steps, score, maxScore, end }] of passes.entries()) {
        const recorded = record.steps.filter((step) => step.pass === pass);
        assert.deepEqual(
          recorded.map(({ step }) => step),
          Array.from({ length: steps + 1 }, (_, i) => i),
        );
        assert.equal(recorded[0]?.action, undefined);
        for (const { action } of recorded.slice(1)) {
          assert(typeof action === "string" && action !== "");
        }
        const last = recorded.at(-1)?.turn;
        assert.deepEqual([last?.score, last?.maxScore], [score, maxScore]);
        assert.equal(last?.end ?? "limit", end);
      }
      assert(worlds.length > 0 && worlds.every((world) => world.closed()));
      for (const { kind, detail } of record.events) {
        assert(/^[a-z-]+$/.test(kind) && !detail.includes("\n"));
      }
      JSON.stringify(record.steps.map(({ details }) => details)); // what is recorded can be stored
    }
  });

  Deno.test(`${name}: the same episode twice is the same`, async () => {
    const [one, other] = [start("{}"), start("{}")];
    const outcomes = [await make().run(one.episode), await make().run(other.episode)];
    assert.deepEqual(outcomes[0], outcomes[1]);
    assert.deepEqual(one.worlds.map(({ taken }) => taken), other.worlds.map(({ taken }) => taken));
    assert.deepEqual(one.record.events, other.record.events);
    assert.deepEqual(
      one.model.requests.map(({ messages, sample }) => [messages, sample]),
      other.model.requests.map(({ messages, sample }) => [messages, sample]),
    );
  });

  Deno.test(`${name}: stops when it is told to, and closes its world`, async () => {
    const { episode, worlds } = start("{}");
    const signal = AbortSignal.abort(new DOMException("interrupted", "AbortError"));
    await assert.rejects(make().run({ ...episode, signal }), { name: "AbortError" });
    assert(worlds.every((world) => world.closed()));
  });

  Deno.test(`${name}: an artefact can be stored, and the next episode starts from it`, async () => {
    const { episode } = start("{}");
    const { artefact } = await make().run(episode);
    if (!artefact) return;
    const stored = JSON.parse(JSON.stringify(artefact));
    assert.deepEqual(stored, artefact);
    await make().run({ ...start("{}").episode, artefact: stored });
  });
}

function tiny(): Promise<Environment> {
  return Promise.resolve(tinyWorld({ stepLimit: 12 }));
}
