import assert from "node:assert/strict";
import { type Advantage, advantagesOf, breakEvens } from "../../lib/report/advantage.ts";
import { pairsOf } from "../../lib/report/pairs.ts";
import { breakEvenFigure, breakEvenTable, phaseFigure } from "../../lib/report/figures/phase.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { rowsOf } from "../../lib/report/frame.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { type ExperimentRow, MEASURES, type PlayedExperiment } from "../../lib/report/experiment.ts";

/** Rows of two memories in games of a size, with the scores given; null is an episode that is not completed. */
function rows(rooms: number, scores: Readonly<Record<string, readonly (number | null)[]>>, { model = "player" } = {}): ExperimentRow[] {
  return Object.entries(scores).flatMap(([memory, values]) =>
    values.map((score, game): ExperimentRow => ({
      episode: `${memory} ${rooms} ${game}`,
      condition: memory,
      status: score === null ? "failed" : "completed",
      seed: "1",
      game: `${rooms} rooms, game ${game}`,
      world: "textworld/hunt",
      factors: { world: `${rooms} rooms`, rooms, game, memory, model },
      values: { score, won: null, steps: null, calls: null, tokens: null, dollars: null },
    }))
  );
}

function played(all: readonly ExperimentRow[]): Pick<PlayedExperiment, "rows" | "levels" | "measures"> {
  const names = Object.keys(all[0]?.factors ?? {});
  return {
    measures: MEASURES,
    rows: all,
    levels: new Map(names.map((name) => [name, [...new Set(all.map(({ factors }) => factors[name] ?? null))]])),
  };
}

Deno.test("advantagesOf() pairs games, and tells only where the interval over them leaves 0 out", () => {
  const { rows: found } = advantagesOf(
    played([
      ...rows(64, { arigraph: [0.6, 0.7, 0.9, 1], rag: [0.5, 0.5, 0.6, 0.6] }), // told last: numbers ascend along x. 0.1, 0.2, 0.3, 0.4: 0.25 ± 3.182 · 0.1291/2
      ...rows(12, { arigraph: [0.5, 0.6, 0.7], rag: [0.6, 0.8, 0.9] }), // −0.1, −0.2, −0.2: most agree, an unseen share of 0.708 may be at −1 or 1
      ...rows(36, { arigraph: [1, 0.5, null], rag: [0.5, 0.5, 0] }), // the game that failed has no pair: 0.5, 0
      ...rows(49, { arigraph: [1], rag: [0] }),
      ...rows(50, { arigraph: [0.1, 0.7, 0.1, 0.1, 0.1], rag: [0.3, 0.9, 0.3, 0.3, 0.3] }),
      ...rows(51, { arigraph: [0.1, 0.7, 0.1, 0.1, 0.1, 0.1], rag: [0.3, 0.9, 0.3, 0.3, 0.3, 0.3] }),
      ...rows(53, { arigraph: [0.5, 0.5, 0.5, 0.5], rag: [0.6, 0.7, 0.8, 0.9] }), // −0.25 ± 3.182 · 0.1291/2
    ]),
    { x: "rooms" },
  );
  const short = (
    { x, mean, low, high, games, lead }: Advantage,
  ): unknown[] => [x, ...[mean, low, high].map((n) => n?.toFixed(3)), games, lead];
  assert.deepEqual(found.map(short), [
    [12, "-0.167", "-0.756", "0.659", 3, "cannot tell"],
    [36, "0.250", "-1.000", "1.000", 2, "cannot tell"], // t(0.975, 1) = 12.706, s/√2 = 0.25: beyond what scores of a hunt can differ by
    [49, "1.000", undefined, undefined, 1, "cannot tell"],
    [50, "-0.200", "-0.617", "0.426", 5, "cannot tell"], // games that agree say nothing of a spread: an unseen share of 1 − 0.025^(1/5) may be at −1 or 1
    [51, "-0.200", "-0.567", "0.351", 6, "cannot tell"],
    [53, "-0.250", "-0.455", "-0.045", 4, "behind"],
    [64, "0.250", "0.045", "0.455", 4, "ahead"],
  ]);
});

