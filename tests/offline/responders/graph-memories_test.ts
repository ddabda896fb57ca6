/**
 * How the stand-in answers the roles of HippoRAG 2, Graphiti and GraphRAG: read back
 * through the memories' own parsers.
 */

import assert from "node:assert/strict";
import * as graphiti from "../../../lib/core/memory/others/graphiti.prompts.ts";
import * as graphrag from "../../../lib/core/memory/others/graphrag.prompts.ts";
import * as hipporag from "../../../lib/core/memory/others/hipporag.prompts.ts";
import { formatTriplet } from "../../../lib/mod.ts";
import { createStandIn, type OfflineOptions } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";

/** The reply of a role, read by a parser. */
async function ask<T>(
  role: string,
  sections: Record<string, string>,
  parse: (text: string) => { kind: "ok"; value: T } | { kind: "malformed"; problem: string },
  modelOptions: OfflineOptions = {},
): Promise<T> {
  const model = createStandIn({ responders: offlineResponders, modelOptions });
  const { text } =
    (await model.chat({ role, messages: [{ role: "user", content: renderSections(sections) }] }))
      .choices[0];
  const reading = parse(text);
  assert(reading.kind === "ok", text);
  return reading.value;
}

const ROOM =
  "Game step #3\n-= Gorf =-\nYou see a frenk. On the frenk you can see a zolbit.\n\nThere is an exit to the east.";
const ROOM_FACTS = ["frenk, is in, gorf", "zolbit, is on, frenk", "gorf, has exit, east"];
const PARAGRAPH = "Tarn Vell\nTarn Vell was born in Ost.";

Deno.test("hipporag: names and triplets of a room with invented names, and of a paragraph", async () => {
  assert.deepEqual(await ask("hipporag/names", { Text: ROOM }, hipporag.parseNames), [
    "frenk",
    "gorf",
    "zolbit",
    "east",
  ]);
  assert.deepEqual(
    (await ask("hipporag/triplets", { Text: ROOM }, hipporag.parseTriplets)).map(formatTriplet),
    ROOM_FACTS,
  );
  const [born] = await ask("hipporag/triplets", { Text: PARAGRAPH }, hipporag.parseTriplets);
  assert.deepEqual([born?.subject, born?.object], ["tarn vell", "ost"]);
});

Deno.test("graphiti: the facts of a room as edges; recall drops some, and another name is an error of its own", async () => {
  const edges = await ask(
    "graphiti/extract",
    { "Texts before": "", Step: "3", Text: ROOM },
    graphiti.parseExtract,
  );
  assert.deepEqual(edges.map(({ text }) => text), ROOM_FACTS);
  assert.deepEqual(edges.map(formatTriplet), ROOM_FACTS);
  assert.equal(
    (await ask("graphiti/extract", { Step: "3", Text: ROOM }, graphiti.parseExtract, { recall: 0 }))
      .length,
    0,
  );
});

Deno.test("graphiti: a new place of a thing contradicts its old one, by their numbers", async () => {
  const sections = {
    "Existing triplets":
      "[1] gorf, has exit, east\n[2] zolbit, is on, frenk\n[3] locker, is, closed",
    "New triplets": "[1] locker, is, open\n[2] zolbit, is in, inventory",
  };
  const verdicts = await ask(
    "graphiti/judge",
    sections,
    graphiti.parseVerdicts({ known: 3, fresh: 2 }),
  );
  assert.deepEqual(verdicts.map(({ kind, known, fresh }) => `${kind} ${known} by ${fresh}`), [
    "contradicted 1 by 1",
    "contradicted 2 by 0",
  ]);
});

Deno.test("graphrag: a paragraph as a graph, its report, and the report's points on a question and what it leads on to", async () => {
  const { entities, relations } = await ask(
    "graphrag/extract",
    { Text: PARAGRAPH },
    graphrag.parseExtracted,
  );
  assert.deepEqual(entities.map(({ name }) => name), ["tarn vell", "ost"]);
  assert.deepEqual(relations.map(({ source, target }) => [source, target]), [["tarn vell", "ost"]]);
  const sections = {
    Entities: "tarn vell: \nost: ",
    Relations:
      "tarn vell – ost: tarn vell, born in, ost\nost – frenk: ost, is in, frenk; frenk, borders on, ost",
  };
  const { title, findings } = await ask("graphrag/report", sections, graphrag.parseReport);
  const facts = ["tarn vell, born in, ost", "ost, is in, frenk", "frenk, borders on, ost"];
  assert.deepEqual([title, findings.map(({ explanation }) => explanation)], ["tarn vell", facts]);
  const Reports = [...facts, "gorf, has exit, east"].map((fact) => `- Fact: ${fact}`).join("\n");
  const points = await ask(
    "graphrag/map",
    { Reports, Question: "Where was Tarn Vell born?" },
    graphrag.parsePoints,
  );
  assert.deepEqual(
    points,
    facts.map((description, at) => ({ description, score: at === 0 ? 80 : 20 })),
  );
});
