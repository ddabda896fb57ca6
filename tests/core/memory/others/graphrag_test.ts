import assert from "node:assert/strict";
import { createGraphRag } from "../../../../lib/core/memory/others/graphrag.ts";
import type { GraphRagOptions } from "../../../../lib/core/memory/others/graphrag-options.ts";
import { EntityGraph } from "../../../../lib/core/memory/others/graphrag-graph.ts";
import {
  type GraphRagIndex,
  localContext,
} from "../../../../lib/core/memory/others/graphrag-search.ts";
import type { ScriptedResponder } from "../../../../lib/core/llm/scripted.ts";
import type { Memory } from "../../../../lib/mod.ts";
import { under } from "../../agent/recording.ts";
import { context, section, shown, walk } from "../house.ts";
import { byWord } from "../vectors.ts";

/** Tokens as the tests count them: words. */
const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const person = (name: string, description: string): object => ({
  name,
  type: "person",
  description,
});
const relation = (source: string, target: string, description: string): object => ({
  source,
  target,
  description,
});

/** What the scripted model finds in a text. */
const FOUND: Readonly<Record<string, object>> = {
  "Ada lives in Tarn.": {
    entities: [person("Ada", "A woman.")],
    relations: [relation("Ada", "Tarn", "Ada lives in Tarn.")],
  },
  "Ada left Tarn.": {
    entities: [person("ADA", "A traveller.")],
    relations: [relation("tarn", "Ada", "Ada left Tarn.")],
  },
  "Bo keeps bees.": {
    entities: [person("Bo", "A man.")],
    relations: [relation("Bo", "bees", "Bo keeps bees.")],
  },
};
const REPLIES: Readonly<Record<string, ScriptedResponder>> = {
  extract: (request) => JSON.stringify(FOUND[section(request, "Text")]),
  glean: () => '{"entities": [], "relations": []}',
  describe: (request) => `One of ${section(request, "Descriptions").split("\n").length}.`,
  report: (request) =>
    JSON.stringify({
      title: section(request, "Entities").split(" (")[0],
      summary: "S.",
      rating: 5,
      findings: [],
    }),
  map: () => '{"points": []}',
};

async function reading(
  texts: readonly string[],
  options: GraphRagOptions = {},
  replies: Readonly<Record<string, ScriptedResponder>> = {},
): Promise<
  {
    memory: Memory;
    asked: ReturnType<typeof context>;
    ask: (question: string) => ReturnType<Memory["recall"]>;
  }
> {
  const asked = context(under("graphrag", { ...REPLIES, ...replies }));
  const memory = createGraphRag(options)(asked);
  await walk(memory, texts);
  return {
    memory,
    asked,
    ask: (question) =>
      memory.recall({ step: texts.length + 1, goal: "Answer.", observation: question, plan: "" }),
  };
}

Deno.test("observe() merges entities by name and relations by their ends, whatever the direction, with all descriptions", async () => {
  const { memory } = await reading(["Ada lives in Tarn.", "Ada left Tarn.", "Bo keeps bees."]);
  assert.deepEqual(memory.save().body, {
    units: ["Ada lives in Tarn.", "Ada left Tarn.", "Bo keeps bees."],
    entities: [
      { name: "Ada", type: "person", descriptions: ["A woman.", "A traveller."], units: [0, 1] },
      { name: "Tarn", type: "", descriptions: [], units: [0, 1] },
      { name: "Bo", type: "person", descriptions: ["A man."], units: [2] },
      { name: "bees", type: "", descriptions: [], units: [2] },
    ],
    relations: [
      {
        source: "Ada",
        target: "Tarn",
        descriptions: ["Ada lives in Tarn.", "Ada left Tarn."],
        units: [0, 1],
      },
      { source: "Bo", target: "bees", descriptions: ["Bo keeps bees."], units: [2] },
    ],
  });
});

Deno.test("recall() has one description written where there are several, and a report on each community, each but once", async () => {
  const { memory, asked, ask } = await reading([
    "Ada lives in Tarn.",
    "Ada left Tarn.",
    "Bo keeps bees.",
  ]);
  await ask("Where is Ada?");
  assert.deepEqual(
    shown(asked, "graphrag/describe", "Entity or relation"),
    ["Ada", "Ada – Tarn"],
  );
  assert.deepEqual(shown(asked, "graphrag/report", "Relations"), [
    "Ada – Tarn: One of 2.",
    "Bo – bees: Bo keeps bees.",
  ]);
  assert.equal(
    shown(asked, "graphrag/report", "Entities")[0],
    "Ada (person): One of 2.\nTarn: ",
  );
  await ask("Where is Bo?");
  await memory.observe({ step: 5, goal: "Answer.", observation: "Bo keeps bees." }); // says nothing that is new
  await ask("Where is Bo?");
  const often = (role: string): number => shown(asked, `graphrag/${role}`, "").length;
  assert.deepEqual([often("describe"), often("report")], [2, 2]);
});