Deno.test("advantagesOf() tells nothing where no interval is known: of equal differences in steps, or of replicates that cancel", () => {
  const all = rows(12, { arigraph: [1, 1, 1, 1, 1, 1], rag: [0, 0, 0, 0, 0, 0] });
  const steps = all.map((row) => ({ ...row, values: { ...row.values, steps: row.condition === "rag" ? 50 : 100 } }));
  const [found] = advantagesOf(played(steps), { x: "rooms", of: "steps" }).rows;
  assert.deepEqual([found?.mean, found?.low, found?.high, found?.lead], [50, undefined, undefined, "cannot tell"]);
  const replicate = (seed: string, gap: number): ExperimentRow[] =>
    rows(12, { arigraph: [0.3, 0.7, 0.2].map((score) => score + gap), rag: [0.3, 0.7, 0.2] }).map((row) => ({
      ...row,
      seed,
      world: "textworld/cleaning",
    }));
  const [none] = advantagesOf(played([...replicate("1", 0.1), ...replicate("2", -0.1)]), { x: "rooms" }).rows;
  assert.ok(Math.abs(none?.mean ?? 1) < 1e-15 && none?.lead === "cannot tell", JSON.stringify(none));
});

Deno.test("advantagesOf() pairs episodes of the same level of every other factor, and refuses to choose between several", () => {
  const withK = (k: number, scores: Readonly<Record<string, readonly number[]>>): ExperimentRow[] =>
    rows(12, scores).map((row) => ({ ...row, episode: `${row.episode} ${k}`, factors: { ...row.factors, k } }));
  const both = [...withK(1, { arigraph: [0.2, 0.3], rag: [0.1, 0.1] }), ...withK(5, { arigraph: [0.9, 0.9], rag: [0.8, 0.7] })];
  const [found] = advantagesOf(played(both), { x: "rooms" }).rows; // games 0.1, 0.1 and 0.2, 0.2
  assert.deepEqual([found?.mean.toFixed(3), found?.games], ["0.150", 2]);
  const doubled = [...withK(1, { arigraph: [0.2, 0.3] }), ...withK(2, { rag: [0.1, 0.1] }), ...withK(5, { rag: [0.8, 0.7] })];
  assert.throws(() => advantagesOf(played(doubled), { x: "rooms" }), {
    name: "UsageError",
    message: /cannot pair arigraph with rag: 2 episodes of the latter are of 12 rooms, game 0, seed 1, with other k;/,
  });
});

Deno.test("advantagesOf() takes seeds where there is one game, each once", () => {
  const seeds = [0.1, 0.2, 0.3].flatMap((gap, seed) =>
    ["x", "y"].flatMap((tool) =>
      rows(12, { arigraph: [0.5 + gap], rag: [0.5] }).map((row) => ({
        ...row,
        episode: `${row.episode} ${seed} ${tool}`,
        seed: `${seed}`,
        factors: { ...row.factors, tool },
      }))
    )
  );
  const [found] = advantagesOf(played(seeds), { x: "rooms" }).rows;
  // 0.1, 0.2 and 0.3, whatever the tool: 0.2 ± 4.3027 · 0.1/√3
  assert.deepEqual([found?.games, found?.low?.toFixed(3), found?.high?.toFixed(3), found?.lead], [1, "-0.048", "0.448", "cannot tell"]);
});

Deno.test("advantagesOf() keeps models apart and names an unknown memory or factor", () => {
  const all = played([
    ...rows(12, { arigraph: [1, 1], rag: [0, 0.5] }, { model: "good" }),
    ...rows(12, { arigraph: [0, 0], rag: [1, 0.5] }, { model: "bad" }),
  ]);
  const { rows: found } = advantagesOf(all, { x: "rooms" });
  assert.deepEqual(found.map(({ y, mean }) => [y, mean]), [["good", 0.75], ["bad", -0.75]]);
  assert.throws(() => advantagesOf(all, { x: "room" }), /did you mean "rooms"/);
  assert.throws(() => advantagesOf(all, { x: "rooms", than: ["rga"] }), /no memory "rga"; did you mean "rag"/);
});

