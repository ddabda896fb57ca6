/** Answers ReasonPlanner's temporal graph: summaries, extraction, answers by shared words. */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { FactList } from "../reading/facts.ts";
import {
  contentWords,
  eventFacts,
  FOR_TASK,
  isRefusal,
  plainName,
  readCommand,
  readRoom,
  taskOf,
} from "../reading/scienceworld-text.ts";

export const temporalGraphResponders: readonly Responder[] = [
  { role: "reasonplanner/summarize", answer: summarize },
  { role: "reasonplanner/coreference", answer: ({ sections }) => resolve(sections["Text"] ?? "") },
  { role: "reasonplanner/extract", answer: ({ sections }) => extract(sections["Text"] ?? "") },
  { role: "reasonplanner/query-entities", answer: queryEntities },
  { role: "reasonplanner/answer", answer: answer },
];

/** Writes `To <task>, in the <place>: <action>. <outcome>: <response>`, which `extract` reads. */
function summarize({ sections }: OfflinePrompt): string {
  const [task, place] = [taskOf(sections["Task"] ?? ""), sections["Place"] ?? ""];
  const response = (sections["Response"] ?? "").replaceAll(/\s+/g, " ").trim();
  // a bare number only answers a question of the world: what was done is in the response
  const action = /^\s*\d+\s*$/.test(sections["Action"] ?? "")
    ? response.replace(/^you /i, "").replaceAll(/\bthe /g, "")
    : sections["Action"];
  const outcome = isRefusal(response) ? "Nothing came of it" : "Result";
  return `To ${task || "explore"}, in the ${
    place || "laboratory"
  }: ${action}. ${outcome}: ${response}`;
}

function resolve(text: string): string {
  let last = "";
  return text.split(/(?<=[.!?\n])/).map((sentence) => {
    const shown = last === ""
      ? sentence
      : sentence.replaceAll(/\b(it|they|them|its|their)\b(?! is called)/gi, (word) =>
        /^(?:its|their)$/i.test(word) ? `${last}'s` : last);
    last = sentence.match(/\b(?:the|an?) ((?:[a-z]+ )?[a-z]+)\b(?! called)/i)?.[0] ?? last;
    return shown;
  }).join("");
}

function extract(text: string): string {
  const facts = new FactList();
  const summary = text.match(
    /^To (.+?), in the (.+?): (.+?)\. (Result|Nothing came of it): (.*)$/s,
  );
  if (summary) {
    const [, task = "", place = "", action = "", outcome, response = ""] = summary;
    const command = outcome === "Result" ? readCommand(action) : undefined;
    if (command) facts.addAll(eventFacts(command, { task, place }));
    for (const sentence of response.split(/\.\s+|\.$|\n/)) addResult(sentence, facts);
  } else facts.addAll(readRoom(text).facts);
  const relations = facts.all.map(({ subject, relation, object }) => ({
    entity1: subject,
    relation,
    entity2: object,
  }));
  return JSON.stringify({
    entities: [...new Set(relations.flatMap(({ entity1, entity2 }) => [entity1, entity2]))],
    relations,
  });
}

/** "the thermometer measures a temperature of 10 degrees", "the lamp is now on". */
function addResult(sentence: string, facts: FactList): void {
  const measured = sentence.match(/^(?:the )?(.+?) (?:measures|reads|shows) (.+)$/i);
  if (measured) {
    return facts.add(plainName(measured[1] ?? ""), "measures", plainName(measured[2] ?? ""));
  }
  const now = sentence.match(/^(?:the )?(.+?) (?:is|are) now (\w+)$/i);
  if (now) facts.add(plainName(now[1] ?? ""), "is", now[2]?.toLowerCase());
}

function queryEntities({ sections }: OfflinePrompt): string {
  const asked = contentWords(sections["Question"] ?? "");
  const scored = (sections["Entities"] ?? "").split("\n").filter((name) => name !== "").map(
    (name, place) => {
      const words = [...contentWords(name)];
      const shared = words.filter((word) => asked.has(word)).length;
      return { name, place, score: shared === 0 ? 0 : shared + shared / words.length };
    },
  );
  const best = scored.filter(({ score }) => score > 0).sort((a, b) =>
    b.score - a.score || a.place - b.place
  ).slice(0, 2);
  return JSON.stringify({ entities: best.map(({ name }) => name) });
}

const MAX_LINES = 60;

/**
 * Facts in order of time: for a question about a task the events of a similar task, else facts that
 * share words with it.
 */
function answer({ sections }: OfflinePrompt): string {
  const asked = contentWords(sections["Question"] ?? "");
  const lines = (sections["Facts"] ?? "").split("\n").filter((line) => line !== "");
  const shares = (text: string): boolean => [...contentWords(text)].some((word) => asked.has(word));
  const events = lines.filter((line) =>
    line.includes(FOR_TASK) &&
    line.split("; ").some((fact) =>
      fact.includes(FOR_TASK) && shares(fact.split(", ").at(-1) ?? "")
    )
  );
  const isAboutTask = /\btask\b/i.test(sections["Question"] ?? "");
  const found = isAboutTask ? events : lines.filter(shares);
  return found.length === 0 ? "UNKNOWN" : found.slice(-MAX_LINES).join("\n");
}
