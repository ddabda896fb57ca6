import assert from "node:assert/strict";
import { claimsFigure, claimsTable } from "../../lib/report/claims-table.ts";
import { testClaims, type TestedClaim } from "../../lib/report/claims.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { paperTable } from "../../lib/report/paper.ts";
import { openStore, putEpisode, putStudy, type Store } from "../../lib/store/mod.ts";

/** An episode: condition, game, seed, and its score, where it is completed. */
type Row = readonly [condition: string, game: string, seed: number, score: number | undefined];

function storeWith(rows: readonly Row[], world = "babyai"): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  rows.forEach(([condition, game, seed, score], i) => {
    const episode = { id: `e${i}`, study: "s", lane: `l${i}`, ordinal: 0, identity: {}, world, worldParams: {}, label: game };
    putEpisode(store, { ...episode, method: "m", memory: "none", condition, backbone: "offline", attempt: 1, seed });
    if (score === undefined) return;
    store.prepare("update episodes set status = 'completed', score = ?, max_score = 1, steps = 10 where id = ?").run(score, `e${i}`);
  });
  return store;
}

/** GraphMind's claim on 4 × 4 rooms (the graph succeeds more often than the stack, margin 0.1) over layouts. */
function tested(rows: readonly Row[], text = "In 4×4 rooms the graph succeeds more often"): TestedClaim {
  using store = storeWith(rows);
  const found = testClaims({ file: "graphmind_claims" }, store, ["s"]).find(({ claim }) => claim.startsWith(text));
  assert.ok(found);
  return found;
}

/** Layouts on which graph and stack have these mean scores over four seeds. */
function layouts(scores: readonly (readonly [graph: number, stack: number])[], size = "4x4"): Row[] {
  return scores.flatMap(([graph, stack], i) =>
    [1, 2, 3, 4].flatMap((seed): Row[] => [
      ["kg", `put-next-to/${size}-d1-${i}`, seed, seed <= 4 * graph ? 1 : 0],
      ["sm", `put-next-to/${size}-d1-${i}`, seed, seed <= 4 * stack ? 1 : 0],
    ])
  );
}

const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value);

Deno.test("testClaims() supports a claim whose interval over clusters lies on its side", () => {
  const { verdict, pairs, clusters, difference, low, high, p } = tested(
    layouts([...repeat(8, [1, 0.25] as const), [0.75, 0.5], [0.75, 0.25]]),
  );
  assert.deepEqual([verdict, pairs, clusters], ["supported", 40, [10]]);
  assert.ok(Math.abs((difference ?? NaN) - 0.675) < 1e-12);
  // eight gaps of 0.75, one of 0.25 and one of 0.5: an unseen share of 1 − 0.025^(1/10) = 0.3085 may be at −1; Student's upper end is 0.796, theirs 0.775
  assert.deepEqual([low?.toFixed(3), high?.toFixed(3)], ["0.158", "0.796"]);
  assert.equal(p?.toFixed(4), (2 * (1 - 0.675 / 1.675) ** 10).toFixed(4));
  // gaps of 0.25, 0.5, 0.75 and 1 in turn: Student's, 0.625 ± 2.2010 · 0.2919 / √12
  const spread = tested(layouts(repeat(3, [[1, 0.75], [1, 0.5], [1, 0.25], [1, 0]] as const).flat()));
  assert.deepEqual([spread.verdict, spread.low?.toFixed(3), spread.high?.toFixed(3)], ["supported", "0.440", "0.810"]);
});

Deno.test("testClaims() contradicts a claim when no advantage that counts is left", () => {
  assert.equal(tested(layouts([...repeat(8, [0.25, 1] as const), [0.25, 0.75]])).verdict, "contradicted");
  const equal = tested(layouts(repeat(40, [0.5, 0.5])));
  assert.deepEqual([equal.verdict, equal.difference], ["contradicted", 0]); // 40 layouts without any difference leave at most 0.088
  assert.deepEqual([equal.low?.toFixed(3), equal.high?.toFixed(3)], ["-0.088", "0.088"]);
});

