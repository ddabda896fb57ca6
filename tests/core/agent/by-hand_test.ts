/** A method and a memory play in a cell: a world and a model are enough. */

import assert from "node:assert/strict";
import { createAriadne, createRag, createReact, scripted } from "../../../lib/mod.ts";
import { tinyWorld } from "./tiny-world.ts";

const world = () => Promise.resolve(tinyWorld());

Deno.test("run() of a method plays with nothing but a world and a model", async () => {
  const model = scripted({ "react/act": () => "> go north" });
  const { passes } = await createReact({ maxSteps: 2 }).run({ world, model });
  assert.equal(passes[0]?.steps, 2);
});

Deno.test("run() of a method with a memory needs no more, and says which reply is missing", async () => {
  const method = createAriadne({ memory: createRag(), maxSteps: 1 });
  await assert.rejects(method.run({ world }), /ariadne\/plan/);
});
