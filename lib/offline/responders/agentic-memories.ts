/** Answers A-MEM, Mem0 and MemGPT: they store facts as triplet lines, which are read again. */

import type { OfflineAnswer, OfflinePrompt, Responder } from "../stand-in.ts";
import { Belief, readScenes } from "../reading/belief.ts";
import { readScene, readTriplets } from "../reading/descriptions.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { type Fact, formatFact, RELATION } from "../reading/facts.ts";
import {
  contradictions,
  entities,
  extractionReply,
  numberedFacts,
  observedFacts,
} from "./arigraph.ts";
import { rewriteSummary } from "./notes.ts";

export const agenticMemoryResponders: readonly Responder[] = [
  { role: "a-mem/note", answer: note },
  {
    role: "a-mem/evolve",
    answer: ({ sections }) =>
      evolve(sections["New note"] ?? "", sections["Nearest neighbours"] ?? ""),
  },
  {
    role: "mem0/extract",
    answer: (prompt) =>
      JSON.stringify({
        facts: factsOf(prompt, "Newest action and observation", "Recent messages").map(formatFact),
      }),
  },
  { role: "mem0/update", answer: update },
  { role: "mem0/summarise", answer: rewriteSummary },
  { role: "mem0/entities", answer: ({ sections }) => entitiesOf(sections["Text"] ?? "") },
  {
    role: "mem0/relations",
    answer: (prompt) => {
      const relations = factsOf(prompt, "Text", "Previous message")
        .map(({ subject, relation, object }) => ({
          source: subject,
          relation,
          destination: object,
        }));
      return JSON.stringify({ relations });
    },
  },
  {
    role: "mem0/conflicts",
    answer: ({ sections }) => {
      const existing = numberedFacts(sections["Existing relations"]);
      const stale = contradictions(
        [...existing.keys()],
        readTriplets(sections["New relations"] ?? ""),
      );
      return JSON.stringify({ obsolete: stale.map(({ old }) => existing.get(old)) });
    },
  },
  { role: "memgpt/manage", answer: manage },
  { role: "memgpt/summarise", answer: rewriteSummary },
];

const MOST = { keywords: 12, tags: 6, edits: 6 };

