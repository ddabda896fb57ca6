import assert from "node:assert/strict";
import { UsageError } from "../../lib/core/errors.ts";
import { displaySymbol } from "../../lib/core/platform.ts";
import { meanOverGames, type MeasureInfo, readExperiment, withRows } from "../../lib/report/experiment.ts";
import { figureView, toSvg } from "../../lib/report/figure.ts";
import { curveFigure, heatFigure, tokensFigure } from "../../lib/report/figures/experiment.ts";
import { phaseFigure } from "../../lib/report/figures/phase.ts";
import { rowsOf } from "../../lib/report/frame.ts";
import { cellText } from "../../lib/report/table.ts";
import { differencesTable, meansTable, stepTokensTable } from "../../lib/report/tables/experiment.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";

/** Two games, two seeds, k of 1 and 2: scores in quarters by k, game and seed; each step asks once, for 10 · k prompt tokens and 1 of completion. */
function played(
  scores: Readonly<Record<string, number | undefined>>,
  { store = openStore(":memory:"), study = "sweep", backbone = "offline" } = {},
): Store {
  const lanes = Object.keys(scores).map((id) => {
    const [k, game] = id.split("|");
    return { id, episodes: [{ factors: { world: "w", game: Number(game), method: "m", memory: "own", k: Number(k) } }] };
  });
  putStudy(store, { id: study, spec: { lanes }, createdAt: 0 });
  const ids = study === "sweep" ? "" : study;
  for (const [lane, score] of Object.entries(scores)) {
    const [k = "", game = "", seed = ""] = lane.split("|");
    const plan = {
      id: ids + lane,
      study,
      lane,
      ordinal: 0,
      identity: { embedder: "none" },
      world: "w",
      worldParams: {},
      label: `w, game ${game}`,
    };
    putEpisode(store, {
      ...plan,
      method: "m",
      memory: "own",
      condition: `own, k ${k}`,
      backbone,
      attempt: Number(seed),
      seed: Number(seed),
    });
    if (score === undefined) continue;
    for (const step of [1, 2]) {
      const tokens = { promptTokens: 10 * Number(k), cachedTokens: 0, completionTokens: 1, reasoningTokens: 0, dollars: 0.5 };
      const call = {
        episode: ids + lane,
        pass: 0,
        step,
        role: "own/ask",
        model: "m",
        key: `${step}`,
        kind: "paid" as const,
        latencyMs: 0,
        at: 0,
      };
      putCall(store, { ...call, ...tokens });
      putCall(store, { ...call, ...tokens, kind: "replayed" }); // the same request once more: a resumed episode
    }
    endEpisode(store, ids + lane, { status: "completed", passes: [{ kind: "only", score, maxScore: 4, steps: 2, end: "limit" }] }, 0);
  }
  return store;
}

const WHOLE = { "1|0|1": 0, "1|0|2": 2, "1|1|1": 2, "1|1|2": 2, "2|0|1": 1, "2|0|2": 3, "2|1|1": 3, "2|1|2": 4 };

Deno.test("meansTable() counts an episode once when it stands in several places", () => {
  using store = played(WHOLE);
  const once = readExperiment(store, "sweep");
  const twice = { ...once, rows: once.rows.flatMap((row) => [row, { ...row, factors: { ...row.factors, start: "again" } }]) };
  const counts = meansTable(store, { ...twice, ...withRows(twice.rows) }, { of: "score", across: "start" }).rows.map((row) => row[1]);
  assert.deepEqual(counts, ["4", "4"]); // of each k two games with two seeds
});