Deno.test("observe() looks again for what was missed, until a look finds nothing that is new", async () => {
  const looks = [
    relation("Bo", "hives", "Bo has hives."),
    relation("bees", "hives", "They live there."),
    relation("BO", "Hives", "He has."),
  ];
  let at = 0;
  const glean = (): string => JSON.stringify({ entities: [], relations: [looks[at++]] });
  const { asked, memory } = await reading(["Bo keeps bees."], { gleanings: 9 }, { glean });
  assert.deepEqual(
    shown(asked, "graphrag/glean", "Found already").map((text) => text.split("\n").length),
    [3, 5, 6],
  );
  assert.equal((memory.save().body as { relations: unknown[] }).relations.length, 3);
  const { asked: once } = await reading(["Bo keeps bees."], { gleanings: 0 });
  assert.equal(shown(once, "graphrag/glean", "").length, 0);
});

/**
 * Ada – Tarn, Ada – Bo, Tarn – Ost, Bo – Ost, Cy – Tarn, with the units of each relation; Cy's
 * report is the more important one.
 */
function index(): GraphRagIndex {
  const graph = new EntityGraph();
  const told: readonly (readonly (readonly [string, string])[])[] = [
    [["Ada", "Tarn"]],
    [["Ada", "Bo"], ["Ada", "Tarn"]],
    [["Tarn", "Ost"], ["Bo", "Ost"]],
    [["Cy", "Tarn"]],
  ];
  for (const [at, pairs] of told.entries()) {
    graph.units.push(`unit ${at}`);
    graph.add(at, {
      entities: [],
      relations: pairs.map(([source, target]) => ({
        source,
        target,
        description: `${source}${target}`,
      })),
    });
  }
  const report = (
    title: string,
    rating: number,
  ): GraphRagIndex["communities"][number]["report"] => ({
    ...{ title, rating, summary: "s", findings: [{ summary: "f", explanation: "e" }] },
  });
  const communities = [
    { members: new Set(["Ost"]), report: report("none", 9) },
    { members: new Set(["Tarn"]), report: report("one", 2) },
    { members: new Set(["Cy"]), report: report("important", 8) },
    { members: new Set(["Ada", "Bo"]), report: report("two", 1) },
  ];
  return { graph, communities, describe: ({ descriptions }) => descriptions[0] ?? "" };
}

/** The local context of some entities, by hand. */
function local(
  chosen: readonly string[],
  limits: { readonly window?: number; readonly relations?: number } = {},
): ReturnType<typeof localContext> {
  const found = index();
  const entities = chosen.map((name) => found.graph.entity(name)).filter((entity) =>
    entity !== undefined
  );
  return localContext(found, entities, { window: 1000, relations: 10, count: words, ...limits });
}

// Degrees: Ada 2, Tarn 3, Bo 2, Ost 2, Cy 1. Of Ada and Tarn: within Ada – Tarn (5); out of them
// Ada – Bo (4), Tarn – Ost (5), Cy – Tarn (4).
Deno.test("localContext() ranks relations: within the chosen first, then out of them, to what most of the chosen know, then by degree", () => {
  const names = (chosen: readonly string[], relations = 10): string[] =>
    local(chosen, { relations }).relations.map((line) => line.split(": ")[1] ?? "");
  assert.deepEqual(names(["Ada", "Tarn"]), ["AdaTarn", "TarnOst", "AdaBo", "CyTarn"]);
  assert.deepEqual(
    names(["Ada", "Tarn"], 1),
    ["AdaTarn", "TarnOst", "AdaBo"],
    "one for each of the two",
  );
  // of Tarn and Bo: Ada and Ost are known to both, Cy to one; Ada – Tarn (5) and Tarn – Ost (5)
  // before Ada – Bo (4) and Bo – Ost (4)
  assert.deepEqual(names(["Tarn", "Bo"]), ["AdaTarn", "TarnOst", "AdaBo", "BoOst", "CyTarn"]);
});

Deno.test("localContext() keeps each part within its share of the window: a tenth, two fifths, half", () => {
  // of 40 words 4, 16 and 20: a report has 5; entities "Ada: " 1 each, relations "Ada – Tarn:
  // AdaTarn" 4; units 2
  const { reports, entities, relations, units } = local(["Ada", "Tarn"], { window: 40 });
  assert.deepEqual([reports.length, entities.length, relations.length, units.length], [0, 2, 3, 4]);
  const small = local(["Ada", "Tarn"], { window: 10 }); // 1, 4 and 5
  assert.deepEqual([small.entities.length, small.relations.length, small.units.length], [2, 0, 2]);
});

