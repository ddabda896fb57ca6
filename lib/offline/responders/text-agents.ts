/**
 * Answers Act, ReAct, SayCan, Reflexion and WESE: household tasks, questions over pages, and games.
 */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import {
  explorationIntents,
  groundFirst,
  isNeededFor,
  nextIntents,
} from "../policies/household-policy.ts";
import { type HouseholdTask, readHouseholdTask } from "../reading/tasks.ts";
import { namesIn } from "../policies/question-answering.ts";
import { readPage, research } from "../policies/research.ts";
import { play } from "../policies/textworld-policy.ts";
import { readActions, readScene, readTriplets } from "../reading/descriptions.ts";
import { believe, TITLES } from "../reading/belief.ts";
import type { Fact } from "../reading/facts.ts";
import { type Dialogue, Locations, readDialogue } from "../reading/locations.ts";
import { choiceOf } from "../reading/scienceworld-text.ts";
import { linesOf, withoutNumber } from "../reading/noun-phrases.ts";
import { extractionReply } from "./arigraph.ts";

export const textAgentResponders: readonly Responder[] = [
  ...["act/act", "react/act", "saycan/act", "react-reflexion/act"].map((role) => ({
    role,
    answer: nextMove,
  })),
  ...["wese", "sese"].flatMap(rolesOf),
];

function rolesOf(family: string): Responder[] {
  return [
    { role: `${family}/explore`, answer: explore },
    {
      role: `${family}/extract`,
      answer: (prompt) => extractionReply(factsIn(prompt.sections), prompt),
    },
    { role: `${family}/task-entities`, answer: chooseEntities },
    { role: `${family}/act`, answer: nextMove },
  ];
}

function explore({ sections, draw }: OfflinePrompt): string {
  const {
    Task: task = "",
    "What can be done": offered = "",
    "What has happened so far": history = "",
  } = sections;
  const dialogue = readDialogue(history);
  if (offersSearch(offered)) {
    const { facts, looked } = readSearches(dialogue);
    const next = research(task, facts, looked);
    return next.kind === "search" ? `search[${next.name}]` : "enough";
  }
  const at = new Locations();
  at.watch(dialogue);
  return groundFirst(explorationIntents(readHouseholdTask(task), at, draw), at, {
    offered: linesOf(offered),
  })?.action ?? "enough";
}

/** "The fridge 1 is open. In it,": such an observation does not name the agent's place. */
const OPENED = /\b(the ([^.]+?) is open\.)\s+in it,/gi;

function factsIn(
  { Action: action = "", Observation: observation = "" }: OfflinePrompt["sections"],
): Fact[] {
  const page = action.match(/^search\[(.+)\]$/i)?.[1];
  if (page !== undefined) {
    return /^Could not find /.test(observation) ? [] : readPage(page, observation);
  }
  const at = new Locations();
  at.watch({
    opening: "",
    steps: [{ action, result: observation.replaceAll(OPENED, "$1 In the $2,") }],
    thoughts: [],
  });
  const seen: Fact[] = [
    ...[...at.places].map(([thing, place]) => ({
      subject: thing,
      relation: "is in",
      object: place,
    })),
    ...[...at.ways].flatMap(([room, next]) =>
      [...next].map((other) => ({ subject: room, relation: "has door to", object: other }))
    ),
  ];
  return (seen.length > 0
    ? seen
    : readScene(observation).facts.filter(({ object }) => object !== "inventory"))
    .filter(({ subject, object }) => !`${subject}${object}`.includes(","));
}

/** The names that the task needs; for a question every name of a possible chain. */
function chooseEntities({ sections }: OfflinePrompt): string {
  const { Task: question = "", "Names in the graph": graph = "" } = sections;
  const task = readHouseholdTask(question);
  const text = question.toLowerCase();
  const named = new Set(namesIn(question).map((name) => name.toLowerCase()));
  const chosen = linesOf(graph).filter((name) =>
    named.has(name) || text.includes(name) || (task && isNeededFor(task, name)) ||
    text.includes(withoutNumber(name))
  );
  return chosen.join("\n") || "[]";
}

interface Move {
  readonly action: string;
  readonly why: string;
}

/**
 * The next line: a new thought if thoughts are requested, else the action; over an encyclopedia
 * both.
 */
