/**
 * Answers the text agents, and beside them WESE's roles: explores what was not seen yet, extracts where things are and what pages say, and chooses
 * the names that a task needs.
 *
 * @module
 */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import { explorationIntents, groundFirst, isNeededFor, readHouseholdTask } from "../policies/household-policy.ts";
import { namesIn } from "../policies/question-answering.ts";
import { readPage, research } from "../policies/research.ts";
import { nextMove, offersSearch, readSearches } from "../policies/text-agent-policy.ts";
import { readScene } from "../reading/descriptions.ts";
import { readDialogue } from "../reading/dialogue.ts";
import type { Fact } from "../reading/facts.ts";
import { Locations } from "../reading/locations.ts";
import { linesOf, withoutNumber } from "../reading/noun-phrases.ts";
import { extractionReply } from "./extraction.ts";

/** `act/act`, `react/act`, `saycan/act`, `react-reflexion/act`, and the roles of WESE and of SESE. */
export const textAgentResponders: readonly Responder[] = [
  ...["act/act", "react/act", "saycan/act", "react-reflexion/act"].map((role) => ({ role, answer: nextMove })),
  ...["wese", "sese"].flatMap(rolesOf),
];

function rolesOf(family: string): Responder[] {
  return [
    { role: `${family}/explore`, answer: explore },
    { role: `${family}/extract`, answer: (prompt) => extractionReply(factsIn(prompt.sections), prompt) },
    { role: `${family}/task-entities`, answer: chooseEntities },
    { role: `${family}/act`, answer: nextMove },
  ];
}

/** Looks up what the question needs, or goes to a place not seen yet. */
function explore({ sections, draw }: OfflinePrompt): string {
  const { Task: task = "", "What can be done": offered = "", "What has happened so far": history = "" } = sections;
  const dialogue = readDialogue(history);
  if (offersSearch(offered)) {
    const { facts, looked } = readSearches(dialogue);
    const next = research(task, facts, looked);
    return next.kind === "search" ? `search[${next.name}]` : "enough";
  }
  const at = new Locations();
  at.watch(dialogue);
  return groundFirst(explorationIntents(readHouseholdTask(task), at, draw), linesOf(offered), at)?.action ?? "enough";
}

/** "The fridge 1 is open. In it,": an observation alone does not name the place where the agent stands. */
const OPENED = /\b(the ([^.]+?) is open\.)\s+in it,/gi;

/** What an action and its observation say: a page's facts, where things are, or what a scene describes. */
function factsIn({ Action: action = "", Observation: observation = "" }: OfflinePrompt["sections"]): Fact[] {
  const page = action.match(/^search\[(.+)\]$/i)?.[1];
  if (page !== undefined) return /^Could not find /.test(observation) ? [] : readPage(page, observation);
  const at = new Locations();
  at.watch({ opening: "", steps: [{ action, result: observation.replaceAll(OPENED, "$1 In the $2,") }], thoughts: [] });
  const seen: Fact[] = [
    ...[...at.places].map(([thing, place]) => ({ subject: thing, relation: "is in", object: place })),
    ...[...at.ways].flatMap(([room, next]) => [...next].map((other) => ({ subject: room, relation: "has door to", object: other }))),
  ];
  return (seen.length > 0 ? seen : readScene(observation).facts.filter(({ object }) => object !== "inventory"))
    .filter(({ subject, object }) => !`${subject}${object}`.includes(","));
}

/** The names that the task speaks of or that are of a kind it speaks of; for a question every name that a chain of facts may need. */
function chooseEntities({ sections }: OfflinePrompt): string {
  const { Task: question = "", "Names in the graph": graph = "" } = sections;
  const task = readHouseholdTask(question);
  const text = question.toLowerCase();
  const named = new Set(namesIn(question).map((name) => name.toLowerCase()));
  const chosen = linesOf(graph).filter((name) =>
    named.has(name) || text.includes(name) || (task && isNeededFor(task, name)) || text.includes(withoutNumber(name))
  );
  return chosen.join("\n") || "[]";
}