Deno.test("meansTable() averages the replicates of a game first: five seeds of one game are not five games", () => {
  using store = played(WHOLE);
  const { columns, rows, caption } = meansTable(store, "sweep", { of: ["score", "tokens", "dollars"] });
  assert.deepEqual(columns, ["k", "n", "normalised score", "tokens", "US dollars"]);
  // game means 0.25 and 0.5: t(0.975, 1) = 12.706, s/√2 = 0.125, so ± 1.588, cut at 1
  assert.deepEqual(rows.map((row) => row.map(cellText)), [
    ["1", "4", "0.38 [-1.21, 1.00]", "22", "1.0000"],
    ["2", "4", "0.69 [-1.69, 1.00]", "42", "1.0000"],
  ]);
  assert.match(caption, /Study sweep, model: stand-in, n = 8 episodes: 2 games, 2 seeds\. .*over games, or over seeds .* Embedder none\./);
  const across = meansTable(store, "sweep", { across: "game" });
  assert.deepEqual([across.columns, across.rows.map((row) => row.map(cellText).map((text) => text.split(" ")[0]))], [
    ["k", "n", "0", "1"],
    [["1", "4", "0.25", "0.50"], ["2", "4", "0.50", "0.88"]],
  ]);
});

Deno.test("meansTable() reads studies that differ in their models as one, with the model as a factor", () => {
  using store = played({ "1|0|1": 2, "1|1|1": 4 }, { study: "sweep@good", backbone: "good" });
  played({ "1|0|1": 0, "1|1|1": 1 }, { store, study: "sweep@bad", backbone: "bad" });
  const { id, title, rows } = meansTable(store, ["sweep@good", "sweep@bad"], { of: "score" });
  assert.deepEqual([id, title], ["means-sweep-score", "Means of normalised score (good and bad)"]);
  assert.deepEqual(rows.map((row) => row.map(cellText).map((text) => text.split(" ")[0])), [["good", "2", "0.75"], ["bad", "2", "0.13"]]);
});

Deno.test("meansTable() and meanOverGames() show no mean of what is incomplete, and take seeds where there is one game", () => {
  using store = played({ "1|0|1": 0, "1|0|2": 2, "2|0|1": undefined, "2|0|2": 4 });
  const { rows, caption } = meansTable(store, "sweep", { of: "score" });
  assert.deepEqual(rows.map((row) => row.map(cellText)), [["1", "2", "0.25 [-2.93, 1.00]"], ["2", "2", "incomplete 1/2"]]);
  assert.match(caption, /there is one, so they are over its seeds/);
  assert.equal(cellText(meansTable(store, "sweep", { of: "score", allowIncomplete: true }).rows[1]?.[2] ?? null), "1.00");
  assert.deepEqual(
    meanOverGames(readExperiment(store, "sweep").rows.filter(({ status }) => status === "planned"), "score", { range: [0, 1] }),
    undefined,
  );
});

Deno.test("meanOverGames() keeps a score to what its world can give, and gives shares Wilson's interval", () => {
  using store = played(WHOLE);
  const { rows, measures } = readExperiment(store, "sweep");
  const scores = [0, 1].map((score, game) =>
    ({ ...rows[0], episode: `${game}`, game: `${game}`, values: { score, won: score } }) as typeof rows[number]
  );
  const of = (measure: string, world: string, some = scores): unknown[] => {
    const { value, low, high } = meanOverGames(some.map((row) => ({ ...row, world })), measure, measures[measure] as MeasureInfo) ?? {};
    return [value, low?.toFixed(3), high?.toFixed(3)];
  };
  for (const world of ["textworld/long-hunt", "scienceworld", "babyai/sized"]) {
    assert.deepEqual(of("score", world), [0.5, "0.000", "1.000"]);
  }
  assert.deepEqual(of("score", "nethack"), [0.5, "0.000", "6.853"]); // never below 0, and without a bound above
  for (const world of ["textworld/cleaning", "textworld/file"]) assert.deepEqual(of("score", world), [0.5, "-5.853", "1.000"]); // 0.5 − 12.706/2
  // z² = 3.841: (0.5 + z²/4 ± z·√(1/8 + z²/16)) / (1 + z²/2) = 0.5 ± 0.4054; of 4 of 4 the lower end is 1/(1 + z²/4) = 0.5101
  assert.deepEqual(of("won", "babyai"), [0.5, "0.095", "0.905"]);
  assert.deepEqual(
    of("won", "babyai", [1, 2, 3, 4].map((game) => ({ ...scores[1], episode: `${game}`, game: `${game}` }) as typeof rows[number])),
    [
      1,
      "0.510",
      "1.000",
    ],
  );
});

