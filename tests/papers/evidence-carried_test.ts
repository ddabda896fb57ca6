/** Sequences with carried memory, played in real worlds: what the second episode recalls, and what a failure in the middle leaves. */

import assert from "node:assert/strict";
import { shortfall } from "../../lib/cli/shortfall.ts";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { WorldError } from "../../lib/errors.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { lanesOfShard } from "../../lib/lab/shard.ts";
import type { Study } from "../../lib/lab/study.ts";
import { MEMORIES } from "../../lib/memory/registry.ts";
import { carriedStudy, evidenceReport } from "../../lib/papers/evidence/mod.ts";
import { inPairs } from "../../lib/papers/evidence/carried.ts";
import { shortened } from "../../lib/papers/study-options.ts";
import { type ExperimentRow, MEASURES, type PlayedExperiment, withRows } from "../../lib/report/experiment.ts";
import { toSvg } from "../../lib/report/figure.ts";
import { cellText, type Table } from "../../lib/report/table.ts";
import { differencesTable } from "../../lib/report/tables/experiment.ts";
import { type EpisodeRecord, listEpisodes } from "../../lib/store/episodes.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { listTurns } from "../../lib/store/turns.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

/** The sequences of one kind and memory, so many of them, in short episodes. */
function sequences(kind: string, memory: string, attempts: number, steps: number): Study {
  const models = { "*": "reader:perfect" };
  return shortened(carriedStudy({ only: [kind, memory], attempts, models }), steps);
}

/** The episodes of a sequence by start and position. */
function episodesOf(store: Store, study: string, memory: string): Map<string, EpisodeRecord> {
  return new Map(listEpisodes(store, { study }).map((row) => [`${row.condition.replace(`${memory}, `, "")} ${row.seed}`, row]));
}

function recalledAtOnce(store: Store, episode: EpisodeRecord | undefined): string {
  return JSON.stringify(listTurns(store, episode?.id ?? "")[1]?.details["recalled"] ?? assert.fail()).toLowerCase();
}

Deno.test("carriedStudy() recalls at once, when carried, what only the episode before has seen", async () => {
  using store = openStore(":memory:");
  const study = sequences("hunts", "arigraph", 1, 12);
  const { completed, planned } = await playStudy(study, { store, worlds });
  assert.deepEqual([completed, planned], [5, 5]);
  const played = episodesOf(store, study.id, "arigraph");
  const [first, carried, fresh] = ["carried 1", "carried 2", "fresh 2"].map((at) => played.get(at));
  assert.equal(carried?.artefactIn, first?.artefactOut);
  assert.equal(fresh?.artefactIn, undefined);
  assert.equal(fresh?.game, carried?.game);
  const begin = listTurns(store, carried?.id ?? "")[0];
  const before = new Set(listTurns(store, first?.id ?? "").map(({ sections }) => String(sections["location"]).toLowerCase()));
  const elsewhere = [...before].filter((room) => !begin?.observation.toLowerCase().includes(room));
  assert.ok(elsewhere.length > 0, "the first episode goes somewhere");
  const named = (episode: EpisodeRecord | undefined): string[] => elsewhere.filter((room) => recalledAtOnce(store, episode).includes(room));
  assert.ok(named(carried).length > 0, recalledAtOnce(store, carried));
  assert.deepEqual(named(fresh), []);
});

Deno.test("carriedStudy() gives no score after a failure, and says that the rest is not begun", async () => {
  using store = openStore(":memory:");
  const study = sequences("cooking", "rag", 2, 3);
  const broken = study.lanes.find(({ id }) => id === "cooking, sequence 1|rag, carried")?.episodes[1]?.params?.["seed"];
  const opened: typeof worlds = {
    ...worlds,
    open: (id, params = {}, options) =>
      params["seed"] === broken ? Promise.reject(new WorldError("bad-game", "the game is cut; mend it")) : worlds.open(id, params, options),
    specOf: undefined,
  };
  const result = await playStudy(study, { store, worlds: opened });
  const statuses = (id: string): string[] => result.episodes.filter(({ lane }) => lane === id).map(({ status }) => status);
  assert.deepEqual(statuses("cooking, sequence 1|rag, carried"), ["completed", "failed", "planned"]);
  assert.deepEqual([2, 3].flatMap((position) => statuses(`cooking, sequence 1|rag, fresh|position ${position}`)), ["failed", "completed"]);
  assert.deepEqual(statuses("cooking, sequence 2|rag, carried"), ["completed", "completed", "completed"]);
  assert.match(
    shortfall(result) ?? "",
    /^7 of 10 episodes are completed; 2 failed .*--retry.*; 1 not begun, 1 of them because they start from what a failed one was to leave$/,
  );
  for (const row of result.episodes) assert.equal(row.status === "completed", row.score !== undefined);

  const [means, score] = evidenceReport(store, study.id, { allowIncomplete: true }).tables as [Table, Table];
  assert.match(means.caption, /A failed episode has no score and ends a carried sequence, whose later positions are not played/);
  assert.match(means.caption, /n = 10 episodes \(7 completed\): 2 sequences/);
  const pairs = new Map(score.rows.map(([condition, sequences, pairs]) => [condition, [sequences, pairs]]));
  assert.deepEqual(Object.fromEntries(pairs), {
    "cooking, rag, positions 2 to 3": ["1", "2"],
    "cooking, rag, position 2": ["1", "1"],
    "cooking, rag, position 3": ["1", "1"],
  });
  const strict = evidenceReport(store, study.id).tables[0] ?? assert.fail();
  const at = strict.columns.indexOf("carried, normalised score");
  assert.deepEqual(strict.rows.slice(1).map((row) => cellText(row[at] ?? null)), ["incomplete 1/2 (1 failed)", "incomplete 1/2"]);
});

