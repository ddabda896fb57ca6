/** The studies of room graphs under errors and in mazes, weak exploration, the world model and the dungeon. */

import assert from "node:assert/strict";
import { besideExplorations, explorationStudies } from "../../lib/papers/evidence/exploration.ts";
import { dungeonStudy } from "../../lib/papers/evidence/dungeon.ts";
import { memoryLengthStudy, READERS } from "../../lib/papers/evidence/memory-length.ts";
import { evidenceParts } from "../../lib/papers/evidence/report.ts";
import { atEveryRate, figuresOf, roomErrorStudies } from "../../lib/papers/evidence/room-errors.ts";
import { ROOM_SIZES_REPORT, roomSizesStudy } from "../../lib/papers/evidence/room-sizes.ts";
import { siblings } from "../../lib/papers/evidence/siblings.ts";
import { judgedOf, worldModelStudy } from "../../lib/papers/evidence/world-model.ts";
import { advantagesOf } from "../../lib/report/advantage.ts";
import {
  type ExperimentRow,
  meanOverGames,
  measureOf,
  MEASURES,
  type PlayedExperiment,
  withMeasures,
  withRows,
} from "../../lib/report/experiment.ts";
import { rowsOf } from "../../lib/report/frame.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { sectionOf } from "../../lib/report/study-report.ts";
import { backboneOf } from "../../lib/llm/roles.ts";
import { conditionOf, type Factors, idOf, type Study } from "../../lib/lab/study.ts";
import { createReaderProvider } from "../../lib/offline/provider.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { samplePlan } from "../store/samples.ts";

function rowOf(episode: string, factors: ExperimentRow["factors"], won = 0): ExperimentRow {
  const values = { score: won, won, steps: 10, calls: null, tokens: null, dollars: null };
  return { episode, condition: "", status: "completed", seed: "1", game: "g", world: "babyai", factors, values };
}

/** Enters every episode of a study as completed with a score of its factors. */
function playAll(store: Store, study: Study, scoreOf: (factors: Factors) => number): void {
  putStudy(store, { id: study.id, spec: { lanes: study.lanes }, createdAt: 0 });
  for (const { id: lane, episodes: [episode] } of study.lanes) {
    assert.ok(episode?.factors);
    const { world, params: worldParams = {}, label, attempt, seed, method, memory = "" } = episode;
    const names = { method: idOf(method), memory: idOf(memory), condition: conditionOf(episode), backbone: backboneOf(study.models) };
    const id = `${study.id}/${lane}`;
    putEpisode(
      store,
      samplePlan({ id, study: study.id, lane, ordinal: 0, world, worldParams, label, attempt, seed, identity: {}, ...names }),
    );
    const score = scoreOf(episode.factors);
    endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score, maxScore: 1, steps: 1, end: "limit" }] }, 0);
  }
}

function played(rows: readonly ExperimentRow[]): PlayedExperiment {
  return { study: "s", backbone: "b", embedder: "lexical", ...withRows(rows), measures: MEASURES };
}

Deno.test("roomErrorStudies() errs both ways in a wrong verdict, and plays SM and no memory where nothing errs", () => {
  const studies = roomErrorStudies({ full: true });
  assert.equal(studies.length, 1 + 4 * 3);
  const models = studies.map(({ models }) => String(models["*"]));
  assert.ok(models.includes("reader:perfect,missed-door=40,rotation-as-passage=40"), models.join(" "));
  const provider = createReaderProvider();
  for (const model of models) provider.check?.(model, {}, { attempt: 1 });
  const memories = (at: number): unknown[] =>
    [...new Set(studies[at]?.lanes.map(({ episodes: [episode] }) => episode?.factors?.["memory"]))].sort();
  assert.deepEqual(memories(0), ["none", "room-graph", "stacked", "static"]);
  assert.deepEqual(memories(1), ["room-graph", "static"]);
  const votes = (at: number): unknown[] => [...new Set(studies[at]?.lanes.map(({ episodes: [episode] }) => episode?.factors?.["votes"]))];
  assert.deepEqual(votes(1), [1, 3, 5, 7, 9]);
  assert.deepEqual(votes(studies.length - 1), [5], "no vote is taken on which room it is");
  assert.equal(roomErrorStudies({ models: { "*": "gpt-4o" } }).length, 1, "no error can be given to a model that is asked");
  assert.throws(() => roomErrorStudies({ models: { "*": "reader:gpt-4o,missed-door=5" } }), {
    message: /gives its reader the error missed-door itself: leave it out/,
  });
});