Deno.test("testClaims() cannot tell where no difference is told and the other condition is as good or as bad as can be", () => {
  const at = (graph: number, stack: number, count = 40): unknown[] => {
    const { verdict, isAtBound, needed } = tested(layouts(repeat(count, [graph, stack])));
    assert.ok(isAtBound);
    return [verdict, needed];
  };
  assert.deepEqual([at(1, 1), at(0, 0)], repeat(2, ["cannot tell", undefined]));
  assert.deepEqual(at(1, 1, 4), ["cannot tell", undefined], "more layouts would not tell");
  assert.deepEqual(at(0.5, 1), ["contradicted", undefined], "it is worse, which the best rival does not excuse");
  assert.deepEqual([at(0.5, 0)[0], at(1, 0, 2)], ["supported", ["cannot tell", 6]]);
  // of a rival that is 0.05 from the best an advantage of 0.1 has no room, of one that is 0.15 from it it has: 40 gaps of 0 leave at most 0.088
  const near = (stack: number): string => {
    const rows = Array.from(
      { length: 40 },
      (_, i): Row[] =>
        ["kg", "sm"].flatMap((name) =>
          Array.from({ length: 20 }, (_, seed): Row => [name, `put-next-to/4x4-d1-${i}`, seed, seed < 20 * stack ? 1 : 0])
        ),
    ).flat();
    return tested(rows).verdict;
  };
  assert.deepEqual([near(0.95), near(0.85)], ["cannot tell", "contradicted"]);
});

Deno.test("testClaims() does not contradict a claim of a small advantage, nor one that chance contradicts in many tests", () => {
  const others = layouts([[1, 0.75], [0.75, 1]], "7x7"); // two more claims, of no effect
  // 60 gaps of 0 and 60 of 0.1, below the margin: an unseen share of 1 − 0.025^(1/120) = 0.0303 may be at −1 or 1
  const halves = Array.from({ length: 120 }, (_, i): Row[] =>
    Array.from({ length: 10 }, (_, seed): Row[] => [
      ["kg", `put-next-to/4x4-d1-${i}`, seed, seed < 5 + i % 2 ? 1 : 0],
      ["sm", `put-next-to/4x4-d1-${i}`, seed, seed < 5 ? 1 : 0],
    ]).flat()).flat();
  const small = tested([...halves, ...others]);
  assert.deepEqual([small.verdict, small.low?.toFixed(3), small.high?.toFixed(3)], ["supported", "0.018", "0.079"]);
  // −0.25, −0.5 twice each, 0 three times and 0.25; SciPy: below 0.0654, p of a difference from 0.1 = 0.0292
  const rows = layouts([...repeat(2, [0.5, 0.75] as const), ...repeat(2, [0.25, 0.75] as const), ...repeat(3, [0.5, 0.5] as const), [
    0.75,
    0.5,
  ]]);
  assert.deepEqual([tested(rows).verdict, tested(rows).p?.toFixed(4), tested(rows).high?.toFixed(3)], ["contradicted", "0.0292", "0.065"]);
  assert.equal(tested([...rows, ...others]).verdict, "cannot tell");
});

Deno.test("testClaims() gives the difference of a claim that there is less as it is", () => {
  const rows = repeat(6, 0).flatMap((
    _,
    i,
  ): Row[] => [["kg-llm-actor", `put-next-to/2x2-d1-${i}`, 1, i === 0 ? 0.75 : 0.25], ["kg", `put-next-to/2x2-d1-${i}`, 1, 1]]);
  const { difference, low, high, verdict } = tested(rows, "A model as actor succeeds less often");
  // −0.25, five times −0.75: mean −0.6667, Student's lower end − 2.5706 · 0.2041 / √6; an unseen share of 1 − 0.025^(1/6) = 0.4593 may be at 1
  assert.deepEqual([difference?.toFixed(3), low?.toFixed(3), high?.toFixed(3), verdict], ["-0.667", "-0.881", "0.099", "cannot tell"]);
});

