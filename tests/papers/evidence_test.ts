import assert from "node:assert/strict";
import { lossesOf } from "../../lib/papers/evidence/attribution.ts";
import { readMatrix, withReasons } from "../../lib/papers/evidence/matrix.ts";
import { paperExploration } from "../../lib/papers/evidence/exploration.ts";
import { paperAdvantages, READERS } from "../../lib/papers/evidence/memory-length.ts";
import { paperRooms } from "../../lib/papers/evidence/room-sizes.ts";
import { paperWorldModel } from "../../lib/papers/evidence/world-model.ts";
import type { ReportedAdvantage } from "../../lib/report/figures/paper-order.ts";
import { chosenReader } from "../../lib/papers/evidence/reader-choice.ts";
import { evidenceParts } from "../../lib/papers/evidence/report.ts";
import { readerProfiles } from "../../lib/offline/profiles.ts";
import { putEpisode } from "../../lib/store/episodes.ts";
import { openStore } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import type { ExperimentRow } from "../../lib/report/experiment.ts";

Deno.test("READERS are NoLiMa's highest, upper median and lowest by the mean of their rows", () => {
  const means = [...readerProfiles()].filter(([, { curve }]) => curve.length > 0)
    .map(([name, { curve }]) => ({ name: `reader:${name}`, mean: curve.reduce((sum, { chance }) => sum + chance, 0) / curve.length }))
    .sort((a, b) => b.mean - a.mean);
  assert.deepEqual([...READERS], [means[0], means[means.length / 2 - 1], means.at(-1)].map((one) => one?.name));
});

Deno.test("paperAdvantages() has the differences that Table 4 prints, and the order that the text tells beside it", () => {
  const found = paperAdvantages().map(({ than, x, mean, isUnprinted }) =>
    [than, x, isUnprinted ? Math.sign(mean) : mean.toFixed(2)].join(" ")
  );
  assert.deepEqual(found, [
    "full-history 12 0.53",
    "summary 12 0.67",
    "rag 12 0.67",
    "summary 16 0.83",
    "rag 16 0.83",
    ...["full-history 36 1", "summary 36 1", "rag 36 1"],
  ]);
});

Deno.test("studies name what their papers print of the same comparisons", () => {
  const textOf = ({ than, x, mean, isUnprinted }: ReportedAdvantage): string =>
    [than, x, isUnprinted ? Math.sign(mean) : mean.toFixed(2)].join(" ");
  assert.deepEqual(paperAdvantages("cleaning").map(textOf), ["full-history 9 0.74", "summary 9 0.44", "rag 9 0.40"]);
  const oneHop = "react alone (WESE retrieves one-hop) 50";
  assert.deepEqual(paperExploration("react", "won").map(textOf).slice(0, 2), [`${oneHop} 0.15`, `${oneHop} 0.18`]);
  const [weak, strong] = paperExploration("react", "dollars");
  assert.deepEqual([weak?.mean, strong?.mean], [-1, 1]); // weak exploration saves, strong costs more
  assert.deepEqual(weak?.of, ["claude-3.5-sonnet for gpt-4o", "llama-3.1-8b for gpt-4o", "llama-3.1-8b for claude-3.5-sonnet"]);
  assert.deepEqual(strong?.of?.slice(0, 1), ["gpt-4o for gpt-4o"]);
  const [world] = paperWorldModel(["melt", "test-conductivity"], ["gpt-4o, k = 1", "gpt-4o, k = 3"]);
  assert.deepEqual([world && textOf(world), world?.of], ["no world model 5 0.35", ["gpt-4o, k = 3"]]); // 67 and 3.33 of 100
  assert.deepEqual(paperWorldModel([], []), []);
  const rooms = paperRooms().map((one) => `${textOf(one)} ${one.y}`);
  assert.ok(
    rooms.includes("stacked 49 0.50 paper (gemini-2.5-flash)") && rooms.includes("stacked 4 -0.07 paper (gemini-2.5-pro)"),
    `${rooms}`,
  );
  assert.ok(rooms.includes("none 9 0.30 paper (gemini-2.5-flash)") && rooms.includes("static 9 0.08 paper (gemini-2.5-flash)"), `${rooms}`);
});