Deno.test("meanOverGames() counts an episode once, and of one game each seed once", () => {
  using store = played(WHOLE);
  const { rows, measures } = readExperiment(store, "sweep");
  const row = (seed: number, score: number, k: number) =>
    ({ ...rows[0], episode: `${seed} ${k}`, game: "one", seed: `${seed}`, world: "babyai", values: { score, won: score } }) as typeof rows[
      number
    ];
  const of = (some: readonly typeof rows[number][], measure: string): unknown => {
    const { low, high, n } = meanOverGames(some, measure, measures[measure] as MeasureInfo) ?? {};
    return [low?.toFixed(3), high?.toFixed(3), n];
  };
  const levels = [1, 2, 3].flatMap((k) => [row(1, 0, k), row(2, 0.6, k), row(3, 1, k)]);
  // 0, 0.6 and 1: 0.5333 ± 4.3027 · 0.5033/√3, beyond what a score can be
  for (const some of [levels, levels.flatMap((one) => [one, one])]) assert.deepEqual(of(some, "score"), ["0.000", "1.000", 9]);
  const won = [1, 2, 3].flatMap((k) => [row(1, 0, k), row(2, 1, k), row(3, 1, k)]);
  assert.deepEqual(of(won.flatMap((one) => [one, one]), "won"), of(won, "won"));
});

Deno.test("differencesTable() pairs by game and seed and tests over games", () => {
  using store = played(WHOLE);
  const [row] = differencesTable(store, "sweep").rows;
  // differences of the games: 0.25 and 0.375; mean 0.3125, s/√2 = 0.0625, ± 0.794
  assert.deepEqual(row?.slice(0, 4).map(cellText), ["own, k 2", "2", "4", "0.31 [-0.48, 1.11]"]);
  assert.equal(cellText(row?.[6] ?? null), "0.1257");
  const turned = differencesTable(store, "sweep", { against: "own, k 2", of: "tokens" }).rows[0];
  assert.deepEqual(turned?.slice(0, 4).map(cellText), ["own, k 1", "2", "4", "-20"]);
});

Deno.test("readExperiment() names the model of a single study, so that no other one's files replace its own", () => {
  using store = played(WHOLE, { study: "sweep@weak", backbone: "weak" });
  played(WHOLE, { store, study: "sweep@strong", backbone: "strong" });
  assert.equal(meansTable(store, ["sweep@weak"]).id, "means-sweep@weak");
  assert.equal(meansTable(store, ["sweep@weak", "sweep@strong"]).id, "means-sweep");
});

Deno.test("differencesTable() pairs within a model, in whatever order the studies are named", () => {
  using store = played(WHOLE);
  const half = Object.fromEntries(Object.entries(WHOLE).map(([id, score]) => [id, (score ?? 0) / 2]));
  played(half, { store, study: "sweep@weak", backbone: "weak" });
  for (const studies of [["sweep", "sweep@weak"], ["sweep@weak", "sweep"]]) {
    const [row] = differencesTable(store, studies).rows;
    // differences of the games, 0.25 and 0.375 of the one model and half of them of the other, averaged: 0.1875 and 0.28125
    assert.deepEqual(row?.slice(0, 3).map(cellText), ["own, k 2", "2", "8"]);
    assert.match(cellText(row?.[3] ?? null), /^0\.23 /);
  }
  assert.doesNotMatch(differencesTable(store, "sweep").caption, /Wilson/);
  const alone = Object.fromEntries(Object.entries(WHOLE).filter(([id]) => id.startsWith("1|")).map(([id]) => [id, 0]));
  played(alone, { store, study: "sweep@other", backbone: "other" }); // k of 1 alone, which has no partner there
  for (const against of ["own, k 1", "own, k 2"]) {
    const [row] = differencesTable(store, ["sweep", "sweep@other"], { against }).rows;
    assert.equal(cellText(row?.[2] ?? null), "4", `against ${against}`);
  }
});