Deno.test("testClaims() cannot tell from few clusters, and says how many would", () => {
  const few = tested(layouts(repeat(3, [0.5, 0.5])));
  assert.deepEqual([few.verdict, few.needed], ["cannot tell", 36]);
  // five layouts and a wide gap: were sides as likely, all would lie on one in 6 % of cases
  const clear = layouts([[1, 0.5], [1, 0.25], [0.75, 0.5], [1, 0], [1, 0.5]]);
  const five = tested(clear);
  assert.ok((five.low ?? 0) > 0.2 && five.verdict === "cannot tell" && five.needed === 6, JSON.stringify(five));
  assert.equal(
    tested([...clear, ...layouts([[1, 0], [1, 0.25]]).map(([c, game, ...rest]): Row => [c, game.replace("d1", "d3"), ...rest])]).verdict,
    "supported",
  );
  const alone = tested(layouts([[1, 0]]));
  assert.deepEqual([alone.verdict, alone.low, alone.p], ["cannot tell", undefined, undefined]); // one layout, however many seeds
});

Deno.test("testClaims() counts a layout once however often it is played", () => {
  const some = layouts([[1, 0], [1, 0.5], [0.5, 0.5]]);
  const often = some.concat(some.filter(([, game]) => game.endsWith("0")).map(([c, g, seed, score]): Row => [c, g, seed + 10, score]));
  const [once, twice] = [tested(some), tested(often)];
  assert.equal(twice.pairs, once.pairs + 4);
  assert.deepEqual([twice.difference, twice.low, twice.clusters], [once.difference, once.low, once.clusters]);
});

Deno.test("testClaims() compares gains in two sizes, and names what is not played or incomplete", () => {
  const both = [...layouts(repeat(40, [1, 0]), "7x7"), ...layouts([...repeat(39, [0.5, 0.5] as const), [0.75, 0.5]], "4x4")];
  assert.equal(tested(both, "The graph gains more on the stack in 7×7").verdict, "supported");
  assert.equal(tested(layouts([[1, 0]]), "In 7×7 rooms the graph succeeds").verdict, "not played");
  // steps to success: no layout of 7×7 rooms in which both succeed
  assert.equal(
    tested(layouts([[1, 0], [1, 0]], "7x7"), "In 7×7 rooms the graph takes fewer decision steps to success").verdict,
    "cannot tell",
  );
  const missing = layouts(repeat(8, [1, 0])).map((row, i): Row => i === 0 ? [row[0], row[1], row[2], undefined] : row);
  assert.equal(tested(missing).verdict, "incomplete");
});

Deno.test("testClaims() does not take a side whose few layouts agree for exactly known", () => {
  const grown = (layoutsOf2x2: number): TestedClaim =>
    tested(
      [3, 2].flatMap((size) =>
        Array.from({ length: size === 3 ? 30 : layoutsOf2x2 }, (_, i): Row[] => [
          ["kg", `put-next-to/${size}x${size}-d1-${i}`, 1, size === 3 && i % 2 === 0 ? 1 : 0.25],
          ["none", `put-next-to/${size}x${size}-d1-${i}`, 1, 0.25],
        ]).flat()
      ),
      "The graph gains more on no memory in 3×3 rooms than in 2×2",
    );
  // 15 gains of 0.75 and 15 of 0: 0.375 ± 2.0452 · 0.38139/√30 = 0.1424; two equal gains of 0: ± (1 − 0.025^½) = 0.8419
  const [few, many] = [grown(2), grown(30)];
  assert.deepEqual([few.verdict, few.low?.toFixed(3), few.high?.toFixed(3)], ["cannot tell", "-0.479", "1.229"]); // √(0.1424² + 0.8419²) = 0.8538
  // thirty: ± (1 − 0.025^(1/30)) = 0.1157, and √(0.1424² + 0.1157²) = 0.1835
  assert.deepEqual([many.verdict, many.low?.toFixed(3), many.high?.toFixed(3)], ["supported", "0.192", "0.558"]);
});

Deno.test("testClaims() names more clusters than were played", () => {
  // 0 and 0.25 in turn: 0.125 ± 0.112 clears 0 before the correction for the other claims alone
  const some = [
    ...layouts(repeat(4, [[0.75, 0.5], [0.5, 0.5]] as const).flat()),
    ...layouts(repeat(6, [[1, 0.75], [1, 1]] as const).flat(), "7x7"),
  ];
  const small = tested(some);
  assert.ok(
    (small.low ?? 0) > 0 && small.verdict === "cannot tell" && (small.needed ?? 0) > 8,
    JSON.stringify({ ...small, episodes: [] }),
  );
  // of two gains, where the error towards the upper end is not that towards the lower one
  for (const n of [3, 4, 5, 6]) {
    const two = [
      ...layouts([...repeat(10, [0.75, 0.5] as const), ...repeat(20, [0.5, 0.5] as const)], "7x7"),
      ...layouts(repeat(n, [1, 0])),
    ];
    const gain = tested(two, "The graph gains more on the stack in 7×7");
    assert.ok(gain.verdict !== "cannot tell" || (gain.needed ?? 0) > n, `${n}: ${JSON.stringify(gain)}`);
  }
});