Deno.test("roomSizesStudy() plays every memory in the same mazes, half of them with merged rooms", () => {
  const { lanes } = roomSizesStudy({ full: true });
  const episodes = lanes.flatMap((lane) => lane.episodes);
  const gamesOf = (memory: string): string[] =>
    episodes.filter(({ factors }) => factors?.["memory"] === memory).map(({ label, params }) => `${label} ${JSON.stringify(params)}`)
      .sort();
  for (const memory of ["unlimited", "static", "stacked", "none"]) assert.deepEqual(gamesOf(memory), gamesOf("room-graph"), memory);
  assert.equal(new Set(gamesOf("none")).size, 4 * 2 * 6);
  const calls = new Set(episodes.map(({ factors, options }) => `${factors?.["memory"]} ${options?.method?.["maxCalls"] ?? 10}`));
  assert.deepEqual([...calls], ["room-graph 10", "unlimited 1000000", "static 10", "stacked 10", "none 10"]);
  assert.deepEqual([...new Set(episodes.map(({ factors }) => factors?.["rooms"]))], [4, 16, 49, 100]);
  const taken = new Set(
    episodes.map(({ params, factors }) => `${factors?.["shape"]} ${params?.["size"]} ${params?.["locks"]} ${params?.["merged"]}`),
  );
  for (const wanted of ["equal 2 1 0", "merged 2 1 1", "merged 7 3 12", "merged 10 3 25"]) assert.ok(taken.has(wanted), wanted);
  const limits = new Set(episodes.map(({ params, options }) => `${params?.["size"]} ${options?.method?.["maxSteps"]}`));
  assert.deepEqual([...limits], ["2 200", "4 400", "7 700", "10 1000"]);
  assert.throws(() => roomSizesStudy({ only: ["rag"] }), { message: /rag names no memory of this study/ });
});

Deno.test("evidenceParts() plays mazes with the perfect reader, the highest and the lowest", () => {
  const parts = evidenceParts({ only: ["rooms"] });
  const readers = ["reader:perfect", READERS[0], READERS[2]];
  assert.deepEqual(parts.map(({ study }) => study.id), readers.map((reader) => `evidence-rooms-quick@${reader}`));
  assert.ok(parts.every(({ report, ordinary }) => report === ROOM_SIZES_REPORT && ordinary === "evidence-rooms-quick"));
});

Deno.test("explorationStudies() plays the base method once for each acting reader", () => {
  const studies = explorationStudies({ full: true });
  assert.equal(studies.length, 9);
  const alone = studies.filter(({ lanes }) => lanes.some(({ episodes: [episode] }) => episode?.method === "react"));
  assert.deepEqual(alone.map(({ models }) => models), READERS.map((reader) => ({ "*": reader })));
});

Deno.test("dungeonStudy() plays every agent in the same games, at least 30 in the full form", () => {
  const { lanes } = dungeonStudy({ full: true, only: [] });
  const games = Map.groupBy(lanes, ({ episodes: [episode] }) => episode?.condition);
  assert.deepEqual([...games.keys()], ["ariadne-room", "netplay-room", "netplay-level"]);
  const seedsOf = (agent: string): unknown[] => games.get(agent)?.map(({ episodes: [episode] }) => episode?.params?.["seed"]) ?? [];
  assert.equal(new Set(seedsOf("ariadne-room")).size, 30);
  for (const agent of games.keys()) assert.deepEqual(seedsOf(String(agent)), seedsOf("ariadne-room"));
});

Deno.test("evidenceParts() plays large hunts with the reader that stands for all", () => {
  const [part, ...others] = evidenceParts({ only: ["large", "rag"] });
  assert.deepEqual([part?.study.id, others], ["evidence-large-quick-rag@reader:command-r-plus", []]);
  const episodes = part?.study.lanes.flatMap((lane) => lane.episodes) ?? [];
  assert.deepEqual(new Set(episodes.map(({ factors }) => factors?.["rooms"])), new Set([100, 225]));
});