Deno.test("stepTokensTable() and tokensFigure() count each request once, by step and role", () => {
  using store = played(WHOLE);
  assert.deepEqual(stepTokensTable(store, "sweep").rows.map((row) => row.map(cellText)), [
    ["own, k 1", "own/ask", "1.00", "10", "1", "0.50000"],
    ["own, k 2", "own/ask", "1.00", "20", "1", "0.50000"],
  ]);
  assert.deepEqual(rowsOf(tokensFigure(store, "sweep", { by: "k" }).frame), [
    { panel: "", line: "1", step: 1, n: 4, tokens: 11 },
    { panel: "", line: "2", step: 1, n: 4, tokens: 21 },
    { panel: "", line: "1", step: 2, n: 4, tokens: 11 },
    { panel: "", line: "2", step: 2, n: 4, tokens: 21 },
  ]);
});

Deno.test("curveFigure(), heatFigure() and tokensFigure() are drawn without a warning", async () => {
  using store = played(WHOLE);
  const curve = curveFigure(store, "sweep", { x: "k" });
  assert.deepEqual(rowsOf<{ level: number; mean: number }>(curve.frame).map(({ level, mean }) => [level, mean]), [[1, 0.375], [2, 0.6875]]);
  assert.match(await toSvg(curve), /normalised score/);
  const panels = curveFigure(store, "sweep", { x: "k", panel: "game" });
  assert.deepEqual(
    rowsOf<{ panel: string; level: number; mean: number }>(panels.frame).map(({ panel, level, mean }) => [panel, level, mean]),
    [
      ...[["0", 1, 0.25], ["0", 2, 0.5]],
      ...[["1", 1, 0.5], ["1", 2, 0.875]],
    ],
  );
  assert.match(await toSvg(panels), /normalised score/);
  const heat = heatFigure(store, "sweep", { x: "k", y: "game" });
  assert.deepEqual(rowsOf<{ text: string }>(heat.frame).map(({ text }) => text), ["0.25", "0.50", "0.50", "0.88"]);
  assert.match(await toSvg(heat), /0\.88/);
  assert.doesNotMatch(heat.caption, /and over|interval/);
  played(WHOLE, { store, study: "sweep@other", backbone: "other" });
  assert.match(
    heatFigure(store, ["sweep", "sweep@other"], { x: "k", y: "game" }).caption,
    /^Means of normalised score by k and game, over games, whose replicates are averaged first, and over model \(offline, other\)\. Study/,
  );
  assert.match(await toSvg(tokensFigure(store, "sweep")), /own, k 2/);
});

Deno.test("a figure of a study that has no such rows is drawn without data, and the one of tokens says why", async () => {
  using store = played({ "1|0|1": undefined, "2|1|1": undefined });
  const figures = [
    tokensFigure(store, "sweep"),
    tokensFigure(store, "sweep", { by: "k" }),
    curveFigure(store, "sweep", { x: "k" }),
    curveFigure(store, "sweep", { x: "k", panel: "game" }),
    heatFigure(store, "sweep", { x: "k", y: "game" }),
  ];
  for (const figure of figures) {
    assert.deepEqual(rowsOf(figure.frame), [], figure.id);
    for (const preset of ["page", "column", "slide"] as const) assert.match(await toSvg(figure, { preset }), />no data</, figure.id);
    const shown = (await figureView(figure))[displaySymbol]();
    assert.match(
      String(shown["text/plain"]),
      new RegExp(`^${figure.id}: ${figure.id.startsWith("tokens") ? "No completed episode asked a model" : "Means of"}`),
    );
  }
});