Deno.test("testClaims() is not told more by a hair between clusters that agree", () => {
  // W7: success in ScienceWorld is no less with exploring, margin 0.05; 20 tasks without a difference leave an unseen share of 0.1684
  const of = (hair: number): TestedClaim => {
    const rows = Array.from({ length: 20 }, (_, i): Row[] => [
      ["act-sese", `scienceworld/${i}`, 1, 0.5],
      ["act-wese", `scienceworld/${i}`, 1, i === 0 ? 0.5 + hair : 0.5],
    ]).flat();
    using store = storeWith(rows, "scienceworld");
    return testClaims({ file: "wese_claims" }, store, ["s"]).find(({ id }) => id === "W7") ?? assert.fail();
  };
  for (const hair of [0, 0.01, -0.01]) {
    const { verdict, low = 0 } = of(hair);
    assert.deepEqual([verdict, low < -0.16], ["cannot tell", true], `${hair}`);
  }
});

Deno.test("testClaims() pairs episodes of one study, and tells nothing where the ratio of a pair is 0", () => {
  using store = storeWith(layouts([[1, 0]]).filter(([condition]) => condition === "kg"));
  putStudy(store, { id: "other", spec: {}, createdAt: 0 });
  layouts([[1, 0]]).filter(([condition]) => condition === "sm").forEach(([condition, game, seed, score], i) => {
    const episode = { id: `o${i}`, study: "other", lane: `l${i}`, ordinal: 0, identity: {}, world: "babyai", worldParams: {}, label: game };
    putEpisode(store, { ...episode, method: "m", memory: "none", condition, backbone: "offline", attempt: 1, seed });
    store.prepare("update episodes set status = 'completed', score = ?, max_score = 1, steps = 10 where id = ?").run(score ?? 0, `o${i}`);
  });
  assert.equal(testClaims({ file: "graphmind_claims" }, store, ["s", "other"]).find(({ id }) => id === "G4")?.verdict, "not played");

  using some = storeWith(layouts(repeat(20, [1, 1]), "2x2"));
  const steps = new Map(
    some.prepare("select id, condition, label from main.episodes").all().map(({ id, condition, label }, i) =>
      [String(id), condition === "sm" ? 20 : /-(?:\d|1[01])$/.test(String(label)) ? 0 : 39 + i % 3] as const
    ),
  );
  const fewer = testClaims({ file: "graphmind_claims", measures: { steps: () => steps } }, some, ["s"]).find(({ id }) => id === "G10");
  // twelve of twenty layouts in 0 steps against 20: the eight that have a ratio would contradict the claim
  assert.deepEqual([fewer?.verdict, fewer?.pairs, fewer?.valueless, (fewer?.low ?? 0) > 0], ["cannot tell", 32, 48, true]);
});

/** AriGraph's claims over games of Cleaning, which takes points away: the scores of conditions, a game each. */
function cleaned(id: string, scores: Readonly<Record<string, readonly number[]>>): TestedClaim {
  const rows = Object.entries(scores).flatMap(([condition, all]) =>
    all.map((score, seed): Row => [condition, "textworld/cleaning", seed, score])
  );
  using store = storeWith(rows, "textworld/cleaning");
  return testClaims({ file: "arigraph_claims" }, store, ["s"]).find((claim) => claim.id === id) ?? assert.fail();
}

