import assert from "node:assert/strict";
import { nethackScreens, nethackSteps, stripFigure } from "../../../lib/papers/arigraph/figures/nethack.ts";
import { nethackTrials } from "../../../lib/papers/arigraph/nethack.ts";
import { arigraphReport } from "../../../lib/papers/arigraph/report.ts";
import { type Figure, toSvg } from "../../../lib/report/figure.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import { type Cell, cellText, type Table } from "../../../lib/report/table.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";

const STUDY = "arigraph-nethack@mute";

interface Run {
  readonly condition: string;
  readonly seed: number;
  /** Depth and score after each call, from the start. */
  readonly course: readonly (readonly [depth: number, score: number])[];
  readonly status?: "completed" | "planned";
  readonly graph?: boolean;
}

/** Writes runs as the recorder does. */
function storeOf(runs: readonly Run[]): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: STUDY, spec: {}, createdAt: 0 });
  for (const { condition, seed, course, status = "completed", graph = condition.startsWith("ariadne") } of runs) {
    const id = `${condition}-${seed}`;
    const plan = { lane: id, ordinal: 0, identity: { embedder: "lexical-v1" }, world: "nethack", worldParams: { seed } };
    putEpisode(store, { id, study: STUDY, ...plan, attempt: seed, seed, method: "m", memory: "", condition, backbone: "mute" });
    if (status === "planned") continue;
    let deepest = 0;
    for (const [step, [depth, score]] of course.entries()) {
      deepest = Math.max(deepest, depth);
      const sections = { depth: `${depth}`, deepest: `${deepest}`, turn: `${10 * step}` };
      const turn = { episode: id, pass: 0, step, goal: "", observation: "", sections, frames: [], score, maxScore: 10_000 };
      const map = [`level ${depth} `.padEnd(79), "@"];
      putTurn(
        store,
        { ...turn, observationHash: `${step}`, details: {}, ...(graph ? { graphSize: 4 * step } : {}) },
        { truth: { map, cause: step === course.length - 1 ? "died" : "" } },
      );
    }
    const score = course.at(-1)?.[1] ?? 0;
    endEpisode(store, id, {
      status: "completed",
      passes: [{ kind: "only", score, maxScore: 10_000, steps: course.length - 1, end: "lost" }],
    }, 0);
  }
  return store;
}

const ARIADNE: readonly Run[] = [
  { condition: "ariadne-room", seed: 1, course: [[1, 0], [1, 20], [2, 100], [3, 200], [2, 250]] },
  { condition: "ariadne-room", seed: 2, course: [[1, 0], [2, 90]] },
  { condition: "ariadne-room", seed: 3, course: [[1, 0], [1, 10], [2, 60]] },
];

function figureOf(store: Store, id: string): Figure {
  return arigraphReport(store, STUDY).figures.find((figure) => figure.id.startsWith(id)) ?? assert.fail(id);
}

Deno.test("nethackTrials() gives the game's own score, levels completed by the deepest one, turns and the end", () => {
  using store = storeOf([...ARIADNE, { condition: "netplay-room", seed: 1, course: [], status: "planned" }]);
  const runs = nethackTrials(store, STUDY);
  const [first] = runs;
  assert.deepEqual([first?.score, first?.levels, first?.turns, first?.calls, first?.ended, first?.cause], [250, 2, 40, 4, "lost", "died"]);
  const planned = runs.find(({ condition }) => condition === "netplay-room");
  assert.deepEqual([planned?.status, planned?.score, planned?.levels], ["planned", null, null]);
});