Deno.test("tables and figures call a factor by its name in words", async () => {
  using store = played(WHOLE);
  const named = readExperiment(store, "sweep");
  const rows = named.rows.map((row) => ({ ...row, factors: { k: row.factors["k"] ?? null, maxSteps: row.game } }));
  const sweep = { ...named, ...withRows(rows) };
  assert.deepEqual(meansTable(store, sweep, { of: "score" }).columns.slice(0, 2), ["k", "max steps"]);
  const curve = await toSvg(curveFigure(store, sweep, { x: "k" }));
  for (const text of [">k<", ">Normalised score over k<", ">max steps w, game 0<"]) assert.ok(curve.includes(text), text);
  assert.match(heatFigure(store, sweep, { x: "maxSteps", y: "k" }).caption, /by max steps and k,/);
  const phase = phaseFigure(store, sweep, { x: "k", y: "maxSteps", by: "maxSteps", level: "w, game 0" });
  assert.match(phase.caption, /of each other max steps, by k and max steps, over/);
});

Deno.test("curveFigure() sets series side by side that share a place", async () => {
  using store = played(WHOLE);
  const svg = await toSvg(curveFigure(store, "sweep", { x: "k", by: "game" }));
  const points = svg.matchAll(/aria-roledescription="point"[^>]* transform="translate\(([-\d.]+),/g);
  const places = [...points].map(([, x]) => Number(x)).sort((a, b) => a - b);
  assert.equal(places.length, 4, svg);
  const [first = NaN, second = NaN, third = NaN, fourth = NaN] = places;
  assert.deepEqual([second - first, fourth - third].map(Math.round), [3, 3]);
  assert.ok(third - second > 100, "levels stay where they were");
});

Deno.test("curveFigure() gives a mean of one episode no interval", async () => {
  using store = played({ "1|0|1": 1, "1|1|1": 2, "2|0|1": 3, "2|1|1": 4 });
  const figure = curveFigure(store, "sweep", { x: "k", by: "game" });
  assert.match(await toSvg(figure), /^<svg/);
  assert.deepEqual(
    rowsOf<{ low: number | null; high: number | null }>(figure.frame).map(({ low, high }) => [low, high]),
    Array(4).fill([null, null]),
  );
});

Deno.test("curveFigure() sets panels of numbers of unlike size on powers of ten, where none is 0 or less", () => {
  using store = played(WHOLE);
  const scaleOf = (least: number): object => {
    const sweep = readExperiment(store, "sweep");
    const rows = sweep.rows.map((row) => ({ ...row, values: { ...row.values, words: row.factors["k"] === 1 ? least : 1000 } }));
    const words: MeasureInfo = { title: "words", digits: 0, range: [-Infinity, Infinity] };
    const experiment = { ...sweep, rows, measures: { ...sweep.measures, words } };
    const { spec } = curveFigure(store, experiment, { x: "k", y: "words", by: "game", panel: "game" }).spec as { spec: { layer: Layer[] } };
    return spec.layer.find(({ mark }) => mark.type === "point")?.encoding.y ?? {};
  };
  interface Layer {
    readonly mark: { readonly type: string };
    readonly encoding: { readonly y: object };
  }
  assert.partialDeepStrictEqual(scaleOf(10), { scale: { type: "log" }, axis: { values: [10, 20, 50, 100, 200, 500, 1000] } });
  for (const least of [0, 100]) assert.doesNotMatch(JSON.stringify(scaleOf(least)), /"log"/);
});

Deno.test("tables and figures of an experiment name the nearest study, factor, measure, condition and option", () => {
  using store = played(WHOLE);
  const refuses = (make: () => unknown, message: RegExp): void =>
    assert.throws(make, (error) => error instanceof UsageError && message.test(error.message));
  refuses(() => meansTable(store, "swep"), /no study "swep"; did you mean "sweep"\?/);
  refuses(() => meansTable(store, "sweep", { of: "scroe" as "score" }), /no measure "scroe"; did you mean "score"\?/);
  refuses(() => meansTable(store, "sweep", { across: "memroy" }), /no factor "memroy"; did you mean "memory"\?/);
  refuses(() => meansTable(store, "sweep", { acros: "k" } as object), /no option "acros"; did you mean "across"\?/);
  refuses(() => differencesTable(store, "sweep", { against: "own, k2" }), /no condition "own, k2"; did you mean "own, k 2"\?/);
  refuses(() => curveFigure(store, "sweep", { x: "kk" }), /no factor "kk"; did you mean "k"\?/);
});
