/** Answers the roles of the memories HippoRAG 2 and Graphiti by the readers of AriGraph's roles. */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { type Fact, formatFact } from "../reading/facts.ts";
import { linesOf } from "../reading/noun-phrases.ts";
import { contradictions, numberedFacts, observedFacts, withErrors } from "./arigraph.ts";

/** `hipporag/names`, `/triplets` and `/recognise`; `graphiti/extract`, `/resolve`, `/judge` and `/summarise`. */
export const graphMemoryResponders: readonly Responder[] = [
  { role: "hipporag/names", answer: ({ sections }) => JSON.stringify({ names: namesOf(factsOf(sections)) }) },
  { role: "hipporag/triplets", answer: (prompt) => JSON.stringify({ triplets: read(prompt).map(partsOf) }) },
  { role: "hipporag/recognise", answer: recognise },
  { role: "graphiti/extract", answer: (prompt) => JSON.stringify({ facts: read(prompt).map(asEdge) }) },
  { role: "graphiti/resolve", answer: resolve },
  { role: "graphiti/judge", answer: judge },
  {
    role: "graphiti/summarise",
    answer: ({ sections }) => linesOf(sections["Facts"] ?? "").slice(0, MOST_FACTS).join("; ") || "Nothing of note.",
  },
];

/** Facts in a summary, at most. */
const MOST_FACTS = 12;

/** What the text states: an observation of a game, which begins with its step, or a passage. */
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
  return { source: fact.subject, relation: fact.relation, target: fact.object, fact: formatFact(fact) };
}

/** The facts with a subject or object that the situation names. */
function recognise({ sections }: OfflinePrompt): string {
  const situation = (sections["Current situation"] ?? "").toLowerCase();
  const known = [...numberedFacts(sections["Facts"])]
    .filter(([{ subject, object }]) => situation.includes(subject) || situation.includes(object));
  return JSON.stringify({ facts: known.map(([, number]) => number) });
}

/** New names that are a known one with or without an article or a final -s. */
function resolve({ sections }: OfflinePrompt): string {
  const plain = (name: string): string => name.replace(/^(?:the|an?) /, "").replace(/s$/, "");
  const known = new Map(linesOf(sections["Known names"] ?? "").map((name) => [plain(name), name]));
  const pairs = linesOf(sections["New names"] ?? "").flatMap((name) => known.has(plain(name)) ? [[name, known.get(plain(name))]] : []);
  return JSON.stringify(Object.fromEntries(pairs));
}

/** The new facts that describe an aspect of a thing otherwise than known ones do. */
function judge({ sections, errs }: OfflinePrompt): string {
  const [known, fresh] = [numberedFacts(sections["Existing triplets"]), numberedFacts(sections["New triplets"])];
  const pairs = contradictions([...known.keys()], [...fresh.keys()], errs);
  return JSON.stringify({ repeated: [], contradicted: pairs.map(({ old, successor }) => [fresh.get(successor), known.get(old)]) });
}