Deno.test("nethackExhibit() has sample means and deviations beside the paper's, and no number where runs are missing", () => {
  using store = storeOf([
    ...ARIADNE,
    { condition: "random-skills", seed: 1, course: [[1, 0], [1, 5]] },
    { condition: "netplay-room", seed: 1, course: [[1, 0], [1, 5]] },
    { condition: "netplay-room", seed: 2, course: [], status: "planned" },
  ]);
  const { rows, columns } = arigraphReport(store, STUDY).tables[0] as Table;
  const cell = (agent: string, column: string): unknown => {
    const found = rows.find(([label]) => label === agent)?.[columns.indexOf(column)];
    return typeof found === "object" && found && "shown" in found ? found.shown : found;
  };
  assert.deepEqual(rows.map(([label]) => label), ["Ariadne [Room obs]", "NetPlay [Room obs]", "Random skills"]);
  // 250, 90, 60: mean 133.33, squared deviations 13611.1 + 1877.8 + 5377.8 over 2; levels 2, 1, 1
  assert.equal(cell("Ariadne [Room obs]", "Score"), "133.33 ± 102.14");
  assert.equal(cell("Ariadne [Room obs]", "Levels"), "1.33 ± 0.58");
  assert.equal(cell("Ariadne [Room obs]", "Score, paper"), "593.00 ± 202.62");
  assert.equal(cellText(cell("Ariadne [Room obs]", "Died") as Cell), "3");
  assert.deepEqual(cell("NetPlay [Room obs]", "n"), { incomplete: { done: 1, failed: 0, planned: 2 } });
  assert.deepEqual([cell("NetPlay [Room obs]", "Score"), cell("NetPlay [Room obs]", "Levels, paper")], [
    { incomplete: { done: 1, failed: 0, planned: 2 } },
    "3.67 ± 1.15",
  ]);
  assert.deepEqual([cell("Random skills", "Score"), cell("Random skills", "Score, paper")], ["5.00", null]);
  assert.equal(cellText(arigraphReport(store, STUDY, { allowIncomplete: true }).tables[0]?.rows[1]?.[2] as Cell), "5.00");
});

Deno.test("the ledger takes Table 1's means by their intervals, and judges no deviation", () => {
  const course = (score: number, depth: number): Run["course"] => [[1, 0], [depth, score]];
  using store = storeOf([
    { condition: "netplay-level", seed: 1, course: course(546, 7) },
    { condition: "netplay-level", seed: 2, course: course(676, 9) },
    { condition: "netplay-level", seed: 3, course: course(806, 9) },
  ]);
  const entries = (arigraphReport(store, STUDY).ledger ?? []).filter(({ source }) => source === "Table 1");
  assert.equal(entries.length, 12);
  const of = (row: string, column: string) => entries.find((entry) => entry.row === row && entry.column === column);
  const row = "NetPlay [level obs]";
  assert.deepEqual([of(row, "score mean")?.ours?.value, of(row, "score mean")?.verdict], [676, "cannot tell"]);
  assert.deepEqual([of(row, "score sd")?.ours?.value, of(row, "score sd")?.verdict], [130, "not judged"]);
  assert.equal(of(row, "levels mean")?.ours?.value, (6 + 8 + 8) / 3);
  assert.equal(of(row, "levels sd")?.verdict, "not judged");
  assert.match(of(row, "score mean")?.why ?? "", /mute in place of gpt-4o/);
  assert.equal(of("Ariadne [room obs]", "score mean")?.verdict, "not run");
});

Deno.test("the progress figure holds what ended early, and averages the deepest level, not the present one", async () => {
  using store = storeOf([...ARIADNE, { condition: "random-skills", seed: 1, course: [[1, 0], [1, 5]] }]);
  const figure = figureOf(store, "arigraph-nethack-progress");
  const rows = rowsOf<{ agent: string; step: number; deepest: number; deepestMost: number; score: number }>(figure.frame);
  const last = rows.filter(({ step }) => step === 4);
  assert.deepEqual(last.map(({ agent, deepest, deepestMost, score }) => [agent, deepest, deepestMost, score]), [
    ["Ariadne [Room obs]", (3 + 2 + 2) / 3, 3, (250 + 90 + 60) / 3],
    ["Random skills", 1, 1, 5],
  ]);
  assert.match(figure.caption, /n = 1 to 3 runs an agent, seeds 1, 2, 3/);
  assert.match(await toSvg(figure), /^<svg /);
});

