import assert from "node:assert/strict";
import * as graphiti from "../../../lib/core/memory/others/graphiti.prompts.ts";
import * as graphrag from "../../../lib/core/memory/others/graphrag.prompts.ts";
import * as hipporag from "../../../lib/core/memory/others/hipporag.prompts.ts";
import { testWordings } from "./snapshot.ts";

/** The value of a reply, or its problem. */
function read<T>(
  parse: (text: string) => { kind: "ok"; value: T } | { kind: "malformed"; problem: string },
  text: string,
): T | string {
  const reading = parse(text);
  return reading.kind === "ok" ? reading.value : reading.problem;
}

testWordings({
  "hipporag-names": hipporag.namesPrompt,
  "hipporag-triplets": hipporag.tripletsPrompt,
  "hipporag-recognise": hipporag.recognisePrompt,
  "graphiti-extract": graphiti.extractPrompt,
  "graphiti-resolve": graphiti.resolvePrompt,
  "graphiti-judge": graphiti.judgePrompt,
  "graphiti-summarise": graphiti.summarisePrompt,
  "graphrag-extract": graphrag.extractPrompt,
  "graphrag-glean": graphrag.gleanPrompt,
  "graphrag-describe": graphrag.describePrompt,
  "graphrag-report": graphrag.reportPrompt,
  "graphrag-map": graphrag.mapPrompt,
});

Deno.test("graphiti.parseExtract() reads facts with their times, and drops loops and empty parts", () => {
  const edge = (source: string, target: string, more: object = {}): object => ({
    source,
    relation: "Is In",
    target,
    ...more,
  });
  const facts = [
    edge("Trunk", "Attic", { fact: "The trunk\nis in the attic.", from: 2, until: null }),
    edge("a", "A"),
    edge("", "b"),
    edge("b", null as never),
  ];
  assert.deepEqual(read(graphiti.parseExtract, JSON.stringify({ facts })), [
    {
      subject: "trunk",
      relation: "is in",
      object: "attic",
      text: "The trunk is in the attic.",
      from: 2,
      until: undefined,
    },
  ]);
  const example = /\{"facts": .*\}/.exec(graphiti.extractPrompt.instructions)?.[0] ?? "";
  assert.match(String(read(graphiti.parseExtract, example)), /no fact of the text/);
});

Deno.test("parseVerdicts() reads pairs of new and known facts, and drops numbers of no fact", () => {
  const pairs = (...list: [number, number][]) =>
    list.map(([fresh, known]) => ({ new: fresh, known }));
  const parse = graphiti.parseVerdicts({ known: 2, fresh: 1 });
  assert.deepEqual(
    read(
      parse,
      JSON.stringify({
        repeated: pairs([1, 2]),
        contradicted: pairs([1, 1], [2, 1], [1, 3], [0, 1]),
      }),
    ),
    [
      { kind: "repeated", known: 1, fresh: 0 },
      { kind: "contradicted", known: 0, fresh: 0 },
    ],
  );
  assert.deepEqual(read(parse, '{"contradicted": []}'), []);
});

Deno.test("parseExtracted() keeps what has a name, and counts the rest", () => {
  const entities = [{ name: "1. Ada", type: "person", description: "A woman." }, { name: "..." }, {
    name: "Tarn",
    type: null,
  }];
  const relations = [{ source: "Ada", target: "Tarn" }, {
    source: "Ada",
    description: "Ada sings.",
  }];
  assert.deepEqual(graphrag.parseExtracted(JSON.stringify({ entities, relations })), {
    kind: "ok",
    value: {
      entities: [{ name: "Ada", type: "person", description: "A woman." }, {
        name: "Tarn",
        type: "",
        description: "",
      }],
      relations: [{ source: "Ada", target: "Tarn", description: "" }],
    },
    dropped: 2,
  });
  assert.match(String(read(graphrag.parseExtracted, '{"entities": []}')), /relations/);
});

Deno.test("parseReport() and parsePoints() keep numbers to their scales, and leave out what has no text", () => {
  const findings = [{ summary: "She lives in Tarn.", explanation: "Since 1871." }, { summary: "" }];
  const report = { title: "Ada", summary: "Of Tarn.", rating: "12", findings };
  assert.deepEqual(read(graphrag.parseReport, JSON.stringify(report)), {
    ...report,
    rating: 10,
    findings: [findings[0]],
  });
  const points = [{ description: "Tarn.", score: 120 }, { description: "Bees.", score: "-1" }, {
    description: "Ost.",
    score: "40/100",
  }];
  assert.deepEqual(read(graphrag.parsePoints, JSON.stringify({ points })), [
    { description: "Tarn.", score: 100 },
    { description: "Ost.", score: 40 },
  ]);
  assert.deepEqual(read(graphrag.parsePoints, '{"points": []}'), []);
});
