import assert from "node:assert/strict";
import { measurePrompts } from "../../../lib/apps/bench/prompts.ts";
import { createModels, localProvider, scripted } from "../../../lib/mod.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { samplePlan } from "../../lab/store/samples.ts";

/** Records an episode of 2 steps that asks these prompts, each of its role. */
async function record(store: Store, id: string, asked: readonly (readonly [role: string, text: string])[]): Promise<void> {
  putEpisode(store, samplePlan({ id, study: "mine", lane: id, condition: "rag" }));
  const local = scripted(asked.map(() => "ok"), { id: "mine", usage: { prompt: 0, cached: 0, completion: 10, reasoning: 0 } });
  const model = createModels({ map: { "*": "mine" }, store, codeVersion: "0", episode: id, providers: [localProvider(local)] });
  for (const [role, content] of asked) await model.chat({ role, messages: [{ role: "user", content }], sample: { attempt: Number(id) } });
  endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 1, steps: 2, end: "limit" }] }, 0);
}

Deno.test("measurePrompts() holds whole blocks of a beginning that an earlier request of the episode had", async () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
  const same = Array.from({ length: 100 }, (_, i) => ` w${i}`).join("");
  await record(store, "1", [["a/plan", `${same} one`], ["a/act", `${same} two`], ["a/act", `other${same}`]]);
  await record(store, "2", [["a/plan", `${same} one`]]); // another episode: its cache is empty

  const [all, act, plan, ...rest] = await measurePrompts(store, { price: "gpt-4o" });
  assert.deepEqual(rest, []);
  assert.deepEqual([all?.condition, all?.episodes, all?.steps, all?.calls, act?.calls, plan?.calls], ["rag", 2, 4, 4, 2, 2]);
  assert.deepEqual([act?.role, plan?.role, plan?.held], ["a/act", "a/plan", 0]);
  const held = (act?.held ?? 0) * (act?.prompt ?? 0) * 4;
  assert.ok(Math.abs(held % 16) < 1e-6 && held > 0, `${held} tokens are whole blocks`);
  const half = (act?.prompt ?? 0) * 4 / 2;
  assert.ok(held <= half && held > half - 32, "all but the end of the first, nothing of the other");
  assert.ok(Math.abs((all?.uncached ?? 0) - ((all?.prompt ?? 0) - held / 4)) < 1e-6);
  assert.deepEqual(all?.paper, { prompt: 4000, of: "step" });
  const dollars = ((all?.uncached ?? 0) * 2.5 + held / 4 * 1.25 + 10 * 10) / 1e6;
  assert.ok(Math.abs((all?.dollars ?? 0) - dollars) < 1e-9, `${all?.dollars} and ${dollars}`);
  assert.deepEqual(await measurePrompts(store, { study: "other", price: "gpt-4o" }), []);
});
