import { ROLE_MAPS } from "../../../lib/core/llm/roles.ts";
import assert from "node:assert/strict";
import { checkStudy, conditionOf } from "../../../lib/lab/study.ts";
import { findStudy } from "../../../lib/papers/studies.ts";
import { nethackStudy } from "../../../lib/papers/arigraph/nethack.ts";
import { paperTable } from "../../../lib/lab/paper-numbers.ts";

Deno.test("nethackStudy() plays the paper's three agents and random skills on the same seeds, side by side", () => {
  const study = nethackStudy();
  checkStudy(study);
  assert.equal(study.truth, true);
  const episodes = study.chains.flatMap(({ episodes }) => episodes);
  assert.equal(episodes.length, 4 * 3);
  const by = Map.groupBy(episodes, conditionOf);
  for (
    const { method, observation } of paperTable("arigraph_table1_nethack") as {
      method: string;
      observation: string;
    }[]
  ) {
    const played = by.get(`${method.toLowerCase()}-${observation}`) ?? [];
    assert.deepEqual(
      played.map(({ params }) => params?.["seed"]),
      [1, 2, 3],
      `${method} ${observation}`,
    );
    assert.ok(
      played.every(({ params }) => params?.["mode"] === observation && params["maxCalls"] === 100),
    );
    assert.ok(played.every(({ options }) => options?.method?.["maxSteps"] === 100));
  }
  assert.deepEqual(
    by.get("ariadne-room")?.map(({ memory, options }) => [memory, options?.method?.["actions"]])[0],
    ["arigraph", "forms"],
  );
  assert.equal(by.get("random-skills")?.length, 3);
  assert.deepEqual(study.chains.slice(0, 4).map(({ episodes: [episode] }) => episode?.attempt), [
    1,
    1,
    1,
    1,
  ], "seed by seed");
});

Deno.test("nethackStudy() in full has 10 seeds and more calls; what is chosen is a study of its own", () => {
  const full = findStudy("arigraph-nethack-full");
  assert.equal(full.id, "arigraph-nethack-full@offline");
  assert.equal(full.chains.length, 40);
  assert.ok(full.chains.every(({ episodes: [episode] }) => episode?.params?.["maxCalls"] === 400));
  assert.equal(
    nethackStudy({ calls: 20, only: ["netplay-level"], attempts: 2 }).id,
    "arigraph-nethack-20-calls-netplay-level-x2@offline",
  );
  assert.equal(nethackStudy({ models: { "*": "gpt-4o" } }).id, "arigraph-nethack@gpt-4o");
  assert.throws(() => nethackStudy({ only: ["elephant"] }), {
    name: "UsageError",
    message: /^--only elephant names no agent in NetHack/,
  });
});

Deno.test("nethackStudy() of the paper's models has one for all agents, as the paper does", () => {
  assert.deepEqual(nethackStudy({ models: ROLE_MAPS.paper }).models, {
    "ariadne/*": "gpt-4o",
    "arigraph/*": "gpt-4o",
    "netplay/*": "gpt-4o",
  });
  const only = ["netplay-room"];
  assert.deepEqual(nethackStudy({ models: ROLE_MAPS.paper, only }).models, {
    "netplay/*": "gpt-4o",
  });
  const warm = Object.fromEntries(
    Object.entries(ROLE_MAPS.paper).map((
      [role, model],
    ) => [role, { model: String(model), temperature: 0.5 }]),
  );
  assert.deepEqual(nethackStudy({ models: warm, only }).models, {
    "netplay/*": { model: "gpt-4o", temperature: 0.5 },
  });
  assert.deepEqual(nethackStudy({ models: { "*": "gpt-4" }, only }).models, { "*": "gpt-4" });
});
