import assert from "node:assert/strict";
import { lossTable } from "../../lib/memory-bench/losses.ts";
import { planBench } from "../../lib/memory-bench/plan.ts";
import { PROTOCOL } from "../../lib/memory-bench/protocol.ts";
import type { BenchTrial } from "../../lib/memory-bench/trials.ts";

Deno.test("planBench() gives the perfect reader one stage more in each study, and the reader all others", () => {
  const { studies, plays, planned } = planBench({ quick: true, memories: ["arigraph"], games: 2 });
  assert.deepEqual(studies.map(({ stage }) => stage), [undefined, "extraction", "upkeep", "retrieval", "planning", "acting"]);
  const [reader] = PROTOCOL.forms.quick.readers ?? [];
  assert.deepEqual(plays[2]?.models, {
    "*": reader,
    "arigraph/extract": PROTOCOL.perfectReader,
    "arigraph/outdate": PROTOCOL.perfectReader,
  });
  assert.deepEqual(plays[5]?.models, { "*": PROTOCOL.perfectReader });
  assert.equal(planned, 4 + 5 * 2); // both ranges; the stages on the first
  assert.ok(plays.every(({ truth }, at) => truth === (at === 0)));
});

Deno.test("planBench() gives each world a study of its own, the same in every choice of worlds", () => {
  const ids = (worlds: readonly string[]): readonly string[] =>
    planBench({ quick: true, memories: ["arigraph", "room-graph"], worlds }).plays.map(({ id }) => id);
  const [hunts, rooms, both] = [ids(["hunt-12"]), ids(["rooms"]), ids(["rooms", "hunt-12"])];
  assert.deepEqual([hunts.length, rooms.length], [6, 2]); // the stages are measured in hunts; room-graph reads rooms alone
  assert.deepEqual(new Set(both), new Set([...hunts, ...rooms]));
});

/** The stages of each memory with the roles that belong to them, as its paper divides the work. */
const STAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "a-mem": { extraction: ["a-mem/note"], upkeep: ["a-mem/evolve"] },
  graphiti: { extraction: ["graphiti/extract", "graphiti/summarise"], upkeep: ["graphiti/judge", "graphiti/resolve"] },
  hipporag: { extraction: ["hipporag/names", "hipporag/triplets"], retrieval: ["hipporag/recognise"] },
  mem0: { extraction: ["mem0/extract", "mem0/summarise"], upkeep: ["mem0/update"] },
  memgpt: { "whole memory": ["memgpt/manage", "memgpt/summarise"] },
  "plain-notes": {},
  simulacra: { extraction: ["simulacra/importance", "simulacra/insights", "simulacra/questions"] },
};

Deno.test("planBench() gives every role of the memories to the stage of its work", () => {
  for (const [memory, stages] of Object.entries(STAGES)) {
    const { studies, plays } = planBench({ quick: true, memories: [memory], games: 1 });
    let before: readonly string[] = [];
    const found = studies.flatMap(({ stage = "" }, at) => {
      const roles = Object.entries(plays[at]?.models ?? {}).filter(([, model]) => model === PROTOCOL.perfectReader).map(([role]) => role);
      const fresh = roles.filter((role) => !before.includes(role));
      before = roles;
      return stage === "" || ["planning", "acting"].includes(stage) ? [] : [[stage, fresh.sort()]];
    });
    assert.deepEqual(Object.fromEntries(found), stages, memory);
  }
});

Deno.test("lossTable() says of each memory why a stage has no number", () => {
  const memories = ["rag", "plain-notes", "memgpt", "mem0"];
  const bench = planBench({ quick: true, memories });
  const trials = bench.studies.flatMap(({ memory, stage }) =>
    [0, 1].map((game): BenchTrial => ({
      ...{ episode: `${memory} ${stage} ${game}`, study: "s", condition: memory, memory, reader: bench.readers[0] ?? "", stage, seed: "1" },
      ...{ status: "completed", world: "hunt-12", range: "A", game, steps: [], values: { score: 0.5 } },
    }))
  );
  const { caption } = lossTable(bench, trials);
  assert.match(caption, /asks no model in that stage \(rag, plain-notes: in none; memgpt: it reads, keeps and searches in roles/);
  assert.doesNotMatch(caption, /mem0/);
});

Deno.test("lossTable() adds up to 1 over the games that every stage completed", () => {
  const bench = planBench({ quick: true, memories: ["rag"] });
  const scores: readonly [string | undefined, readonly (number | undefined)[]][] = [
    [undefined, [0.25, 0.5, 1]],
    ["planning", [0.5, 0.25, 1]],
    ["acting", [1, 0.5, undefined]],
  ];
  const trials = scores.flatMap(([stage, values]) =>
    values.map((score, game): BenchTrial => ({
      ...{ episode: `${stage} ${game}`, study: "s", condition: "rag", memory: "rag", reader: bench.readers[0] ?? "", stage, seed: "1" },
      ...{ status: score === undefined ? "failed" : "completed", world: "hunt-12", range: "A", game, steps: [] },
      values: score === undefined ? {} : { score },
    }))
  );
  const { columns, rows: [row = []] } = lossTable(bench, trials);
  assert.equal(row[columns.indexOf("games")], "2");
  const value = (name: string): unknown => (row[columns.indexOf(name)] as { value?: number } | null)?.value;
  assert.deepEqual(["scored", "planning", "acting", "rest"].map(value), [0.375, 0, 0.375, 0.25]);
  const least = (name: string): unknown => (row[columns.indexOf(name)] as { low?: number } | null)?.low;
  assert.deepEqual(["scored", "planning", "rest"].map(least), [0, -1, 0]); // a score has no interval below 0, a difference has
  assert.equal(value("extraction"), undefined); // RAG asks no model
});