Deno.test("carriedStudy() plays a memory fresh alone that says why it is not carried", async () => {
  using store = openStore(":memory:");
  const study = sequences("households", "none", 1, 2);
  assert.ok(study.lanes.every(({ episodes }) => episodes.length === 1 && episodes[0]?.factors?.["start"] === "fresh"));
  await playStudy(study, { store, worlds });
  const { tables, figures } = evidenceReport(store, study.id);
  assert.match(tables[0]?.caption ?? "", new RegExp(`The memory none is not carried: it ${MEMORIES["none"]?.notCarried}\\. Study`));
  for (const figure of figures) assert.match(await toSvg(figure), /^<svg/);
});

Deno.test("carriedStudy() plays the same games carried and fresh, and none in two sequences", () => {
  for (const full of [false, true]) {
    const { lanes } = carriedStudy({ full, only: ["households", "laboratories", "cooking", "hunts"] });
    const isCarried = (lane: Study["lanes"][number]): boolean => lane.episodes[0]?.factors?.["start"] === "carried";
    const carried = lanes.filter(isCarried).flatMap(({ episodes }) => episodes.slice(1));
    const at = ({ label, memory, params, attempt, seed }: typeof carried[number]): string =>
      JSON.stringify([label, memory, params, attempt, seed]);
    const fresh = lanes.filter((lane) => !isCarried(lane) && lane.episodes[0]?.memory !== "none").flatMap(({ episodes }) => episodes);
    assert.deepEqual(fresh.map(at).sort(), carried.map(at).sort());
    const games = Map.groupBy(lanes.flatMap(({ episodes }) => episodes), ({ world, params }) => JSON.stringify([world, params]));
    assert.throws(() => carriedStudy({ only: ["households"], attempts: 12 }), /there are games for 11 sequences of households, not for 12/);
    for (const episodes of games.values()) assert.equal(new Set(episodes.map(({ label }) => label)).size, 1);
    const hunts = carried.filter(({ world }) => world === "textworld/long-hunt");
    assert.equal(new Set(hunts.map(({ params }) => JSON.stringify(params))).size, full ? 10 : 4, "the same hunt at every position");
  }
});

Deno.test("carriedStudy() stays whole in shards, and takes any memory that reads every world", () => {
  const { lanes } = carriedStudy();
  const kinds = new Set(lanes.flatMap(({ episodes }) => episodes.map(({ factors }) => factors?.["sequence"])));
  assert.deepEqual([...kinds], ["cooking", "hunts"], "what the offline backbone has no policy for is played where it is named");
  const shards = [1, 2, 3].map((part) => lanesOfShard(lanes, { part, count: 3 }));
  assert.deepEqual(shards.flat().map(({ id }) => id).sort(), lanes.map(({ id }) => id).sort());
  for (const { id, episodes } of shards.flat()) assert.equal(episodes.length, id.endsWith("carried") ? 3 : 1);
  const names = Object.keys(MEMORIES).filter((memory) => !["room-graph", "stacked"].includes(memory));
  const kept = carriedStudy({ only: names }).lanes.filter(({ id }) => id.endsWith(", carried")).map(({ episodes: [one] }) => one?.memory);
  assert.deepEqual([...new Set(kept)], names.filter((memory) => memory !== "none"));
  assert.throws(() => carriedStudy({ only: ["room-graph"] }), /--only room-graph names neither a memory nor a kind of sequences/);
});

Deno.test("inPairs() averages the positions of a sequence first, and tests over sequences", () => {
  using store = openStore(":memory:");
  const scores = { carried: { 1: [1, 1], 2: [0.5, 0.25], 3: [1, 0.25] }, fresh: { 1: [1, 1], 2: [0.25, 0.25], 3: [0.25, 0.5] } };
  const rows = Object.entries(scores).flatMap(([start, positions]) =>
    Object.entries(positions).flatMap(([position, values]) =>
      values.map((score, number): ExperimentRow => ({
        ...{
          episode: `${start} ${position} ${number}`,
          condition: start,
          status: "completed",
          seed: position,
          game: `hunts, sequence ${number}`,
          world: "textworld/long-hunt",
        },
        factors: { sequence: "hunts", memory: "rag", start, position: Number(position) },
        values: { score, won: 0, steps: 1, calls: null, tokens: null, dollars: null },
      }))
    )
  );
  const played: PlayedExperiment = {
    study: "s",
    backbone: "b",
    embedder: "lexical",
    ...withRows(rows),
    measures: MEASURES,
    unit: "sequence",
  };
  const { columns, rows: [all, second] } = differencesTable(store, inPairs(played), { against: "fresh" });
  assert.deepEqual(columns.slice(0, 4), ["condition", "sequences", "pairs", "difference"]);
  // sequence 0: (0.25 + 0.75) / 2 = 0.5; sequence 1: (0 − 0.25) / 2 = −0.125: mean 0.1875, half 12.7062 · 0.3125 = 3.9707
  assert.deepEqual(all?.slice(0, 4).map((cell) => cellText(cell)), ["hunts, rag, positions 2 to 3", "2", "4", "0.19 [-1.00, 1.00]"]);
  assert.equal(cellText(second?.[3] ?? null), "0.13 [-1.00, 1.00]"); // 0.25 and 0: mean 0.125, half 12.7062 · 0.125 = 1.5883, cut to what scores can differ by
  const single = { ...played, ...withRows(rows.filter(({ game }) => game === "hunts, sequence 0")) };
  const [alone] = differencesTable(store, inPairs(single), { against: "fresh" }).rows;
  assert.deepEqual(alone?.slice(1, 4).map((cell) => cellText(cell)), ["1", "2", "–"], "positions of one sequence are no replicates");
});