/** The facts of an observation or a passage, and the move from the last place; with errors. */
function factsOf(prompt: OfflinePrompt, title: string, before = ""): Fact[] {
  const text = prompt.sections[title] ?? "";
  const facts = observedFacts(text);
  const read = facts.length > 0 ? facts : readProse(text.replace(/^Game step #\d+\n/, ""));
  const belief = new Belief();
  belief.watch([...readScenes(prompt.sections[before] ?? "").slice(-1), readScene(text)]);
  const passages = [...belief.exits].flatMap(([room, exits]) =>
    [...exits].flatMap(([direction, there]) =>
      there === undefined ? [] : [{ subject: there, relation: `is ${direction} of`, object: room }]
    )
  );
  return readTriplets(extractionReply([...read, ...passages.slice(0, 1)], prompt));
}

function note(prompt: OfflinePrompt): string {
  const facts = factsOf(prompt, "Observation").filter(({ object }) => object !== "inventory");
  const things = facts.flatMap(({ subject, relation, object }) =>
    relation === RELATION.exit ? [subject] : [subject, object]
  );
  const keywords = [...new Set(things)].slice(0, MOST.keywords);
  const tags = [...new Set(facts.map(({ relation }) => relation))].slice(0, MOST.tags);
  return JSON.stringify({
    keywords,
    context: keywords.length > 0 ? `About ${keywords[0]}.` : "About nothing that has a name.",
    tags,
  });
}

/** Links notes that share two keywords, and tags the earlier one with them. */
function evolve(fresh: string, neighbours: string): string {
  const keywords = listUnder("Keywords", fresh);
  const shared = neighbours.split(/^Note \d+$/m).slice(1).map((text, index) => {
    const words = listUnder("Keywords", text).filter((word) => keywords.includes(word));
    const tags = [...new Set([...listUnder("Tags", text), ...words])].slice(0, MOST.tags);
    return { number: index + 1, words, context: text.match(/^Context: (.*)$/m)?.[1] ?? "", tags };
  }).filter(({ words }) => words.length >= 2);
  return JSON.stringify({
    links: shared.map(({ number }) => number),
    tags: [],
    neighbours: shared.map(({ number, context, tags }) => ({ number, context, tags })),
  });
}

function listUnder(title: string, text: string): string[] {
  const line = text.split("\n").findLast((line) => line.startsWith(`${title}: `)) ?? "";
  return line.slice(title.length + 2).split(", ").filter((entry) => entry !== "");
}

/** Adds what is new, replacing the first memory that it contradicts; further ones are deleted. */
function update({ sections }: OfflinePrompt): string {
  const memories = numberedFacts(sections["Memories"]);
  const known = new Set([...memories.keys()].map(formatFact));
  const fresh = [...numberedFacts(sections["New facts"]).keys()];
  const used = new Set<Fact>();
  const changes = contradictions([...memories.keys()], fresh).map(({ old, successor }) => {
    const isFirst = !used.has(successor) && !known.has(formatFact(successor));
    used.add(successor);
    return {
      operation: isFirst ? "UPDATE" : "DELETE",
      memory: memories.get(old),
      text: isFirst ? formatFact(successor) : "",
    };
  });
  const others = fresh.filter((fact) => !used.has(fact)).map((fact) => {
    const isKnown = known.has(formatFact(fact));
    return {
      operation: isKnown ? "NOOP" : "ADD",
      memory: 0,
      text: isKnown ? "" : formatFact(fact),
    };
  });
  return JSON.stringify({ operations: [...changes, ...others] });
}

function entitiesOf(text: string): string {
  const [observation = "", plan = ""] = text.split("\nPlan: ");
  const names = Object.keys(JSON.parse(entities(observation, plan)) as Record<string, number>);
  return JSON.stringify({ entities: names.map((name) => ({ name, type: "thing" })) });
}

const NEEDS = new Set<string>([
  RELATION.unlocks,
  RELATION.requires,
  RELATION.treated,
  RELATION.appliance,
  RELATION.prepared,
]);

/** Writes new facts into core memory, or the archive if full; searches the archive for the plan. */
function manage(prompt: OfflinePrompt): OfflineAnswer {
  const { sections, tools } = prompt;
  const hasCalled = Object.keys(sections).some((title) =>
    /^(?:core_memory|archival_memory)_/.test(title)
  );
  if (tools.length === 0 || hasCalled) return "done";
  const core = sections["Core memory"] ?? "";
  const existing = readTriplets(core);
  const known = new Set(existing.map(formatFact));
  const fresh = factsOf(prompt, "New message", "Message queue").filter((fact) =>
    !known.has(formatFact(fact))
  );
  const used = new Set<Fact>();
  const calls = contradictions(existing, fresh).slice(0, MOST.edits).map(
    ({ old, successor }) => {
      const new_content = used.has(successor) ? "" : formatFact(successor);
      used.add(successor);
      return {
        name: "core_memory_replace",
        arguments: { label: blockOf(old), old_content: formatFact(old), new_content } as Record<
          string,
          unknown
        >,
      };
    },
  );
  for (const label of ["task", "world"]) {
    const content = fresh.filter((fact) => !used.has(fact) && blockOf(fact) === label).map(
      formatFact,
    ).join("\n");
    const [, length = 0, limit = 0] =
      core.match(new RegExp(`^${label} \\((\\d+) of (\\d+) characters\\):$`, "m"))?.map(Number) ??
        [];
    const fits = length + content.length + MARGIN <= limit;
    if (content === "") continue;
    calls.push(
      fits
        ? { name: "core_memory_append", arguments: { label, content } }
        : { name: "archival_memory_insert", arguments: { content } },
    );
  }
  const query = (sections["Current plan"] || sections["Main goal"] || "").slice(0, 500);
  if (query !== "" && !/\b0 texts/.test(sections["Stores"] ?? "")) {
    calls.push({ name: "archival_memory_search", arguments: { query } });
  }
  return calls.length > 0 ? { calls } : "done";
}

/** Characters of a block left for contradictions of the same step. */
const MARGIN = 100;

function blockOf({ relation }: Fact): string {
  return NEEDS.has(relation) ? "task" : "world";
}