Deno.test("breakEvens() interpolates in the logarithm, and says where there is no crossing", () => {
  const at = (scores: readonly number[], better?: "less"): unknown => {
    const sizes = [10, 20, 40];
    const all = sizes.flatMap((size, i) => rows(size, { arigraph: [scores[i] ?? 0], rag: [0.5] }));
    const point = breakEvens(advantagesOf(played(all), { x: "rooms" }), { better })[0]?.point;
    return !point ? undefined : "at" in point ? Number(point.at.toFixed(3)) : point.text;
  };
  const from0 = [0, 10].flatMap((size, i) => rows(size, { arigraph: [i === 0 ? 0.25 : 0.75], rag: [0.5] }));
  assert.deepEqual(breakEvens(advantagesOf(played(from0), { x: "rooms" }))[0]?.point, { at: 5, digits: 0, isTold: false });
  assert.equal(at([0.25, 0.25, 0.75]), 28.284); // half-way between 20 and 40 in the logarithm
  assert.equal(at([0.4, 0.8, 0.9]), 11.892); // a quarter of the way from 10 to 20: 10 · 2^¼
  assert.equal(at([0.5, 0.6, 0.7]), "never behind from 10 on (not told)");
  assert.equal(at([0.1, 0.2, 0.3]), "not up to 40 (not told)");
  assert.equal(at([0.9, 0.9, 0.3]), "lost after 20 (not told)");
  assert.equal(at([0.75, 0.75, 0.25], "less"), 28.284);
  assert.equal(at([0.9, 0.9, 0.9], "less"), "not up to 40 (not told)");
});

Deno.test("breakEvens() takes a tie for no lead, and tells a lead that is lost whatever follows", () => {
  const at = (...differences: readonly number[]): unknown => {
    const all = differences.flatMap((gap, i) => rows([12, 16, 36, 49][i] ?? 0, { arigraph: [0.5 + gap], rag: [0.5] }));
    const point = breakEvens(advantagesOf(played(all), { x: "rooms" }))[0]?.point;
    return point && "at" in point ? point.at.toFixed(point.digits) : point?.text;
  };
  assert.equal(at(-0.05, 0, -0.03), "not up to 36 (not told)");
  assert.equal(at(0, 0, 0), "equal throughout");
  assert.equal(at(0, 0, 0.1), "never behind from 12 on (not told)");
  assert.equal(at(-0.05, 0, 0, 0.1), "16"); // the first place at which it is even
  assert.equal(at(0.05, -0.08, 0), "lost after 12 (not told)");
  assert.equal(at(0.05, 0, -0.08), "lost after 12 (not told)");
  assert.equal(at(0.05, -0.1, 0.1), "lost after 12, again from 24 (not told)"); // √(16 · 36)
  assert.equal(at(-0.1, -0.1, 0.1, -0.1), "24, lost after 36 (not told)");
});

Deno.test("breakEvens() shows few digits of a point beside a neighbour", () => {
  const at = (before: number, after: number, low: number, high: number): unknown => {
    const all = [...rows(before, { arigraph: [0.5 + low], rag: [0.5] }), ...rows(after, { arigraph: [0.5 + high], rag: [0.5] })];
    const point = breakEvens(advantagesOf(played(all), { x: "rooms" }))[0]?.point;
    return point && "at" in point ? point.at.toFixed(point.digits) : point?.text;
  };
  assert.equal(at(5, 10, -0.0005, 0.499), "5.00"); // 5.0035
  assert.equal(at(5, 10, -0.005, 0.495), "5.03");
  assert.equal(at(0.05, 0.1, -0.2, 0.2), "0.07");
});

Deno.test("breakEvens() hedges what the interval of its own place leaves open, and keeps a point between its neighbours", () => {
  const told = (gap: number): Readonly<Record<string, readonly number[]>> => ({
    arigraph: [0.5, 0.5, 0.5, 0.5],
    rag: [0.1, 0.2, 0.3, 0.4].map((more) => 0.5 - Math.sign(gap) * more),
  });
  const hair = (gap: number): Readonly<Record<string, readonly number[]>> => ({
    arigraph: [0.5, 0.5, 0.5, 0.5 + 4 * gap],
    rag: [0.5, 0.5, 0.5, 0.5],
  });
  const at = (...line: readonly [x: number, scores: Readonly<Record<string, readonly number[]>>][]): unknown =>
    breakEvens(advantagesOf(played(line.flatMap(([x, scores]) => rows(x, scores))), { x: "rooms" }))[0]?.point;
  assert.deepEqual(at([5, told(1)], [10, hair(-0.001)]), { text: "lost after 5 (not told)" });
  assert.deepEqual(at([5, told(1)], [10, told(-1)]), { text: "lost after 5" });
  assert.deepEqual(at([5, told(-1)], [10, hair(-0.001)]), { text: "not up to 10 (not told)" });
  assert.deepEqual(at([5, hair(0.001)], [10, told(1)]), { text: "never behind from 5 on (not told)" });
  assert.deepEqual(at([5, told(1)], [10, hair(0.001)]), { text: "never behind from 5 on" });
  assert.deepEqual(at([1, told(-1)], [2, told(1)]), { at: Math.SQRT2, digits: 1, isTold: true });
});

