import assert from "node:assert/strict";
import { testClaims, type TestedClaim } from "../../lib/papers/claims.ts";
import { paperTable } from "../../lib/lab/paper-numbers.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { samplePlan } from "../lab/store/samples.ts";

/** An episode: condition, game, seed, and its score, where it is completed. */
type Row = readonly [condition: string, game: string, seed: number, score: number | undefined];

function storeWith(rows: readonly Row[], world?: string, stepLimit?: number): Store {
  const store = openStore(":memory:");
  putRows(store, "s", rows, world, stepLimit);
  return store;
}

function putRows(
  store: Store,
  study: string,
  rows: readonly Row[],
  world = "babyai",
  stepLimit?: number,
): void {
  putStudy(store, { id: study, spec: {}, createdAt: 0 });
  rows.forEach(([condition, game, seed, score], i) => {
    const id = `e${i}-${study}`;
    putEpisode(
      store,
      samplePlan({
        ...{ id, study, chain: `l${i}`, method: "m", memory: "none", condition, seed },
        world: game.startsWith("textworld/") ? game : world,
        worldParams: { seed, ...(stepLimit !== undefined && { stepLimit }) },
        label: game,
      }),
    );
    if (score === undefined) return;
    store.prepare(
      "update episodes set status = 'completed', score = ?, max_score = 1, steps = 10 where id = ?",
    ).run(score, id);
  });
}

function claimIn(
  paper: string,
  id: string,
  rows: readonly Row[],
  world?: string,
  stepLimit?: number,
): TestedClaim {
  using store = storeWith(rows, world, stepLimit);
  return testClaims({ file: `${paper}_claims` }, store, ["s"]).find((claim) => claim.id === id) ??
    assert.fail();
}

/**
 * AriGraph's claim on Cooking (AriGraph scores higher than full history, margin 0.1; no number of
 * the paper's is held against the latter).
 */
function cooked(rows: readonly Row[]): TestedClaim {
  return claimIn("arigraph", "A6", rows);
}

/** Layouts of Cooking, or of another game, with these scores. */
function kitchens(
  scores: readonly (readonly [arigraph: number, history: number])[],
  game = "cooking",
): Row[] {
  return scores.flatMap(([mine, theirs], seed): Row[] => [
    ["arigraph", `textworld/${game}`, seed, mine],
    ["full-history", `textworld/${game}`, seed, theirs],
  ]);
}

/**
 * GraphMind's claims on layouts: G4 says that the graph succeeds more often than the stack in 4 × 4
 * rooms, margin 0.1.
 */
function tested(rows: readonly Row[], id = "G4", stepLimit?: number): TestedClaim {
  return claimIn("graphmind", id, rows, undefined, stepLimit);
}

/** Layouts on which graph and stack have these mean scores over four seeds. */
function layouts(
  scores: readonly (readonly [graph: number, stack: number])[],
  size = "4x4",
): Row[] {
  return scores.flatMap(([graph, stack], i) =>
    [1, 2, 3, 4].flatMap((seed): Row[] => [
      ["kg", `put-next-to/${size}-d1-${i}`, seed, seed <= 4 * graph ? 1 : 0],
      ["sm", `put-next-to/${size}-d1-${i}`, seed, seed <= 4 * stack ? 1 : 0],
    ])
  );
}

const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value);

Deno.test("testClaims() supports a claim whose interval over layouts lies on its side", () => {
  const { verdict, pairs, clusters, difference, low, high, p } = tested(
    layouts([...repeat(8, [1, 0.25] as const), [0.75, 0.5], [0.75, 0.25]]),
  );
  assert.deepEqual([verdict, pairs, clusters], ["supported", 40, [10]]);
  assert.ok(Math.abs((difference ?? NaN) - 0.675) < 1e-12);
  // eight gaps of 0.75, one of 0.25 and one of 0.5: an unseen share of 1 − 0.025^(1/10) = 0.3085
  // may be at −1; Student's upper end is 0.796, theirs 0.775
  assert.deepEqual([low?.toFixed(3), high?.toFixed(3)], ["0.158", "0.796"]);
  assert.equal(p?.toFixed(4), (2 * (1 - 0.675 / 1.675) ** 10).toFixed(4));
  // gaps of 0.25, 0.5, 0.75 and 1 in turn: Student's, 0.625 ± 2.2010 · 0.2919 / √12
  const spread = cooked(
    kitchens(repeat(3, [[1, 0.75], [1, 0.5], [1, 0.25], [1, 0]] as const).flat()),
  );
  assert.deepEqual([spread.verdict, spread.low?.toFixed(3), spread.high?.toFixed(3)], [
    "supported",
    "0.440",
    "0.810",
  ]);
});