Deno.test("evidenceParts() plays each study with three readers, the perfect one once, and a study's choices where it is named", () => {
  const ids = (only?: readonly string[]): string[] => evidenceParts({ only }).map(({ study }) => study.id);
  assert.deepEqual(ids(["length"]), READERS.map((reader) => `evidence-length-quick@${reader}`));
  assert.equal(ids(["attribution"]).length, 3 * 5 + 1);
  assert.equal(ids().filter((id) => id.startsWith("reader-choice")).length, 0);
  assert.equal(ids(["reader-choice"]).length, 12);
  assert.equal(ids(["matrix", "rag"])[0], "evidence-matrix-quick-rag@reader:gpt-4o");
  assert.throws(() => evidenceParts({ games: "official" }), /leave out --games/);
  const isApart = evidenceParts({ only: ["length", "rag"] }).every(({ study, ordinary }) => !study.id.startsWith(`${ordinary}@`));
  assert.ok(isApart, "a part of a study must not overwrite the files of the whole");
  assert.throws(
    () => ids(["rag"]),
    /name length or large or .*matrix or attribution or attribution-graphmind or .* or nethack or steps or sweeps or reader-choice, too/,
  );
});

Deno.test("lossesOf() adds up to 1 over the games that every stage completed", () => {
  const scores = { none: [0.25, 0.5, 1], extraction: [0.5, 0.5, 1], staleness: [0.5, 0.25, 1], retrieval: [0.5, 0.5, null] };
  const rest = { planning: [0.75, 0.5, 1], acting: [1, 0.5, 1] };
  const rows = Object.entries({ ...scores, ...rest }).flatMap(([perfect, values]) =>
    values.map((score, game): ExperimentRow => ({
      ...{
        episode: `${perfect} ${game}`,
        condition: "arigraph",
        status: "completed",
        seed: "1",
        game: `game ${game}`,
        world: "textworld/hunt",
      },
      factors: { reader: perfect === "acting" ? "reader:perfect" : "r", perfect },
      values: { score, won: null, steps: null, calls: null, tokens: null, dollars: null },
    }))
  );
  const losses = lossesOf(rows);
  assert.deepEqual(losses.map(({ stage, value, games }) => [stage, value, games]), [
    ["scored", 0.375, 2],
    ...[["extraction", 0.125, 2], ["staleness", -0.125, 2], ["retrieval", 0.125, 2], ["planning", 0.125, 2], ["acting", 0.125, 2]],
    ["rest", 0.25, 2],
  ]);
  assert.equal(losses.reduce((sum, { value }) => sum + value, 0), 1);
});

Deno.test("readMatrix() names the memories that a study takes, and those without a cell in every world", () => {
  using store = openStore(":memory:");
  const readingOf = (...memories: readonly string[]): unknown => {
    const lanes = memories.map((memory) => ({ id: memory, episodes: [{ factors: { world: "BabyAI", memory } }] }));
    putStudy(store, { id: "evidence-matrix-quick@m", spec: { lanes }, createdAt: 0 });
    for (const lane of memories) {
      putEpisode(store, {
        ...{
          id: lane,
          study: "evidence-matrix-quick@m",
          lane,
          ordinal: 0,
          world: "babyai",
          method: "ariadne",
          memory: lane,
          condition: lane,
        },
        ...{ worldParams: {}, backbone: "m", seed: 1, attempt: 1, identity: {} },
      });
    }
    return readMatrix(store, "evidence-matrix-quick@m").reading;
  };
  assert.equal(readingOf("rag"), "The memories are of the four papers: rag.");
  assert.equal(
    readingOf("rag", "room-graph"),
    "The memories are of the four papers: rag, room-graph. Not played in every world: room-graph (reads BabyAI's grid alone).",
  );
});

Deno.test("withReasons() says why a cell cannot be, and leaves the others", () => {
  const table = { id: "t", title: "T", caption: "", columns: ["memory", "n", "Hunt", "BabyAI"] };
  const { rows } = withReasons({ ...table, rows: [["room-graph", "2", null, null], ["rag", "2", null, { value: 1 }]] });
  assert.deepEqual(rows, [["room-graph", "2", "reads BabyAI's grid alone", null], ["rag", "2", null, { value: 1 }]]);
});

Deno.test("chosenReader() takes the greatest spread, and of those within 0.01 the highest base score", () => {
  const of = (reader: string, spread: number, base: number) => ({ reader, spread, base });
  assert.equal(chosenReader([of("a", 0.3, 0.9), of("b", 0.4, 0.7), of("c", 0.391, 0.8), of("d", 0.389, 0.99)]), "c");
  assert.equal(chosenReader([]), undefined);
});
