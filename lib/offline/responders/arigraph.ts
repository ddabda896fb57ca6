/** Answers AriGraph's roles, and writes the reply of every role that extracts triplets. */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { namesIn } from "../policies/question-answering.ts";
import { subGoals } from "../policies/plan-text.ts";
import { readScene, readTriplets, type Scene } from "../reading/descriptions.ts";
import { readProse } from "../reading/encyclopedia-text.ts";
import { type Fact, formatFact, RELATION } from "../reading/facts.ts";
import { STATE_WORDS, TREATMENTS } from "../reading/lexicon.ts";
import { dungeonFacts, readDungeon } from "../reading/nethack-text.ts";
import { isName, named } from "../reading/noun-phrases.ts";

export const arigraphResponders: readonly Responder[] = [
  { role: "arigraph/extract", answer: extract },
  { role: "arigraph/outdate", answer: outdate },
  {
    role: "arigraph/entities",
    answer: ({ sections }) => entities(sections["Observation"] ?? "", sections["Plan"] ?? ""),
  },
  { role: "arigraph/explore", answer: ({ sections }) => explore(sections["Plan"] ?? "") },
  { role: "arigraph/extract-paragraph", answer: extractParagraph },
  {
    role: "arigraph/question-entities",
    answer: ({ sections }) =>
      questionEntities(sections["Question"] ?? "", sections["Greatest importance"] ?? ""),
  },
];

function extract(prompt: OfflinePrompt): string {
  return extractionReply(observedFacts(prompt.sections["Observation"] ?? ""), prompt);
}

function extractParagraph(prompt: OfflinePrompt): string {
  return extractionReply(readProse(prompt.sections["Paragraph"] ?? ""), prompt);
}

export function observedFacts(text: string): readonly Fact[] {
  const dungeon = readDungeon(text);
  return dungeon ? dungeonFacts(dungeon) : readScene(text).facts;
}

function outdate({ sections }: OfflinePrompt): string {
  const { "Existing triplets": existing = "", "New triplets": told = "" } = sections;
  const pairs = contradictions(readTriplets(existing), readTriplets(told));
  return `[${
    pairs.map(({ old, successor }) => `[${formatFact(old)} -> ${formatFact(successor)}]`).join(", ")
  }]`;
}

/** The existing facts that new ones contradict: another value of the same aspect. */
export function contradictions(
  existing: readonly Fact[],
  fresh: readonly Fact[],
): { readonly old: Fact; readonly successor: Fact }[] {
  const replacing = new Map<string, Fact>();
  const passed = new Map<string, Fact>(); // exits with a name of their own that were passed since
  const kept = new Set<string>();
  for (const fact of fresh) {
    kept.add(formatFact(fact));
    if (fact.relation === "has passage") passed.set(fact.object, fact);
    const aspect = aspectOf(fact);
    if (aspect !== undefined && !replacing.has(aspect)) replacing.set(aspect, fact);
  }
  return existing.flatMap((old) => {
    const successor = old.relation === RELATION.exit
      ? passed.get(old.object)
      : replacing.get(aspectOf(old) ?? "");
    return successor === undefined || kept.has(formatFact(old)) ? [] : [{ old, successor }];
  });
}

/** The facts of a numbered list, each with its number. */
export function numberedFacts(section = ""): Map<Fact, number> {
  const lines = section.matchAll(/^\[?(\d+)[.\]] (.*)$/gm);
  return new Map(
    [...lines].flatMap(([, number, text = ""]) =>
      readTriplets(text).map((fact) => [fact, Number(number)] as const)
    ),
  );
}

/** The aspect of a thing that a triplet describes, if a thing has one such value at a time. */
function aspectOf({ subject, relation, object }: Fact): string | undefined {
  if (relation === RELATION.in || relation === RELATION.on || relation === "is at") {
    return `${subject}, place`;
  }
  if (relation === "contains" || relation === "has on it") return `${object}, place`;
  if (relation !== RELATION.state || !STATE_WORDS.includes(object)) return undefined;
  if (/open|closed|locked/.test(object)) return `${subject}, openness`;
  if (object === "raw") return `${subject}, heat`;
  const treatment = Object.values(TREATMENTS).find(({ state }) => state === object);
  return treatment && `${subject}, ${treatment.cut ? "cut" : "heat"}`;
}

/** Sub-goals that count as next, sub-goals that exploring looks at, names in a reply. */
const MOST = { next: 3, explored: 8, names: 16 };

/** Names in the plan and the observation; those of the next sub-goals have importance 2. */
export function entities(observation: string, plan: string): string {
  const found = new Map<string, number>();
  const name = (text: string, importance: number): void => {
    if (isName(text) && text !== "inventory" && text !== "floor") {
      found.set(text, Math.max(importance, found.get(text) ?? 0));
    }
  };
  for (const [index, goal] of subGoals(plan).entries()) {
    for (const thing of spokenOf(goal)) name(thing, index < MOST.next ? 2 : 1);
  }
  const dungeon = readDungeon(observation);
  for (const { subject, object } of dungeon ? dungeonFacts(dungeon) : []) {
    for (const thing of [subject, object]) name(thing, thing === dungeon?.place ? 2 : 1);
  }
  const scene: Scene = dungeon ? { facts: [], text: "" } : readScene(observation);
  if (scene.room !== undefined) name(scene.room, 1);
  for (const { subject, relation, object } of scene.facts) {
    if (relation === RELATION.exit) continue;
    name(subject, 1);
    if (relation === RELATION.unlocks) name(object, 2);
  }
  return JSON.stringify(Object.fromEntries([...found].slice(0, MOST.names)));
}

/** "Unlock the white locker with the key 1." → white locker, key 1. */
function spokenOf(goal: string): string[] {
  return [
    ...goal.toLowerCase().matchAll(
      /\b(?:the|an?) ([\w' -]+?)(?=$|[.,;]| (?:with|from|on|in|into|and|to|that|where|which|belongs)\b)/g,
    ),
  ]
    .map((match) => named(match[1] ?? "").name)
    .filter((thing) => !/^(?:places?|meal)$/.test(thing) || thing === "meal");
}

function explore(plan: string): string {
  const next = subGoals(plan).slice(0, MOST.explored).join(" ").toLowerCase();
  return /\b(?:find|explore|search|locate|look for|discover)\b/.test(next) ? "True" : "False";
}

function questionEntities(question: string, greatest: string): string {
  const importance = Number(greatest) || 1;
  return JSON.stringify(Object.fromEntries(namesIn(question).map((name) => [name, importance])));
}

export function extractionReply(facts: readonly Fact[], prompt: OfflinePrompt): string {
  return withErrors(facts, prompt).map(formatFact).join("; ") || "[]";
}

/** Facts with errors; a wrong one has another's object or is turned around. */
export function withErrors(facts: readonly Fact[], { errs }: OfflinePrompt): Fact[] {
  return facts.filter((fact) => !errs("missedTriplet", formatFact(fact))).map((fact) => {
    const draw = errs("wrongTriplet", formatFact(fact));
    if (!draw) return fact;
    const { subject, object: right } = fact;
    const others = facts.map(({ object }) => object).filter((object) =>
      object !== right && object !== subject
    );
    return others.length > 0
      ? { ...fact, object: draw.pick(others) }
      : { ...fact, subject: right, object: subject };
  });
}