Deno.test("testClaims() counts attempts at one game once", () => {
  const rows = kitchens(repeat(8, [1, 0.25] as const));
  using store = storeWith(rows);
  store.prepare("update episodes set world_params = '{}'").run(); // the same layout, attempted eight times
  const claim = testClaims({ file: "arigraph_claims" }, store, ["s"]).find(({ id }) => id === "A6");
  assert.deepEqual([claim?.pairs, claim?.clusters, claim?.verdict, claim?.why], [
    8,
    [1],
    "not significant",
    "1 of the 6 games needed",
  ]);
});

Deno.test("testClaims() does not test two roles that one model answered in", () => {
  // W7: success is no less with weak exploration than with strong
  const rows = repeat(20, 0).flatMap((
    _,
    i,
  ): Row[] => [["act-wese", "alfworld/put", i, 1], ["act-sese", "alfworld/put", i, i % 2]]);
  const outcome = (exploring: string): unknown[] => {
    using store = storeWith(rows, "alfworld");
    const tokens = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 };
    for (const [role, model] of [["wese/explore", exploring], ["wese/act", "strong"]] as const) {
      putCall(store, {
        episode: "e0-s",
        role,
        model,
        key: role,
        kind: "paid",
        ...tokens,
        dollars: null,
        latencyMs: 1,
        at: 0,
      });
    }
    const claim = testClaims({ file: "wese_claims" }, store, ["s"]).find(({ id }) => id === "W7");
    return [claim?.verdict, claim?.why];
  };
  assert.deepEqual(outcome("strong"), ["not tested", "strong has a weak and the strong role"]);
  assert.deepEqual(outcome("weak"), ["supported", undefined]);
});

Deno.test("testClaims() compares gains in two sizes, and names what is not played or incomplete", () => {
  const both = [
    ...layouts(repeat(40, [1, 0.25]), "7x7"),
    ...layouts([...repeat(39, [0.25, 0.25] as const), [0.5, 0.25]], "4x4"),
  ];
  assert.equal(tested(both, "G6").verdict, "supported");
  const unplayed = tested(layouts([[1, 0]]), "G5");
  assert.deepEqual([unplayed.verdict, unplayed.why], ["not tested", "not played"]);
  // steps to success: no layout of 7×7 rooms in which both succeed
  const valueless = tested(layouts([[1, 0], [1, 0]], "7x7"), "G7");
  assert.deepEqual([valueless.verdict, valueless.why, valueless.pairs], [
    "not tested",
    "no pair has a value",
    0,
  ]);
  const missing = layouts(repeat(8, [1, 0])).map((row, i): Row =>
    i === 0 ? [row[0], row[1], row[2], undefined] : row
  );
  assert.deepEqual([tested(missing).verdict, tested(missing).why], [
    "not tested",
    "1 of 32 pairs are not completed",
  ]);
});

Deno.test("testClaims() does not take a side whose few layouts agree for exactly known", () => {
  const grown = (layoutsOf4x4: number): TestedClaim =>
    tested(
      [7, 4].flatMap((size) =>
        Array.from({ length: size === 7 ? 30 : layoutsOf4x4 }, (_, i): Row[] => [
          ["kg", `put-next-to/${size}x${size}-d1-${i}`, 1, size === 7 && i % 2 === 0 ? 1 : 0.25],
          ["sm", `put-next-to/${size}x${size}-d1-${i}`, 1, 0.25],
        ]).flat()
      ),
      "G6",
    );
  // 15 gains of 0.75 and 15 of 0: 0.375 ± 2.0452 · 0.38139/√30 = 0.1424; two equal gains of 0: ± (1
  // − 0.025^½) = 0.8419
  const [few, many] = [grown(2), grown(30)];
  assert.deepEqual([few.verdict, few.low?.toFixed(3), few.high?.toFixed(3)], [
    "not significant",
    "-0.479",
    "1.229",
  ]); // √(0.1424² + 0.8419²) = 0.8538
  // thirty: ± (1 − 0.025^(1/30)) = 0.1157, and √(0.1424² + 0.1157²) = 0.1835
  assert.deepEqual([many.verdict, many.low?.toFixed(3), many.high?.toFixed(3)], [
    "supported",
    "0.192",
    "0.558",
  ]);
});