Deno.test("testClaims() keeps to what scores of a world can be, and gives no interval of equal differences without a bound", () => {
  const wide = cleaned("A10", { arigraph: [1, 1, 1], "full-history": [-0.3, -0.4, -0.5] });
  // 1.4 ± 4.3027 · 0.1/√3: Cleaning goes below 0, so that differences may be above 1
  assert.deepEqual([wide.low?.toFixed(3), wide.high?.toFixed(3)], ["1.152", "1.648"]);
  const equal = cleaned("A10", { arigraph: [1, 0.9, 0.8, 0.7, 0.6, 1], "full-history": [0.5, 0.4, 0.3, 0.2, 0.1, 0.5] });
  assert.deepEqual([equal.verdict, equal.low, equal.p], ["cannot tell", undefined, undefined]);
});

Deno.test("testClaims() says no number of clusters where the difference lies on its margin", () => {
  const points = [[8, 5], [13, 9], [20, 21], [11, 10], [17, 13]].map(([mine = 0, less = 0]) => [mine / 22, less / 22] as const); // −11/22 in all
  const on = cleaned("A18", { arigraph: points.map(([mine]) => mine), "arigraph-without-episodic": points.map(([, less]) => less) });
  assert.ok(Math.abs((on.difference ?? 0) + 0.1) < 1e-12);
  assert.deepEqual([on.verdict, on.needed], ["cannot tell", undefined]);
});

Deno.test("the variations of a task of ScienceWorld are one cluster, households are one each", () => {
  // ReAct gains 0.5 in each of 40 variations of two tasks, and nothing in those of four others: six tasks, not 240 games
  const rows = Array.from({ length: 6 }, (_, task) => task).flatMap((task) =>
    Array.from({ length: 40 }, (_, seed): Row[] => [
      ["act", `scienceworld/task-${task}`, seed, 0.25],
      ["react", `scienceworld/task-${task}`, seed, task < 2 ? 0.75 : 0.25],
    ]).flat()
  );
  const testedIn = (world: string): TestedClaim => {
    using store = storeWith(rows.map(([condition, game, ...rest]) => [condition, game.replace("scienceworld", world), ...rest]), world);
    return testClaims({ file: "wese_claims" }, store, ["s"]).find(({ id }) => id === "W1") ?? assert.fail();
  };
  const { clusters, low, high, verdict } = testedIn("scienceworld");
  // 1/6 ± 2.5706 · √(1/15)/√6, and an unseen share 1 − 0.025^(1/6) = 0.459 of the four that agree may lose or gain all
  assert.deepEqual([clusters, verdict, (low ?? 0) < 1 / 6 - 0.27, (high ?? 0) > 1 / 6 + 0.27], [[6], "cannot tell", true, true]);
  assert.deepEqual([testedIn("alfworld").clusters, testedIn("alfworld").verdict], [[240], "supported"]);
});

Deno.test("the claims of each paper can be read", () => {
  for (const paper of ["arigraph", "graphmind", "reasonplanner", "wese"]) {
    const rows = paperTable(`${paper}_claims`);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    for (const { claim = "", source, a = "", b = "", where = "", against = "", cluster = "", direction = "", margin } of rows) {
      assert.ok(claim && source && Number(margin) > 0, claim);
      assert.equal(a.split("|").length, b.split("|").length);
      assert.ok(
        ["more", "less", "no more", "no less"].includes(direction) && ["case", "game", "case (game in scienceworld)"].includes(cluster),
        claim,
      );
      assert.ok(new RegExp(where) && new RegExp(against));
    }
  }
});

Deno.test("the claims of Treasure Hunt Hard are of the baselines that the paper's table has there", () => {
  const hard = paperTable("arigraph_claims").filter(({ where }) => where === "^textworld/hunt-hard$");
  const printed = paperTable("arigraph_table4_textworld").filter((row) =>
    row["treasure_hunt_hard"] && !row["method"]?.startsWith("AriGraph")
  );
  assert.deepEqual(
    hard.map(({ b }) => b).sort(),
    printed.map(({ method }) => method?.toLowerCase()).filter((name) => !name?.startsWith("human")).sort(),
  );
});

Deno.test("the claim of the cooking benchmark is of closed doors, as the authors played", () => {
  const games = [3, 4].flatMap((level) => [0, 1, 2].flatMap((game) => [`rl-${level}-${game}`, `rl-${level}-${game}-gata`]));
  const rows = games.flatMap((game): Row[] => [["arigraph", game, 1, 1], ["full-history", game, 1, 0.5]]);
  using store = storeWith(rows, "textworld/rl-benchmark");
  assert.deepEqual(testClaims({ file: "arigraph_claims" }, store, ["s"]).find(({ id }) => id === "A19")?.clusters, [6]);
});

