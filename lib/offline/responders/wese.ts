/**
 * How the offline backbone answers WESE's roles: it looks where it has not looked, notes where things are and what pages tell, and chooses what a
 * task names.
 *
 * @module
 */

import { nextMove, readSearches } from "../policies/text-agent-policy.ts";
import type { OfflinePrompt, Responder } from "../backbone.ts";
import { readDialogue } from "../reading/dialogue.ts";
import { errandKinds, exploreDoings, readErrand, say } from "../policies/household-policy.ts";
import type { Fact } from "../reading/facts.ts";
import { namesIn } from "../policies/question-answering.ts";
import { readScene } from "../reading/descriptions.ts";
import { readPage, research } from "../policies/research.ts";
import { Whereabouts } from "../reading/locations.ts";

/** The roles of WESE and of SESE. */
export const weseResponders: readonly Responder[] = ["wese", "sese"].flatMap((family) => [
  { role: `${family}/explore`, answer: explore },
  { role: `${family}/extract`, answer: extract },
  { role: `${family}/task-entities`, answer: chooseEntities },
  { role: `${family}/act`, answer: nextMove },
]);

/** Looks up what the question needs, or goes where nobody has been. */
function explore({ sections, draw }: OfflinePrompt): string {
  const { Task: task = "", "What can be done": offered = "", "What has happened so far": history = "" } = sections;
  const dialogue = readDialogue(history);
  if (/\bsearch\[/.test(offered)) {
    const { facts, looked } = readSearches(dialogue);
    const next = research(task, facts, looked);
    return next.kind === "search" ? `search[${next.name}]` : "enough";
  }
  const at = new Whereabouts();
  at.watch(dialogue);
  const errand = readErrand(task);
  const lines = offered.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  for (const doing of exploreDoings(errand, at, draw)) {
    const action = say(doing, lines);
    if (action !== undefined && (at.futile.get(action) ?? 0) === 0) return action;
  }
  return "enough";
}

/** What the observation tells, as triplets; the knobs drop some (recall) and give some a wrong object (precision). */
function extract({ sections, knobs, draw }: OfflinePrompt): string {
  const { Action: action = "", Observation: observation = "" } = sections;
  const facts = factsIn(action, observation);
  const objects = facts.map((fact) => fact.object);
  const written = facts.filter(() => draw.next() < knobs.recall).map((fact) => {
    const others = objects.filter((object) => object !== fact.object && object !== fact.subject);
    return draw.next() < knobs.precision || others.length === 0 ? fact : { ...fact, object: draw.pick(others) };
  });
  return written.map(({ subject, relation, object }) => `${subject}, ${relation}, ${object}`).join("; ") || "[]";
}

/** "The fridge 1 is open. In it,": an observation alone does not tell where one stands. */
const OPENED = /\b(the ([^.]+?) is open\.)\s+in it,/gi;

function factsIn(action: string, observation: string): Fact[] {
  const page = action.match(/^search\[(.+)\]$/i)?.[1];
  if (page !== undefined) return /^Could not find /.test(observation) ? [] : readPage(page, observation);
  const at = new Whereabouts();
  at.watch({ opening: "", steps: [{ action, result: observation.replaceAll(OPENED, "$1 In the $2,") }], thoughts: [] });
  const told: Fact[] = [
    ...[...at.places].map(([thing, place]) => ({ subject: thing, relation: "is in", object: place })),
    ...[...at.ways].flatMap(([room, next]) => [...next].map((other) => ({ subject: room, relation: "has door to", object: other }))),
  ];
  return (told.length > 0 ? told : readScene(observation).facts.filter(({ object }) => object !== "inventory"))
    .filter(({ subject, object }) => !`${subject}${object}`.includes(","));
}

/** Names that the task speaks of, or that are of a kind that it speaks of; of a question every name that a chain of facts may need. */
function chooseEntities({ sections }: OfflinePrompt): string {
  const { Task: task = "", "Names in the graph": graph = "" } = sections;
  const names = graph.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const errand = readErrand(task);
  const text = task.toLowerCase();
  const named = new Set(namesIn(task).map((name) => name.toLowerCase()));
  const kinds = errand ? errandKinds(errand) : [];
  const chosen = names.filter((name) =>
    named.has(name) || text.includes(name) || kinds.some((fits) => fits(name)) || text.includes(name.replace(/ \d+$/, ""))
  );
  return chosen.join("\n") || "[]";
}