Deno.test("testClaims() pairs episodes of one study, and tells nothing where the ratio of a pair is 0", () => {
  using store = storeWith(layouts([[1, 0]]).filter(([condition]) => condition === "kg"));
  putRows(store, "other", layouts([[1, 0]]).filter(([condition]) => condition === "sm"));
  assert.equal(
    testClaims({ file: "graphmind_claims" }, store, ["s", "other"]).find(({ id }) => id === "G4")
      ?.why,
    "not played",
  );

  using some = storeWith(layouts(repeat(20, [1, 1]), "2x2"));
  const steps = new Map(
    some.prepare("select id, condition, label from main.episodes").all().map((
      { id, condition, label },
      i,
    ) =>
      [
        String(id),
        condition === "sm" ? 20 : /-(?:\d|1[01])$/.test(String(label)) ? 0 : 39 + i % 3,
      ] as const
    ),
  );
  const fewer = testClaims({ file: "graphmind_claims", measures: { steps: () => steps } }, some, [
    "s",
  ]).find(({ id }) => id === "G10");
  // twelve of twenty layouts in 0 steps against 20: the eight that have a ratio would contradict
  // the claim
  assert.deepEqual([fewer?.verdict, fewer?.pairs, (fewer?.low ?? 0) > 0], [
    "not significant",
    32,
    true,
  ]);
});

/**
 * AriGraph's claims over games of Cleaning, which takes points away: the scores of conditions, a
 * game each.
 */
function cleaned(id: string, scores: Readonly<Record<string, readonly number[]>>): TestedClaim {
  const rows = Object.entries(scores).flatMap(([condition, all]) =>
    all.map((score, seed): Row => [condition, "textworld/cleaning", seed, score])
  );
  return claimIn("arigraph", id, rows, "textworld/cleaning");
}

Deno.test("testClaims() keeps to what scores of a world can be, and gives no interval of equal differences without a bound", () => {
  const wide = cleaned("A10", { arigraph: [1, 1, 1], "full-history": [-0.3, -0.4, -0.5] });
  // 1.4 ± 4.3027 · 0.1/√3: Cleaning goes below 0, so that differences may be above 1
  assert.deepEqual([wide.low?.toFixed(3), wide.high?.toFixed(3)], ["1.152", "1.648"]);
  const equal = cleaned("A10", {
    arigraph: [1, 0.9, 0.8, 0.7, 0.6, 1],
    "full-history": [0.5, 0.4, 0.3, 0.2, 0.1, 0.5],
  });
  assert.deepEqual([equal.verdict, equal.low, equal.p], ["not significant", undefined, undefined]);
});

Deno.test("the variations of a task of ScienceWorld are one cluster, households are one each", () => {
  // ReAct gains 0.5 in each of 40 variations of two tasks, and nothing in those of four others: six
  // tasks, not 240 games
  const rows = Array.from({ length: 6 }, (_, task) => task).flatMap((task) =>
    Array.from({ length: 40 }, (_, seed): Row[] => [
      ["act", `scienceworld/task-${task}`, seed, 0.25],
      ["react", `scienceworld/task-${task}`, seed, task < 2 ? 0.75 : 0.25],
    ]).flat()
  );
  const testedIn = (world: string): TestedClaim =>
    claimIn(
      "wese",
      "W1",
      rows.map(([condition, game, ...rest]) => [
        condition,
        game.replace("scienceworld", world),
        ...rest,
      ]),
      world,
    );
  const { clusters, low, high, verdict } = testedIn("scienceworld");
  // 1/6 ± 2.5706 · √(1/15)/√6, and an unseen share 1 − 0.025^(1/6) = 0.459 of the four that agree
  // may lose or gain all
  assert.deepEqual([clusters, verdict, (low ?? 0) < 1 / 6 - 0.27, (high ?? 0) > 1 / 6 + 0.27], [
    [6],
    "not significant",
    true,
    true,
  ]);
  assert.deepEqual([testedIn("alfworld").clusters, testedIn("alfworld").verdict], [
    [240],
    "supported",
  ]);
});

Deno.test("the claims of each paper can be read", () => {
  for (const paper of ["arigraph", "graphmind", "reasonplanner", "wese"]) {
    const rows = paperTable(`${paper}_claims`);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    for (
      const {
        claim = "",
        source,
        a = "",
        b = "",
        where = "",
        against = "",
        cluster = "",
        direction = "",
        margin,
      } of rows
    ) {
      assert.ok(claim && source && Number(margin) > 0, claim);
      assert.equal(a.split("|").length, b.split("|").length);
      assert.ok(
        ["more", "less", "no more", "no less"].includes(direction) &&
          ["layout", "game", "layout (game in scienceworld)"].includes(cluster),
        claim,
      );
      assert.ok(new RegExp(where) && new RegExp(against));
    }
  }
});