Deno.test("the growth figure marks the call at which each level is first reached", async () => {
  using store = storeOf(ARIADNE);
  const figure = figureOf(store, "arigraph-nethack-growth");
  const rows = rowsOf<{ seed: string; step: number; level: number; triplets: number; arrival: boolean }>(figure.frame);
  const arrivals = rows.filter(({ arrival }) => arrival).map(({ seed, step, level, triplets }) => [seed, step, level, triplets]);
  assert.deepEqual(arrivals, [["1", 0, 1, 0], ["1", 2, 2, 8], ["1", 3, 3, 12], ["2", 0, 1, 0], ["2", 1, 2, 4], ["3", 0, 1, 0], [
    "3",
    2,
    2,
    8,
  ]]);
  assert.match(await toSvg(figure), /^<svg /);
});

Deno.test("the strip shows the last screen on each level, and the end, of the deepest run", () => {
  using store = storeOf(ARIADNE);
  const steps = nethackSteps(store, STUDY);
  const screens = nethackScreens(store, "ariadne-room-1", steps);
  assert.deepEqual(screens.map(({ title, map }) => [title, map[0]?.trim()]), [
    ["call 1, dungeon level 1, score 20", "level 1"],
    ["call 2, dungeon level 2, score 100", "level 2"],
    ["call 4, dungeon level 2, score 250", "level 2"],
  ]);
  const { tables, figures, ledger } = arigraphReport(store, STUDY);
  assert.deepEqual(tables.map(({ id }) => id), ["arigraph-table1-mute"]);
  assert.deepEqual(figures.map(({ id }) => id), ["arigraph-nethack-progress-mute", "arigraph-nethack-growth-mute", "arigraph-fig13-mute"]);
  assert.match(figures[2]?.caption ?? "", /seed 1 \(n = 1\), model: mute .* before each call that reached a new level/);
  assert.match(figures[1]?.caption ?? "", /n = 3 runs of Ariadne \[Room obs\], seeds 1, 2, 3/);
  assert.equal(ledger?.filter(({ source }) => source === "Table 1").length, 12);
});

Deno.test("a strip of whole dungeon maps keeps letters of 7 pt on a page", async () => {
  const map = Array.from({ length: 21 }, () => "#".repeat(79));
  const screens = ["a", "b", "c"].map((title) => ({ title, map }));
  const svg = await toSvg(stripFigure(screens, { id: "s", title: "S", subtitle: "s", caption: "n = 1." }));
  const [, width, height] = (svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)/) ?? []).map(Number) as [number, number, number];
  const smallest = Math.min(...[...svg.matchAll(/font-size="([\d.]+)px"/g)].map(([, size]) => Number(size)));
  assert.ok(smallest * Math.min(1, 500 / width, 560 / height) >= 7, `${smallest} pt in ${width} × ${height}`);
});

Deno.test("the strip of a run through many levels shows the first screen and the last two", () => {
  using store = storeOf([{ condition: "ariadne-room", seed: 1, course: [[1, 0], [2, 1], [3, 2], [4, 3], [5, 4]] }]);
  const titles = nethackScreens(store, "ariadne-room-1", nethackSteps(store, STUDY)).map(({ title }) => title.split(",")[1]);
  assert.deepEqual(titles, [" dungeon level 1", " dungeon level 4", " dungeon level 5"]);
  const { caption } = figureOf(store, "arigraph-fig13");
  assert.match(caption, /before the first and the last of the 4 calls that reached a new level, and at the end: 3 screens/);
});

Deno.test("stripFigure() tells kinds of signs apart", async () => {
  const figure = stripFigure([{ title: "a", map: ["|@.#+", "<>d$!"] }], { id: "s", title: "S", subtitle: "", caption: "n = 1." });
  const kinds = rowsOf<{ sign: string; kind: string }>(figure.frame).map(({ sign, kind }) => sign + kind[0]);
  assert.deepEqual(kinds, ["|w", "@h", ".g", "#g", "+d", "<s", ">s", "dc", "$t", "!t"]);
  assert.match(await toSvg(figure), /^<svg /);
});
