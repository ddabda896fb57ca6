import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALFWORLD_TASKS } from "../../../lib/core/env/alfworld.ts";
import { SCIENCEWORLD_TASKS } from "../../../lib/core/env/scienceworld.ts";
import { checkStudy, conditionOf, type PlannedEpisode } from "../../../lib/lab/study.ts";
import { WEAK_QUALITIES, weakModelStudies, weseStudy } from "../../../lib/papers/wese/study.ts";
import { WESE_SCIENCE_TASKS } from "../../../lib/papers/wese/worlds.ts";
import { bindingOf } from "../../../lib/core/llm/roles.ts";
import { withVariables } from "../../environment.ts";
import { ownFolder } from "../../folder.ts";

const METHODS = ["act", "act-wese", "act-sese", "react", "react-wese", "react-sese"];

function episodesOf(study: ReturnType<typeof weseStudy>): PlannedEpisode[] {
  return study.chains.flatMap(({ episodes }) => episodes);
}

function worldOf({ label = "" }: PlannedEpisode): string {
  return label.split("/")[0] ?? "";
}

Deno.test("the full study is the paper's design: 134, 296, 500 and 500 tasks of each method, CoT for questions alone", () => {
  const counts = Map.groupBy(
    episodesOf(weseStudy({ full: true })),
    (episode) => `${worldOf(episode)} ${conditionOf(episode)}`,
  );
  const sizes = { alfworld: 134, fresh: 30, scienceworld: 296, hotpotqa: 500, fever: 500 };
  for (const [world, size] of Object.entries(sizes)) {
    for (const method of METHODS) {
      assert.equal(counts.get(`${world} ${method}`)?.length, size, `${world} ${method}`);
    }
    const questions = world === "hotpotqa" || world === "fever";
    assert.equal(counts.get(`${world} cot`)?.length, questions ? size : undefined);
    assert.equal(counts.get(`${world} random`)?.length, questions ? undefined : size); // the wiki names no possible actions
  }
});

Deno.test("296 experiments are eight types, as evenly as their variations allow, test variations first", () => {
  const experiments = episodesOf(weseStudy({ full: true, only: ["scienceworld", "act"] }));
  const byTask = Map.groupBy(experiments, ({ params }) => String(params?.["task"]));
  assert.deepEqual([...byTask.keys()].sort(), [...WESE_SCIENCE_TASKS].sort());
  assert.deepEqual([...byTask.values()].map((one) => one.length).sort((a, b) => a - b), [
    30,
    36,
    38,
    38,
    38,
    38,
    39,
    39,
  ]);
  for (const [name, played] of byTask) {
    const task = SCIENCEWORLD_TASKS.find((one) => one.name === name);
    const test = task?.splits.test ?? { from: 0, to: 0 };
    const variations = played.map(({ params }) => Number(params?.["variation"]));
    assert.ok(
      variations.every((variation) => variation >= 0 && variation < (task?.variations ?? 0)),
      name,
    );
    const inTest = variations.filter((variation) => variation >= test.from && variation < test.to);
    assert.equal(inTest.length, Math.min(played.length, test.to - test.from), name);
  }
  const two = weseStudy({
    full: true,
    only: ["scienceworld", "act"],
    scienceTasks: ["boil", "melt"],
  });
  assert.equal(two.chains.length, 60); // both have 30
  assert.notEqual(two.id, weseStudy({ full: true, only: ["scienceworld", "act"] }).id);
});

Deno.test("limits are the paper's: 50 steps to explore and 50 to act, 8 and 8 for questions", () => {
  for (const episode of episodesOf(weseStudy())) {
    const { explorationSteps, maxSteps } = (episode.options?.method ?? {}) as Record<
      string,
      number
    >;
    const steps = ["hotpotqa", "fever"].includes(worldOf(episode)) ? 8 : 50;
    const condition = conditionOf(episode);
    assert.equal(maxSteps, condition === "cot" ? undefined : steps);
    assert.equal(explorationSteps, /-[ws]ese$/.test(condition) ? steps : undefined);
    if (steps === 50) assert.equal(episode.params?.["stepLimit"], 50);
  }
});

Deno.test("the quick form has every world, two households of each type, an experiment of each task, and takes fewer than 500 episodes", () => {
  const study = weseStudy();
  const acted = episodesOf(study).filter((episode) => conditionOf(episode) === "act");
  const labels = acted.map(({ label }) => label);
  for (const type of Object.keys(ALFWORLD_TASKS)) {
    assert.equal(labels.filter((label) => label === `alfworld/${type}`).length, 2);
  }
  for (const task of WESE_SCIENCE_TASKS) {
    assert.equal(labels.filter((label) => label === `scienceworld/${task}`).length, 1);
  }
  assert.deepEqual([...new Set(acted.map(worldOf))], [
    "alfworld",
    "scienceworld",
    "hotpotqa",
    "fever",
  ]);
  assert.ok(study.chains.length < 500, `${study.chains.length} episodes`);
});