Deno.test("a local recall starts from the entities nearest to the question, by hand", async () => {
  const embedder = byWord({ Ada: [1, 0], bees: [0, 1], honey: [0.1, 0.99] });
  const asked = context(under("graphrag", REPLIES), embedder);
  const memory = createGraphRag({ search: "local", k: 1 })(asked);
  await walk(memory, Object.keys(FOUND));
  const { sections } = await memory.recall({
    step: 4,
    goal: "",
    observation: "Where is the honey?",
    plan: "",
  });
  assert.deepEqual(sections, {
    "Community reports": "Bo\nS.",
    Entities: "bees: ",
    Relations: "Bo – bees: Bo keeps bees.",
    Sources: "Bo keeps bees.",
  });
  assert.equal(shown(asked, "graphrag/map", "").length, 0);
});

Deno.test("a global recall asks each part of the reports for its points, and shows the best of all", async () => {
  const long = "word ".repeat(60).trim();
  const replies: Readonly<Record<string, ScriptedResponder>> = {
    report: (request) =>
      JSON.stringify({
        title: section(request, "Relations").slice(0, 3),
        summary: long,
        rating: 5,
        findings: [],
      }),
    map: (request) => {
      const isAda = section(request, "Reports").startsWith("Ada");
      return JSON.stringify({
        points: isAda
          ? [{ description: "Ada left.", score: 90 }, { description: "Nothing.", score: 0 }]
          : [{ description: "Bees.", score: 30 }],
      });
    },
  };
  const { asked, ask } = await reading(
    ["Ada lives in Tarn.", "Bo keeps bees."],
    { window: 100 },
    replies,
  );
  const { sections, recalled } = await ask("Where is Ada?");
  assert.deepEqual(sections, {
    "Points of community reports": "Ada left. (helpfulness 90)\nBees. (helpfulness 30)",
  });
  assert.deepEqual(recalled, { points: ["Ada left. (helpfulness 90)", "Bees. (helpfulness 30)"] });
  const parts = shown(asked, "graphrag/map", "Reports").map((text) => text.slice(0, 2));
  assert.deepEqual(parts.sort(), ["Ad", "Bo"]);
  assert.deepEqual(shown(asked, "graphrag/map", "Question"), Array(2).fill("Where is Ada?"));
});

Deno.test("a reply that stays unreadable costs its own part alone", async () => {
  const { asked, ask } = await reading(["Ada lives in Tarn.", "Ada left Tarn."], {
    search: "local",
    k: 1,
  }, {
    describe: () => "",
    report: () => "Sorry.",
  });
  const { sections } = await ask("Ada?");
  assert.deepEqual([sections["Community reports"], sections["Entities"]], [
    "",
    "Ada (person): A woman. A traveller.",
  ]);
  assert.deepEqual([...new Set(asked.events.map((event) => event.split(": ")[1]))], [
    "graphrag/describe",
    "graphrag/report",
  ]);
});

/** Six entities that all know each other: `a3` to `f3` for 3. */
function clique(number: number): object[] {
  const names = Array.from("abcdef", (letter) => `${letter}${number}`);
  return names.flatMap((one, at) =>
    names.slice(at + 1).map((other) => relation(one, other, `${one} knows ${other}.`))
  );
}

// Eight cliques of 15 relations; one text joins pairs of them by six relations each, one all pairs
// to a ring: a weight of 8·15 + 4·6 + 4 = 148. As cliques they have a modularity of 120/148 −
// 8·(37/296)² = 0.69, as pairs 144/148 − 4·(74/296)² = 0.72. A pair has more than ten members, and
// by itself 30/36 − 2·(36/72)² = 0.33 as two cliques, 0 as one.
Deno.test("recall() writes reports on the communities of all levels, and answers from the deepest", async () => {
  const joined = (all: readonly number[], letters: string): object[] =>
    all.flatMap((at) =>
      Array.from(
        letters,
        (letter) => relation(`${letter}${at}`, `${letter}${(at + 1) % 8}`, "They meet."),
      )
    );
  const [joins, ring] = [joined([0, 2, 4, 6], "abcdef"), joined([1, 3, 5, 7], "a")];
  const found = (text: string): unknown => {
    const [kind = "", number] = text.split(" ");
    return kind === "clique" ? clique(Number(number)) : kind === "ring" ? ring : joins;
  };
  const texts = [...Array.from({ length: 8 }, (_, at) => `clique ${at}`), "joins", "ring"];
  const { asked, ask } = await reading(texts, { search: "local", k: 1, gleanings: 0 }, {
    extract: (request) =>
      JSON.stringify({ entities: [], relations: found(section(request, "Text")) }),
    report: (request) => {
      const names = section(request, "Entities").split("\n").map((line) => line.slice(0, 2));
      return JSON.stringify({
        title: names.sort().join(" "),
        summary: "S.",
        rating: 5,
        findings: [],
      });
    },
  });
  const { sections } = await ask("c3");
  assert.equal(sections["Community reports"], "a3 b3 c3 d3 e3 f3\nS.");
  const sizes = shown(asked, "graphrag/report", "Entities").map((text) => text.split("\n").length);
  assert.deepEqual(sizes, [...Array(4).fill(12), ...Array(8).fill(6)]);
});
