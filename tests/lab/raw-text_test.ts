import assert from "node:assert/strict";
import { runStudy } from "../../lib/lab/runner.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { listTruths, listTurns } from "../../lib/lab/store/turns.ts";
import {
  countingModels,
  countingStudy,
  countingWorld,
  noEmbedder,
  tickingClock,
} from "./doubles.ts";

Deno.test("runStudy() shows a method safe text, and records beside it what the world said where that differs", async () => {
  using store = openStore(":memory:");
  const { open, ...rest } = countingWorld();
  const said = "A hall\u001b[31m\u0000\uD800.";
  const hostile: typeof open = async (id, params) => {
    const env = await open(id, params);
    return {
      ...env,
      step: async (action) => ({ ...await env.step(action), observation: said }),
      truth: async () => ({ ...await env.truth(), "pl\u0001ace": "\u0007" }),
    };
  };
  const ports = {
    store,
    worlds: { ...rest, open: hostile },
    models: countingModels(store).models,
    embedder: noEmbedder,
    clock: tickingClock(),
  };
  const { episodes: [episode] } = await runStudy(countingStudy({ truth: true }), ports);
  assert.equal(episode?.status, "completed", episode?.failureMessage ?? "");
  const [reset, first] = listTurns(store, episode?.id ?? "");
  assert.equal(reset?.details.raw, undefined, "nothing differs");
  assert.equal(first?.observation, "A hall\uFFFD[31m\uFFFD\uFFFD.");
  assert.equal((first?.details.raw as { observation: string }[])[0]?.observation, said);
  assert.deepEqual(listTruths(store, episode?.id ?? "")[1]?.truth["pl\uFFFDace"], "\uFFFD");
});