function nextMove(prompt: OfflinePrompt): string {
  const { sections, system } = prompt;
  const task = readHouseholdTask(sections["Task"] ?? "");
  const canSearch = offersSearch(
    sections["What can be done"] || sections["Examples of other tasks"],
  );
  const { action, why } = canSearch
    ? answerQuestion(prompt)
    : task
    ? doHouseholdTask(prompt, task)
    : playGame(prompt);
  const asked = /\bthink:/.test(system);
  if (canSearch && asked) return `think: ${why}\n${action}`;
  const last = readDialogue(sections["What has happened so far"] ?? "").thoughts.at(-1);
  return asked && last !== why ? `think: ${why}` : action;
}

function offersSearch(actions = ""): boolean {
  return /\bsearch\[/.test(actions);
}

/** The titles of the prompt's own sections; all others hold notes. */
const OWN_TITLES: ReadonlySet<string> = new Set([
  "Examples of other tasks",
  "Task",
  "What can be done",
  "What has happened so far",
]);

function notesIn(sections: OfflinePrompt["sections"]): string {
  return Object.entries(sections).filter(([title]) => !OWN_TITLES.has(title)).map(([, text]) =>
    text
  ).join("\n");
}

/** The facts of the pages shown, and the names looked up so far. */
function readSearches(
  { steps }: Dialogue,
): { readonly facts: readonly Fact[]; readonly looked: ReadonlySet<string> } {
  const looked = new Set<string>();
  const facts: Fact[] = [];
  for (const { action, result } of steps) {
    const name = action.match(/^search\[(.+)\]$/i)?.[1];
    if (name === undefined) continue;
    looked.add(name.toLowerCase());
    if (!result.startsWith("Could not find ")) facts.push(...readPage(name, result));
  }
  return { facts, looked };
}

function answerQuestion({ sections }: OfflinePrompt): Move {
  const { facts, looked } = readSearches(readDialogue(sections["What has happened so far"] ?? ""));
  const next = research(
    sections["Task"] ?? "",
    [...facts, ...readTriplets(notesIn(sections))],
    looked,
  );
  return {
    action: next.kind === "search" ? `search[${next.name}]` : `finish[${next.answer}]`,
    why: next.why,
  };
}

function doHouseholdTask({ sections, draw }: OfflinePrompt, task: HouseholdTask): Move {
  const at = new Locations();
  const dialogue = readDialogue(sections["What has happened so far"] ?? "");
  at.watch(dialogue);
  for (const fact of readTriplets(notesIn(sections))) at.learn(fact);
  const offered = linesOf(sections["What can be done"] ?? "");
  const asked = dialogue.steps.at(-1);
  const number = asked && ASKS.test(asked.result)
    ? choiceOf(asked.result, asked.action)
    : undefined;
  if (number !== undefined) return { action: number, why: `The ${number} is what was meant.` };
  const examples = [...(sections["Examples of other tasks"] ?? "").matchAll(/^> (?!think:)(.+)$/gm)]
    .map(([, action = ""]) => action);
  return groundFirst(nextIntents(task, at, draw), at, { offered, examples }) ??
    {
      action: offered.includes("look around") ? "look around" : "look",
      why: "There is nothing better to do.",
    };
}

const ASKS = /\b(?:ambiguous|which (?:one )?do you mean|enter the number)\b/i;

/** Plays by the policy of Ariadne's actor. */
function playGame({ sections, draw }: OfflinePrompt): Move {
  const { opening, steps } = readDialogue(sections["What has happened so far"] ?? "");
  const scenes = [
    `Game step #1\n${opening}`,
    ...steps.map(({ action, result }, i) =>
      `Game step #${i + 2}\n${result}\nAction that led to this observation: ${action}`
    ),
  ];
  const goal = sections["Task"] ?? "";
  const observation = steps.at(-1)?.result ?? opening;
  const belief = believe({
    [TITLES.goal]: goal,
    [TITLES.triplets]: notesIn(sections),
    [TITLES.everything]: scenes.slice(0, -1).join("\n\n"),
    [TITLES.observation]: scenes.at(-1) ?? "",
  });
  const offered = (sections["What can be done"] ?? "").replaceAll(/^(\w[\w ]*): .*$/gm, "$1"); // without what a form does
  const actions = readActions(offered).filter(({ text }) => !/[{:]/.test(text));
  if (actions.length === 0) return { action: "look", why: "No action is offered." };
  const { action, reason } = play({ belief, goal, actions, observation, draw });
  return { action, why: reason };
}