Deno.test("memoryLengthStudy() plays every level of what a sized world varies, each a game of its own", () => {
  const { id, lanes } = memoryLengthStudy({ only: ["rag"], attempts: 2 }, "cleaning");
  assert.equal(id, "evidence-cleaning-quick-rag-x2@offline");
  const played = lanes.flatMap(({ episodes }) => episodes.map(({ label, factors, params }) => ({ label, ...factors, ...params })));
  assert.equal(new Set(played.map(({ label }) => label)).size, 2 * 2 * 2, "sizes, levels, games");
  for (const { moved, movedEvery } of played as { moved?: string; movedEvery?: number }[]) {
    assert.equal(movedEvery, moved === "never" ? undefined : Number(moved?.match(/\d+/)));
  }
  assert.throws(() => memoryLengthStudy({}, "cleanign"), /did you mean "cleaning"/);
});

Deno.test("the diagrams of a sized world have a row for each reader and level of what it varies", () => {
  using store = openStore(":memory:");
  const parts = evidenceParts({ only: ["cleaning"] });
  for (const { study } of parts) playAll(store, study, ({ memory, moved }) => Number(memory === "arigraph" && moved !== "never"));
  const [part] = parts;
  assert.ok(part);
  const { figures, tables: [means] } = sectionOf(part.report, store, part.study, { ledger: false });
  assert.deepEqual(
    figures.map(({ id }) => id.split("-").at(-1)),
    ["score", "tokensAStep", "score"],
    "tokens of an episode favour who loses soon",
  );
  assert.deepEqual(means?.columns.slice(-2), ["tokens", "tokens a step"]);
  const phase = figures.find(({ id }) => id.startsWith("phase") && id.endsWith("score"));
  assert.ok(phase);
  const cells = rowsOf<{ y: string; mean: number }>(phase.frame);
  assert.deepEqual(
    [...new Set(cells.map(({ y }) => y))],
    [...READERS.flatMap((reader) => [`${reader}, moved never`, `${reader}, moved every 5 steps`]), "paper (gpt-4)"],
  );
  assert.match(phase.caption, /No interval contradicts the paper's order at its own places\./); // who ties where nothing is moved denies nothing
  for (const { y, mean } of cells.filter(({ y }) => !y.startsWith("paper"))) assert.equal(mean, Number(y.endsWith("every 5 steps")), y);
});

Deno.test("a sized world played with one memory alone is reported without diagrams", () => {
  for (const memory of ["rag", "arigraph"]) {
    using store = openStore(":memory:");
    const [part] = evidenceParts({ only: ["cleaning", memory] });
    assert.ok(part);
    playAll(store, part.study, () => 1);
    const { tables, figures } = sectionOf(part.report, store, part.study, { ledger: false });
    assert.deepEqual([tables.map(({ id }) => id.split("-")[0]), figures], [["means"], []], memory);
  }
});

Deno.test("memoryLengthStudy() names --attempts where the form has several numbers of games", () => {
  const usual = memoryLengthStudy({}, "large");
  for (const attempts of [2, 4]) {
    const { id, lanes } = memoryLengthStudy({ attempts }, "large");
    assert.deepEqual([id, lanes.length], [`evidence-large-quick-x${attempts}@offline`, 2 * 4 * attempts]); // sizes, memories, games
    assert.notEqual(lanes.length, usual.lanes.length);
  }
  assert.equal(memoryLengthStudy({ attempts: 12, full: true }).id, "evidence-length-full@offline");
});

Deno.test("worldModelStudy() trains those alone that have a world model", () => {
  const { lanes } = worldModelStudy({ models: { "*": "reader:gpt-4o" } });
  for (const { id, after, episodes: [episode] } of lanes.slice(1)) {
    assert.equal(after, episode?.factors?.["worldModel"] ? "training" : undefined, id);
  }
});

Deno.test("evidenceParts() plays the studies of one paper where they are named, each id once", () => {
  for (const [name, count] of [["graphmind", 9], ["wese", 4], ["reasonplanner", 2], ["nethack", 3]] as const) {
    const parts = evidenceParts({ only: [name] });
    assert.equal(parts.length, count, name);
    assert.ok(parts.every(({ study, ordinary }) => study.id.startsWith(`${ordinary}@`)), name);
  }
  assert.equal(evidenceParts({ only: ["wese"], models: { "*": "reader:gpt-4o" } }).length, 1);
});

Deno.test("atEveryRate() puts what does not err at rate 0, and what cannot err at every rate", () => {
  const all = atEveryRate(played([
    rowOf("clean", { error: "none", rate: 0, memory: "room-graph", votes: 5 }, 1),
    rowOf("stacked", { error: "none", rate: 0, memory: "stacked" }, 1),
    rowOf("erring", { error: "missed-door", rate: 10, memory: "room-graph", votes: 5 }),
  ]));
  const at = ({ episode, factors }: ExperimentRow): string => `${episode} ${factors["error"]} ${factors["rate"]}`;
  assert.deepEqual(all.rows.map(at).sort(), [
    "clean missed-door 0",
    "erring missed-door 10",
    "stacked missed-door 0",
    "stacked missed-door 10",
  ]);
});

Deno.test("siblings() names the three readers first, then others, rates of errors from small to large", () => {
  using store = openStore(":memory:");
  const models = [
    "reader:perfect,missed-door=20",
    "reader:perfect,missed-door=5",
    "reader:perfect",
    "reader:llama-3.1-8b",
    "reader:gpt-4o",
  ];
  for (const model of models) putStudy(store, { id: `s@${model}`, spec: { lanes: [] }, createdAt: 0 });
  assert.deepEqual(siblings(store, "s@reader:perfect"), [4, 3, 2, 1, 0].map((index) => `s@${models[index]}`));
});

Deno.test("the figures of errors are drawn without a warning, of each reader its own, and hold KG against the others at every rate", async () => {
  using store = openStore(":memory:");
  const rows = ["reader:a", "reader:b"].flatMap((reader) =>
    [0, 10].flatMap((rate) =>
      ["a", "b"].flatMap((game) => {
        const error = rate === 0 ? "none" : "missed-door";
        const of = (memory: string, votes?: number): ExperimentRow => ({
          ...rowOf(
            `${reader} ${memory} ${votes} ${rate} ${game}`,
            { reader, error, rate, memory, rooms: 4, votes: votes ?? null },
            Number(game === "a"),
          ),
          game,
        });
        return [of("room-graph", 1), of("room-graph", 5), of("static", 5), ...(rate === 0 ? [of("stacked"), of("none")] : [])];
      })
    )
  );
  const info = { title: "GED", digits: 1, range: [0, Infinity] as const, optional: true as const };
  const measured = withMeasures(played(rows), {
    ged: {
      ...info,
      of: ({ factors: { memory, rate, reader } }) => memory === "room-graph" ? Number(rate) * Number(reader === "reader:a") : null,
    },
  });
  const figures = figuresOf(store, measured);
  assert.equal(figures.length, 2 * 4);
  for (const [reader, ged] of [["reader:a", 10], ["reader:b", 0]] as const) {
    const curve = figures.find(({ id }) => id === `curve-s@${reader}-missed-door-rate-ged`);
    assert.ok(curve, figures.map(({ id }) => id).join(" "));
    assert.ok(curve.caption.includes(`, with and without missed-door, backbone ${reader}, `), curve.caption);
    const found = rowsOf<{ level: number; mean: number }>(curve.frame).filter(({ level }) => level === 10);
    assert.deepEqual(new Set(found.map(({ mean }) => mean)), new Set([ged]), reader);
  }
  for (const figure of figures) assert.match(await toSvg(figure), /^<svg/);
  const phase = figures.find(({ id }) => id.startsWith("phase"));
  assert.ok(phase);
  assert.match(phase.caption, /with and without errors, 5 votes/);
  assert.deepEqual(phase.frame.columns, ["than", "x", "y", "lead", "text", "mean", "low", "high", "games"]);
  const places = rowsOf<{ than: string; x: string }>(phase.frame).map(({ than, x }) => `${than} ${x}`).sort();
  assert.deepEqual(places, ["none 0", "none 10", "stacked 0", "stacked 10", "static 0", "static 10"]);
});

Deno.test("besideExplorations() pairs each exploration with the base method of the reader that acts", () => {
  const wese = (acts: string, explores: string, explorationSteps: number, won: number): ExperimentRow =>
    rowOf(`${acts} ${explores} ${explorationSteps}`, {
      method: "wese",
      base: "react",
      retrieval: "one-hop",
      acts,
      explores,
      explorationSteps,
    }, won);
  const alone = (acts: string, won: number): ExperimentRow => rowOf(acts, { method: "react", base: "react", acts, explores: acts }, won);
  const beside = besideExplorations(
    played([alone("A", 0), alone("B", 1), wese("A", "B", 5, 1), wese("A", "B", 50, 0), wese("B", "B", 5, 1)]),
  );
  const { rows } = advantagesOf(beside, { x: "explorationSteps", y: "setting", by: "exploration", level: "WESE", of: "won" });
  assert.deepEqual(rows.map(({ than, y, x, mean }) => [than, y, x, mean]), [
    ["react alone (WESE retrieves one-hop)", "B for A", 5, 1],
    ["react alone (WESE retrieves one-hop)", "B for A", 50, 0],
    ["react alone (WESE retrieves one-hop)", "B for B", 5, 0],
  ]);
});

Deno.test("judgedOf() compares what the critic was shown, and finds where the simulator departed", () => {
  const prompt = (response: string, actual: string, score: string): string =>
    `### Predicted\nCommand: open door\nResponse: ${response}\nState: a hall\nwith a door\n\n` +
    `### What happened\nResponse: ${actual}\nScore: ${score}\nState: a hall`;
  const verdict = (replan: boolean): string => JSON.stringify({ replan, reason: "so" });
  const kept = judgedOf(prompt("The door is open.", "the door is now open", "5 before, 5 now"), verdict(false));
  assert.deepEqual([kept?.response.toFixed(9), kept?.state?.toFixed(9)], [(8 / 9).toFixed(9), (4 / 7).toFixed(9)]);
  assert.deepEqual([kept?.departed, kept?.replanned], [false, false]);
  assert.equal(judgedOf(prompt("The door is open.", "No known action matches that.", "5 before, 5 now"), verdict(true))?.departed, true);
  assert.equal(judgedOf(prompt("It is done.", "You move to the hall.", "5 before, 5 now"), verdict(false))?.departed, false);
  assert.equal(judgedOf(prompt("It is done.", "You look around.", "5 before, 5 now"), verdict(false), true)?.departed, true);
  assert.equal(judgedOf(prompt("The door is open.", "The door is open.", "5 before, -100 now"), verdict(true))?.departed, true);
  assert.equal(judgedOf(prompt("a", "a", "0 before, 0 now").replace("a hall\nwith a door", "not predicted"), verdict(false))?.state, null);
  assert.equal(judgedOf(prompt("a", "a", "0 before, 0 now"), "no JSON"), undefined);
});

Deno.test("withMeasures() adds a measure whose means leave out the episodes that have none, where it may lack values", () => {
  const rows = [rowOf("a", { memory: "m" }), rowOf("b", { memory: "m" }), { ...rowOf("c", { memory: "m" }), status: "failed" as const }];
  const info = { title: "GED", digits: 1, range: [0, Infinity] as const, of: ({ episode }: ExperimentRow) => episode === "a" ? 3 : null };
  const strict = withMeasures(played(rows), { ged: info });
  assert.deepEqual(strict.rows.map(({ values }) => values["ged"]), [3, null, null]);
  assert.equal(meanOverGames(strict.rows, "ged", measureOf(strict, "ged")), undefined);
  const loose = withMeasures(played(rows), { ged: { ...info, optional: true } });
  assert.deepEqual(meanOverGames(loose.rows, "ged", measureOf(loose, "ged"))?.episodes, ["a"]);
  assert.throws(() => measureOf(loose, "gde"), /did you mean "ged"/);
});