Deno.test("a graph that is asked by tools and strong exploration's steps are compared", () => {
  const pairs = [["graphmind", "G14", "kg", "kg-static", "put-next-to/2x2-d1-"], ["wese", "W16", "act-sese", "act", "fever/"]] as const;
  for (const [paper, id, a, b, game] of pairs) {
    const rows = repeat(8, 0).flatMap((_, i): Row[] => [[a, `${game}${i}`, 1, 1], [b, `${game}${i}`, 1, 0]]);
    using store = storeWith(rows);
    assert.deepEqual(testClaims({ file: `${paper}_claims` }, store, ["s"]).find((claim) => claim.id === id)?.clusters, [8]);
  }
});

Deno.test("claimsTable() says where the paper's condition has too few clusters, and that part of them was played", () => {
  const cells = (id: string, scores: Readonly<Record<string, number>>, lesser: string): readonly unknown[] => {
    const rows = Object.entries(scores).flatMap(([task, score]) =>
      [1, 2, 3].flatMap((seed): Row[] => [["reasonplanner", task, seed, score], [lesser, task, seed, 0.5]])
    );
    using store = storeWith(rows, "scienceworld");
    const claims = testClaims({ file: "reasonplanner_claims" }, store, ["s"]);
    const { columns, rows: shown } = claimsTable(claims, { prefix: "", backbone: "offline", paper: "ReasonPlanner" });
    return ["Clusters", "Clusters needed"].map((column) => shown[claims.findIndex((claim) => claim.id === id)]?.[columns.indexOf(column)]);
  };
  const three = { melt: 1, "inclined-plane-determine-angle": 0.9, "inclined-plane-friction-named-surfaces": 0.8 };
  assert.deepEqual(cells("R4", three, "saycan"), ["3", "more than the 3 there are"]);
  const spread = { melt: 1, "test-conductivity": 0, "lifespan-longest-lived": 0.6 };
  const wide = cells("R7", spread, "reasonplanner-without-world-model");
  assert.deepEqual(wide, ["3, part of the 6 there are", "more than the 6 there are"]);
  assert.deepEqual(cells("R1", { melt: 1, boil: 0.9, freeze: 0.8 }, "saycan"), ["3, part of the 30 there are", "6"]);
  assert.deepEqual(cells("R8", {}, "saycan"), ["0", "more than the 3 there are"]); // not played
});

Deno.test("claimsTable() and claimsFigure() show each claim with its verdict", async () => {
  using store = storeWith(layouts([...repeat(8, [1, 0.25] as const), [0.75, 0.5]]));
  const claims = testClaims({ file: "graphmind_claims" }, store, ["s"]);
  const naming = { prefix: "graphmind-", backbone: "offline", paper: "GraphMind" };
  const table = claimsTable(claims, naming);
  assert.equal(table.id, "graphmind-claims-offline");
  assert.equal(table.rows.length, claims.length);
  assert.ok(table.rows.some((row) => row.includes("supported")));
  const figure = claimsFigure(claims, naming);
  assert.ok(figure);
  assert.match(await toSvg(figure), /the graph succeeds more often than the stack/);
  assert.doesNotMatch(figure.caption, /arrows|right of −1/);
  const [told] = claims.filter(({ low }) => low !== undefined);
  assert.ok(told);
  const long = [{ ...told, claim: "a claim of many words ".repeat(8), direction: "no less" as const }, { ...told, id: "X2" }];
  const forest = await toSvg(claimsFigure(long, naming) ?? figure);
  const [upper = NaN, lower = NaN] = [...forest.matchAll(/text-anchor="end" transform="translate\(-7,([\d.]+)\)/g)].map(([, y]) =>
    Number(y)
  );
  assert.ok(lower - upper > 40, forest); // the lines of the first label, and room between the two
  assert.equal(forest.match(/stroke-dasharray/g)?.length, 2);
  const wide = claims.map((claim) => ({ ...claim, low: claim.low === undefined ? undefined : -99 }));
  assert.match(claimsFigure(wide, naming)?.caption ?? "", /cut at 15 margins \(arrows\)/);
});
