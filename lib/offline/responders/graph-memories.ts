/** Answers HippoRAG 2, Graphiti and GraphRAG by the readers of AriGraph's roles. */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { type Fact, formatFact } from "../reading/facts.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { linesOf } from "../reading/noun-phrases.ts";
import { contradictions, numberedFacts, observedFacts, withErrors } from "./arigraph.ts";

export const graphMemoryResponders: readonly Responder[] = [
  {
    role: "hipporag/names",
    answer: ({ sections }) => JSON.stringify({ names: namesOf(factsOf(sections)) }),
  },
  {
    role: "hipporag/triplets",
    answer: (prompt) => JSON.stringify({ triplets: read(prompt).map(partsOf) }),
  },
  { role: "hipporag/recognise", answer: recognise },
  {
    role: "graphiti/extract",
    answer: (prompt) => JSON.stringify({ facts: read(prompt).map(asEdge) }),
  },
  { role: "graphiti/resolve", answer: resolve },
  { role: "graphiti/judge", answer: judge },
  {
    role: "graphiti/summarise",
    answer: ({ sections }) =>
      linesOf(sections["Facts"] ?? "").slice(0, MAX_FACTS).join("; ") || "Nothing of note.",
  },
  { role: "graphrag/extract", answer: (prompt) => JSON.stringify(asGraph(read(prompt))) },
  { role: "graphrag/glean", answer: () => JSON.stringify({ entities: [], relations: [] }) }, // a second look sees no more
  {
    role: "graphrag/describe",
    answer: ({ sections }) =>
      itemsOf(sections["Descriptions"]).slice(0, MAX_FACTS).join("; ") || "Nothing.",
  },
  { role: "graphrag/report", answer: report },
  { role: "graphrag/map", answer: points },
];

const MAX_FACTS = 12;
const MOST = { findings: 10, points: 20 };

/** The facts of an observation, which begins with its step, or of a passage. */
function factsOf(sections: OfflinePrompt["sections"]): readonly Fact[] {
  const text = sections["Text"] ?? "";
  return /^\s*Game step #\d/.test(text) ? observedFacts(text) : readProse(text);
}

function read(prompt: OfflinePrompt): Fact[] {
  return withErrors(factsOf(prompt.sections), prompt);
}

function namesOf(facts: readonly Fact[]): string[] {
  return [...new Set(facts.flatMap(({ subject, object }) => [subject, object]))];
}

function partsOf({ subject, relation, object }: Fact): readonly string[] {
  return [subject, relation, object];
}

function asEdge(fact: Fact): Record<string, string> {
  return {
    source: fact.subject,
    relation: fact.relation,
    target: fact.object,
    fact: formatFact(fact),
  };
}

function asGraph(facts: readonly Fact[]): object {
  return {
    entities: namesOf(facts).map((name) => ({ name, type: "", description: "" })),
    relations: facts.map((fact) => ({
      source: fact.subject,
      target: fact.object,
      description: formatFact(fact),
    })),
  };
}

function itemsOf(list = ""): string[] {
  return linesOf(list).map((line) => line.replace(/^\d+\. /, ""));
}

const FACT = "Fact";
const FINDING = `- ${FACT}: `;

/** A finding for each relation. */
function report({ sections }: OfflinePrompt): string {
  const [first = "Nothing"] = linesOf(sections["Entities"] ?? "");
  const facts = linesOf(sections["Relations"] ?? "").flatMap((line) =>
    line.replace(/^.*? – .*?: /, "").split("; ")
  );
  const findings = facts.slice(0, MOST.findings).map((fact) => ({
    summary: FACT,
    explanation: fact,
  }));
  return JSON.stringify({
    title: first.split(/ \(|:/)[0],
    summary: `${facts.length} facts.`,
    rating: 5,
    findings,
  });
}

function points({ sections }: OfflinePrompt): string {
  const question = (sections["Question"] ?? "").toLowerCase();
  const findings = linesOf(sections["Reports"] ?? "").filter((line) => line.startsWith(FINDING));
  const facts = findings.flatMap((line) => readTriplets(line.slice(FINDING.length)));
  const asked = facts.filter(({ subject, object }) =>
    question.includes(subject) || question.includes(object)
  );
  const names = new Set(namesOf(asked));
  const beside = facts.filter((fact) =>
    !asked.includes(fact) && (names.has(fact.subject) || names.has(fact.object))
  );
  const scored = [[asked, 80], [beside, 20]] as const;
  const found = scored.flatMap(([some, score]) =>
    some.map((fact) => ({ description: formatFact(fact), score }))
  );
  return JSON.stringify({ points: found.slice(0, MOST.points) });
}

function recognise({ sections }: OfflinePrompt): string {
  const situation = (sections["Current situation"] ?? "").toLowerCase();
  const known = [...numberedFacts(sections["Facts"])]
    .filter(([{ subject, object }]) => situation.includes(subject) || situation.includes(object));
  return JSON.stringify({ facts: known.map(([, number]) => number) });
}

/** New names that equal a known one but for an article or a final -s. */
function resolve({ sections }: OfflinePrompt): string {
  const plain = (name: string): string => name.replace(/^(?:the|an?) /, "").replace(/s$/, "");
  const known = new Map(linesOf(sections["Known names"] ?? "").map((name) => [plain(name), name]));
  const pairs = linesOf(sections["New names"] ?? "").flatMap((name) =>
    known.has(plain(name)) ? [{ new: name, known: known.get(plain(name)) }] : []
  );
  return JSON.stringify({ same: pairs });
}

/** The new facts that contradict known ones. */
function judge({ sections }: OfflinePrompt): string {
  const [known, fresh] = [
    numberedFacts(sections["Existing triplets"]),
    numberedFacts(sections["New triplets"]),
  ];
  const pairs = contradictions([...known.keys()], [...fresh.keys()]);
  return JSON.stringify({
    repeated: [],
    contradicted: pairs.map(({ old, successor }) => ({
      new: fresh.get(successor),
      known: known.get(old),
    })),
  });
}
