/**
 * Answers Reflexion, Simulacra and summary: writes a belief as triplet lines, which are read again.
 */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { Belief, believe, readScenes, separateObservation } from "../reading/belief.ts";
import { readScene, readTriplets } from "../reading/descriptions.ts";
import { formatFact, RELATION } from "../reading/facts.ts";
import { OPPOSITE } from "../reading/lexicon.ts";
import { Locations } from "../reading/locations.ts";

export const noteResponders: readonly Responder[] = [
  {
    role: "reflexion/reflect",
    answer: ({ sections }) =>
      lesson(sections["Record of the trial"] ?? "", sections["Lessons from earlier trials"] ?? ""),
  },
  {
    role: "summary/rewrite",
    normalise: separateObservation,
    answer: rewriteSummary,
  },
  {
    role: "simulacra/importance",
    answer: ({ sections }) => String(importance(sections["Memory"] ?? "")),
  },
  { role: "simulacra/questions", answer: () => QUESTIONS.join("\n") },
  {
    role: "simulacra/insights",
    answer: ({ sections }) => insights(sections["Question"] ?? "", sections["Statements"] ?? ""),
  },
];

const NOTHING = "Nothing of note yet.";

const MAX_LINES = { lesson: 40, summary: 24, insights: 5 };

export function rewriteSummary({ sections }: Pick<OfflinePrompt, "sections">): string {
  const belief = believe({
    ...sections,
    "Summary of what has happened": sections["Previous summary"] ?? "",
  });
  return writeNotes(belief, { most: MAX_LINES.summary }) || NOTHING;
}

/**
 * Up to three paragraphs: what the task needs, how rooms lie, where things are; the last `most`
 * lines of each.
 */
function writeNotes(
  belief: Belief,
  { most, places = belief.places }: {
    readonly most: number;
    readonly places?: ReadonlyMap<string, string>;
  },
): string {
  const paragraphs = [needs(belief), passages(belief), contents(belief, places)];
  return paragraphs.map((lines) => lines.slice(-most).join("\n")).filter((paragraph) =>
    paragraph !== ""
  ).join("\n\n");
}

function line(subject: string, relation: string, object: string): string {
  return formatFact({ subject, relation, object });
}

function needs(belief: Belief): string[] {
  return [
    ...[...belief.appliances].map(([gerund, appliance]) =>
      line(appliance, RELATION.appliance, gerund)
    ),
    ...(belief.mealPlace === undefined ? [] : [line("meal", RELATION.prepared, belief.mealPlace)]),
    ...[...belief.locks].map(([key, lock]) => line(key, RELATION.unlocks, lock)),
    ...[...belief.ingredients].map((food) => line("recipe", RELATION.requires, food)),
    ...[...belief.treatments].flatMap(([food, states]) =>
      [...states].map((state) => line(food, RELATION.treated, state))
    ),
  ];
}

function passages(belief: Belief): string[] {
  const seen = new Set<string>();
  return [...belief.exits].flatMap(([room, exits]) =>
    [...exits].flatMap(([direction, there]) => {
      if (there === undefined) return [line(room, RELATION.exit, direction)];
      if (seen.has(`${there}/${OPPOSITE[direction]}`)) return [];
      seen.add(`${room}/${direction}`);
      return [line(there, `is ${direction} of`, room)];
    })
  );
}

function contents(belief: Belief, places: ReadonlyMap<string, string>): string[] {
  return [
    ...[...places].filter(([, place]) => place !== "inventory").map(([thing, place]) =>
      line(thing, RELATION.in, place)
    ),
    ...[...belief.states].filter(([thing]) => places.get(thing) !== "inventory")
      .flatMap(([thing, states]) => [...states].map((state) => line(thing, RELATION.state, state))),
  ];
}

function lesson(record: string, earlier: string): string {
  const belief = new Belief();
  const first = new Map<string, string>();
  function keepFirst(): void {
    for (const [thing, place] of belief.places) {
      if (place !== "inventory" && !first.has(thing)) first.set(thing, place);
    }
  }
  for (const fact of readTriplets(earlier)) belief.learn(fact);
  keepFirst();
  for (const scene of readScenes(record)) {
    belief.watch([scene]);
    keepFirst();
  }
  belief.states.clear(); // the next trial starts with other states
  return writeNotes(belief, { most: MAX_LINES.lesson, places: first }) ||
    whereThingsWere(record) ||
    "Nothing was learnt: look for places that have not been seen.";
}

function whereThingsWere(record: string): string {
  const at = new Locations();
  const first = new Map<string, string>();
  for (const { text, action } of readScenes(record)) {
    const result = text.replace(/^\s*game step #\d+\s*/i, "").replace(
      /^action that led to this observation:.*$/gim,
      "",
    ).trim();
    at.watch(
      action === undefined
        ? { opening: result, steps: [], thoughts: [] }
        : { opening: "", steps: [{ action, result }], thoughts: [] },
    );
    for (const [thing, place] of at.places) {
      if (!first.has(thing) && !at.delivered.has(thing)) first.set(thing, place);
    }
  }
  return [...first].map(([thing, place]) => `${thing}, is in, ${place}`).slice(-MAX_LINES.lesson)
    .join("\n");
}

/** Each question is answered by one paragraph of the notes. */
const QUESTIONS = [
  "What is needed for the goal?",
  "How do the places lie to each other?",
  "Where are the things that matter?",
];

/** Scores a memory, 1 … 9: needs first, then changes, then places. */
function importance(memory: string): number {
  const { facts, room } = readScene(memory);
  const telling = [...facts, ...readTriplets(memory)].some(({ relation }) => NEEDS.has(relation));
  const changing = /\b(?:you (?:take|pick up|open|unlock|put|prepare)|your score)\b/i.test(memory);
  return (telling ? 8 : changing ? 5 : room !== undefined ? 3 : 1) + (telling && changing ? 1 : 0);
}

const NEEDS = new Set<string>([RELATION.unlocks, RELATION.requires, RELATION.treated]);

/** The notes that answer the question, each with the first statement about its thing. */
function insights(question: string, statements: string): string {
  const told = statements.split(/^Statement \d+:\n/m).filter((text) => text.trim() !== "");
  const belief = new Belief();
  for (const text of told) {
    const scene = readScene(text);
    for (const fact of readTriplets(text)) belief.learn(fact);
    belief.watch([scene]);
  }
  const asked = QUESTIONS.findIndex((known) => known === question.trim());
  const lines = writeNotes(belief, { most: Infinity }).split(/\n+/).filter((line) =>
    line !== "" && kindOf(line) === Math.max(asked, 0)
  );
  return lines.map((line) => {
    const subject = line.split(",")[0] ?? "";
    const at = told.findIndex((text) => text.toLowerCase().includes(subject));
    return `${line} (because of ${Math.max(at, 0) + 1})`;
  }).slice(-MAX_LINES.insights).join("\n") || "none";
}

function kindOf(line: string): number {
  const [fact] = readTriplets(line);
  if (fact === undefined) return -1;
  if (
    NEEDS.has(fact.relation) || fact.relation === RELATION.appliance ||
    fact.relation === RELATION.prepared
  ) return 0;
  return fact.relation === RELATION.exit || / of$/.test(fact.relation) ? 1 : 2;
}