Deno.test("pairsOf() pairs no two models unless these are compared", () => {
  const [gpt, llama] = ["gpt", "llama"].map((model) => rows(12, { rag: [0.5] }, { model })) as [ExperimentRow[], ExperimentRow[]];
  assert.deepEqual([pairsOf(gpt, llama).length, pairsOf(gpt, gpt).length, pairsOf(gpt, llama, "model").length], [0, 1, 1]);
});

Deno.test("breakEvenTable() says where the interval lies behind", () => {
  using store = openStore(":memory:");
  const all = [
    ...rows(12, { arigraph: [0.5, 0.5, 0.5, 0.5], rag: [0.6, 0.7, 0.8, 0.9] }),
    ...rows(16, { arigraph: [0.5, 0.6, 0.7, 0.5], rag: [0.5, 0.7, 0.7, 0.5] }),
    ...rows(36, { arigraph: [0.1, 0.2, 0.3, 0.4], rag: [0.5, 0.5, 0.6, 0.6] }),
  ];
  const experiment: PlayedExperiment = { ...played(all), study: "s", backbone: "player", embedder: "lexical-v1" };
  assert.deepEqual(breakEvenTable(store, experiment, { x: "rooms" }).rows, [["player", "not up to 36; behind at 12 and 36"]]);
});

Deno.test("where less is better, the lead is of the lesser, the sign that of the number", () => {
  using store = openStore(":memory:");
  const spent = (rooms: number, mine: readonly number[], others: readonly number[]): ExperimentRow[] =>
    rows(rooms, { arigraph: mine, rag: others }).map((row) => ({ ...row, values: { ...row.values, dollars: row.values.score ?? null } }));
  const all = [
    ...spent(12, [0.5, 0.5, 0.5, 0.5], [0.6, 0.7, 0.8, 0.9]), // −0.25 ± 0.205: it saves
    ...spent(16, [0.6, 0.7, 0.8, 0.9], [0.5, 0.5, 0.5, 0.5]), // it costs
    ...spent(36, [0.5, 0.6, 0.5, 0.5], [0.5, 0.5, 0.6, 0.5]),
  ];
  const experiment: PlayedExperiment = { ...played(all), study: "s", backbone: "player", embedder: "lexical-v1" };
  const options = { x: "rooms", of: "dollars" } as const;
  assert.deepEqual(advantagesOf(experiment, options).rows.map(({ x, lead }) => [x, lead]), [[12, "ahead"], [16, "behind"], [
    36,
    "cannot tell",
  ]]);
  assert.deepEqual(breakEvenTable(store, experiment, options).rows, [["player", "lost after 12; behind at 16"]]);
  const { caption, frame } = phaseFigure(store, experiment, options);
  assert.deepEqual(rowsOf<{ text: string }>(frame).map(({ text }) => text.slice(-1)), ["▼", "▲", "?"]);
  assert.match(caption, /Each of the 3 intervals is for itself/);
});

Deno.test("breakEvenFigure() draws a single game, of which there is no interval", async () => {
  using store = openStore(":memory:");
  const all = [...rows(12, { arigraph: [0.5], rag: [0.6] }), ...rows(16, { arigraph: [0.5], rag: [0.4] })];
  const experiment: PlayedExperiment = { ...played(all), study: "s", backbone: "player", embedder: "lexical-v1" };
  assert.match(await toSvg(breakEvenFigure(store, experiment, { x: "rooms" })), /arigraph minus the other/);
});
