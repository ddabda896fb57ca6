import assert from "node:assert/strict";
import { rowsOf } from "../../../lib/lab/frame-of.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { nethackGames, nethackSteps } from "../../../lib/papers/arigraph/nethack.ts";

const STUDY = "arigraph-nethack@mute";

interface Run {
  readonly condition: string;
  readonly seed: number;
  /** Depth and score after each call, from the start; none of a game that was not played. */
  readonly course: readonly (readonly [depth: number, score: number])[];
}

/** Writes runs as the recorder does. */
function storeOf(runs: readonly Run[]): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: STUDY, spec: {}, createdAt: 0 });
  for (const { condition, seed, course } of runs) {
    const id = `${condition}-${seed}`;
    const plan = { chain: id, ordinal: 0, identity: {}, world: "nethack", worldParams: { seed } };
    const who = { attempt: seed, seed, method: "m", memory: "", condition, backbone: "mute" };
    putEpisode(store, { id, study: STUDY, ...plan, ...who });
    if (course.length === 0) continue;
    let deepest = 0;
    for (const [step, [depth, score]] of course.entries()) {
      deepest = Math.max(deepest, depth);
      const numbers = { depth: `${depth}`, deepest: `${deepest}`, turn: `${10 * step}` };
      const sections = { ...numbers, location: `room ${step + 1}` };
      const seen = { goal: "", observation: "", sections, frames: [], score, maxScore: 10_000 };
      const graph = condition.startsWith("ariadne") ? { graphSize: 4 * step } : {};
      const action = step > 0 ? { action: "explore_level()" } : {};
      const turn = { episode: id, pass: 0, step, ...action, ...seen, details: {}, ...graph };
      const truth = { cause: step === course.length - 1 ? "died" : "" };
      putTurn(store, { ...turn, observationHash: `${step}` }, { truth });
    }
    const score = course.at(-1)?.[1] ?? 0;
    const pass = { kind: "only", score, maxScore: 10_000, steps: course.length - 1, end: "lost" };
    endEpisode(store, id, { status: "completed", passes: [pass] }, 0);
  }
  return store;
}

const RUNS: readonly Run[] = [
  { condition: "netplay-room", seed: 2, course: [] },
  { condition: "ariadne-room", seed: 1, course: [[1, 0], [1, 20], [2, 100], [3, 200], [2, 250]] },
];

Deno.test("nethackGames() gives the game's own score, levels completed by the deepest one, turns and the end", () => {
  using store = storeOf(RUNS);
  const [open, played] = rowsOf<Record<string, unknown>>(nethackGames(store, STUDY));
  const { condition, seed, score, levels, turns, calls, ended, cause } = played ?? assert.fail();
  assert.deepEqual([condition, seed, score, levels], ["ariadne-room", "1", 250, 2]);
  assert.deepEqual([turns, calls, ended, cause], [40, 4, "lost", "died"]);
  assert.deepEqual(
    [open?.["condition"], open?.["seed"]],
    ["netplay-room", "2"],
    "in the order of the plan",
  );
  const unknown = ["score", "levels", "turns", "calls", "ended", "cause"].map((name) =>
    open?.[name]
  );
  assert.ok(unknown.every((value) => value === null), `${unknown}`);
});

Deno.test("nethackSteps() tells the present depth from the deepest, and the graph where there is one", () => {
  using store = storeOf([...RUNS, {
    condition: "random-skills",
    seed: 1,
    course: [[1, 0], [1, 5]],
  }]);
  const steps = rowsOf<Record<string, unknown>>(nethackSteps(store, STUDY));
  const of = (name: string) => steps.filter(({ condition }) => condition === name);
  const course = of("ariadne-room").map((
    { step, depth, deepest, score },
  ) => [step, depth, deepest, score]);
  assert.deepEqual(course, [[0, 1, 1, 0], [1, 1, 1, 20], [2, 2, 2, 100], [3, 3, 3, 200], [
    4,
    2,
    3,
    250,
  ]]);
  assert.deepEqual(of("ariadne-room").map(({ triplets }) => triplets), [0, 4, 8, 12, 16]);
  assert.deepEqual(of("random-skills").map(({ triplets }) => triplets), [null, null]);
  const [first, second] = of("random-skills");
  assert.deepEqual([first?.["action"], first?.["location"]], [null, "room 1"]);
  assert.deepEqual([second?.["action"], second?.["location"]], ["explore_level()", "room 2"]);
  assert.equal(of("netplay-room").length, 0, "a game that was not played has no steps");
});
