import assert from "node:assert/strict";
import { SCIENCEWORLD_TASKS } from "../../../lib/core/env/scienceworld.ts";
import { conditionOf } from "../../../lib/lab/study.ts";
import {
  lookAheadStudy,
  reasonPlannerStudy,
  TABLE2_TASKS,
} from "../../../lib/papers/reasonplanner/study.ts";
import { bindingOf, ROLE_MAPS } from "../../../lib/core/llm/roles.ts";
import { temporalGraphPrompts } from "../../../lib/core/memory/temporal-graph.ts";
import { paperTable } from "../../../lib/lab/paper-numbers.ts";

Deno.test("the full study is the paper's design: 150 training episodes, 90 of each method, four chains after the training", () => {
  const { chains } = reasonPlannerStudy({ full: true });
  const [training, ...played] = chains;
  assert.deepEqual([training?.id, training?.gold, training?.episodes.length], [
    "training",
    "world",
    150,
  ]);
  const counts = Map.groupBy(played.flatMap(({ episodes }) => episodes), conditionOf);
  assert.deepEqual(
    Object.fromEntries([...counts].map(([condition, episodes]) => [condition, episodes.length])),
    {
      ...{ saycan: 90, react: 90, reflexion: 90, reasonplanner: 90, random: 90, oracle: 90 },
      "reasonplanner-without-world-model": 6 * 3,
    },
  );
  const trained = played.filter(({ after }) => after === "training");
  assert.deepEqual(
    trained.map(({ id }) => id),
    [1, 2, 3, 4].map((agent) => `reasonplanner|${agent}`),
  );
  const tasksOf = (chain: (typeof chains)[number]): Set<unknown> =>
    new Set(chain.episodes.map(({ params }) => params?.["task"]));
  assert.deepEqual(trained.map((chain) => tasksOf(chain).size), [8, 8, 7, 7]);
  assert.equal(new Set(trained.flatMap((chain) => [...tasksOf(chain)])).size, 30); // no task with two agents
});

Deno.test("training takes training variations, evaluation the first three for testing, gold paths none but training and ceiling", () => {
  for (const { id, gold, episodes } of reasonPlannerStudy({ full: true }).chains) {
    for (const { params, attempt, condition } of episodes) {
      const task = SCIENCEWORLD_TASKS.find(({ name }) => name === params?.["task"]);
      const split = id === "training" ? "train" : "test";
      const size = task ? task.splits[split].to - task.splits[split].from : 0;
      assert.deepEqual([params?.["split"], params?.["index"]], [split, (attempt - 1) % size]);
      assert.ok(attempt <= (id === "training" ? 5 : 3));
      assert.equal(gold, condition === "training" || condition === "oracle" ? "world" : undefined);
    }
  }
});

Deno.test("tasks go by name: the paper's rows are ScienceWorld's tasks, though its numbers 6-1 and 6-2 stand the other way round", () => {
  const printed = paperTable("reasonplanner_table1_scienceworld").slice(0, -1);
  assert.deepEqual(
    printed.map(({ name }) => name).sort(),
    SCIENCEWORLD_TASKS.map(({ name }) => name).sort(),
  );
  const otherwise = printed.filter(({ task, name }) =>
    SCIENCEWORLD_TASKS.find((one) => one.name === name)?.id !== task
  ).map(({ task }) => task);
  assert.deepEqual(otherwise, ["6-1", "6-2"]);
  assert.deepEqual(
    new Set(TABLE2_TASKS),
    new Set(paperTable("reasonplanner_table2_ablation").map(({ name }) => name)),
  );
});

Deno.test("reasonPlannerStudy() plays four tasks, three variations of each, in the quick form", () => {
  const { id, chains } = reasonPlannerStudy();
  assert.equal(id, "reasonplanner-quick@offline");
  assert.equal(chains.flatMap(({ episodes }) => episodes).length, 4 + 3 * 4 * 7);
  const cell = reasonPlannerStudy({ only: ["react", "melt"] });
  assert.deepEqual(cell.chains.map((chain) => chain.id), [
    "melt|react|1",
    "melt|react|2",
    "melt|react|3",
  ]); // and no training
  assert.notEqual(cell.id, id);
  assert.deepEqual(
    reasonPlannerStudy({ only: ["melt", "reasonplanner"], attempts: 2 }).chains.map((chain) =>
      chain.episodes.length
    ),
    [1, 2],
  );
  assert.throws(() => reasonPlannerStudy({ only: ["chess"] }), {
    name: "UsageError",
    message: /names neither a task nor a method/,
  });
  assert.throws(() => reasonPlannerStudy({ attempts: 4 }), {
    name: "UsageError",
    message: /1 to 3 test variations, not 4/,
  });
});

Deno.test("the study of look-aheads starts every condition from the same training", () => {
  const { chains } = lookAheadStudy({ full: true });
  const names = [
    ..."look-ahead-3 look-ahead-5 look-ahead-10 queries-1 queries-5 hops-2 no-coreference ends-early trajectory-actions"
      .split(" "),
  ];
  assert.deepEqual(
    chains.slice(1).map(({ id, after }) => [id, after]),
    names.flatMap((name) => [1, 2, 3, 4].map((agent) => [`${name}|${agent}`, "training"])),
  );
  assert.deepEqual(
    [
      ...new Set(
        chains.slice(1).map(({ episodes }) => JSON.stringify(episodes[0]?.options?.method)),
      ),
    ],
    [
      '{"lookAhead":3}',
      '{"lookAhead":5}',
      '{"lookAhead":10}',
      '{"queries":1}',
      '{"queries":5}',
      '{"hops":2}',
      '{"coreference":"none"}',
      '{"endsEarly":true}',
      '{"trajectory":"actions"}',
    ],
  );
});

Deno.test("with the paper's models every method of Table 1 is on GPT-4-Turbo, the graph's roles on Llama 3", () => {
  const { id, models } = reasonPlannerStudy({ models: ROLE_MAPS.paper });
  const bound = (role: string): unknown => bindingOf(models, role);
  for (
    const role of [
      "reasonplanner/actor",
      "saycan/act",
      "react/act",
      "react-reflexion/act",
      "reflexion/reflect",
    ]
  ) {
    assert.equal(bound(role), "gpt-4-turbo", role);
  }
  for (const { role } of temporalGraphPrompts) {
    assert.equal(bound(role), "llama-3-70b-instruct", role);
  }
  assert.equal(id, "reasonplanner-quick@gpt-4-turbo+llama-3-70b-instruct");
});