Deno.test("official games are ReAct's 134, and its 500 of both development sets", () => {
  const acted = episodesOf(weseStudy({ full: true, games: "official", only: ["act"] }));
  const of = (world: string): PlannedEpisode[] =>
    acted.filter((episode) => worldOf(episode) === world);
  assert.deepEqual(of("alfworld")[133]?.params, {
    set: "valid_unseen",
    order: "shuffled",
    game: 133,
    stepLimit: 50,
  });
  // the first ones that Python's random.Random(233) draws
  const first = [3687, 6238, 5388, 3522, 3824, 2866, 1551, 2544, 1557, 5762];
  assert.deepEqual(of("hotpotqa").slice(0, 10).map(({ params }) => params?.["index"]), first);
  assert.deepEqual(of("fever").slice(0, 10).map(({ params }) => params?.["index"]), first);
  assert.equal(of("fever").length, 500);
});

Deno.test("official claims are judged by the user's own choice of pages where there is one, else by those that FEVER's authors publish", () => {
  using own = ownFolder();
  const folder = own.path;
  const corpus = (): unknown => {
    const [claim] = episodesOf(weseStudy({ games: "official", only: ["act", "fever"] }));
    return claim?.params?.["corpus"];
  };
  using _data = withVariables({ LAB_DATA: folder });
  assert.equal(corpus(), "wiki-pages");
  mkdirSync(join(folder, "wiki", "wiki-pages"), { recursive: true });
  assert.equal(corpus(), "wiki-pages");
  writeFileSync(join(folder, "wiki", "wikipedia.jsonl"), "");
  assert.equal(corpus(), "wikipedia.jsonl");
});

Deno.test("weseStudy() plays MuSiQue with every method when only names it, else not", () => {
  const study = weseStudy({ only: ["musique"] });
  checkStudy(study);
  const episodes = episodesOf(study);
  assert.deepEqual(new Set(episodes.map(({ world }) => world)), new Set(["wiki/musique"]));
  assert.deepEqual(new Set(episodes.map(conditionOf)), new Set(["cot", ...METHODS]));
  assert.equal(new Set(episodes.map(({ params }) => params?.["index"])).size, 25);
  for (const full of [false, true]) {
    assert.ok(episodesOf(weseStudy({ full })).every((episode) => worldOf(episode) !== "musique"));
  }
});

Deno.test("only narrows, and refuses what there is not", () => {
  const cell = weseStudy({ only: ["alfworld", "react-wese"] });
  assert.deepEqual(cell.chains.length, 12);
  assert.equal(cell.id, "wese-quick-alfworld-react-wese@offline+offline-weak");
  assert.throws(() => weseStudy({ only: ["chess"] }), {
    name: "UsageError",
    message: /neither a world nor a condition/,
  });
  assert.throws(() => weseStudy({ only: ["alfworld", "cot"] }), {
    name: "UsageError",
    message: /leaves no episode/,
  });
});

Deno.test("the studies of the weak model differ in it alone, and the best one has the baselines", () => {
  const studies = weakModelStudies();
  assert.deepEqual(studies.map(({ models }) => bindingOf(models, "wese/extract")), [
    "offline-r25-p25",
    "offline-r50-p50",
    "offline-r75-p75",
    "offline",
  ]);
  assert.ok(studies.every(({ models }) => bindingOf(models, "wese/act") === "offline"));
  const conditions = studies.map((study) => [...new Set(episodesOf(study).map(conditionOf))]);
  assert.deepEqual(
    conditions.slice(0, -1),
    WEAK_QUALITIES.slice(1).map(() => ["act-wese", "react-wese"]),
  );
  assert.deepEqual(conditions.at(-1), METHODS);
  for (const study of studies) checkStudy(study);
  assert.equal(new Set(studies.map(({ id }) => id)).size, 4);
  assert.throws(() => weakModelStudies({ models: { "*": "gpt-4o" } }), {
    name: "UsageError",
    message: /leave out --models/,
  });
});

Deno.test("only the exploring roles of WESE go to the weak model", () => {
  const { models } = weseStudy();
  for (const role of ["wese/explore", "wese/extract", "wese/task-entities"]) {
    assert.equal(bindingOf(models, role), "offline-weak");
  }
  for (
    const role of ["wese/act", "sese/explore", "sese/act", "act/act", "react/act", "cot/answer"]
  ) {
    assert.equal(bindingOf(models, role), "offline");
  }
});
