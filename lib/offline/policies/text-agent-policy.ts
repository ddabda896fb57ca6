/**
 * The next line that a text agent (Act, ReAct, SayCan, Reflexion, WESE) writes in its dialogue with a world: household tasks by where things are,
 * questions by what pages say, games by the policy of Ariadne's actor.
 *
 * @module
 */

import type { OfflinePrompt } from "../backbone.ts";
import { readActions } from "../reading/actions.ts";
import { believe, TITLES } from "../reading/belief.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { type Dialogue, readDialogue } from "../reading/dialogue.ts";
import type { Fact } from "../reading/facts.ts";
import { Locations } from "../reading/locations.ts";
import { linesOf } from "../reading/noun-phrases.ts";
import { goalsFor } from "./goals.ts";
import { groundFirst, type HouseholdTask, imitateFirst, nextIntents, readHouseholdTask } from "./household-policy.ts";
import { readPage, research } from "./research.ts";
import { choose } from "./textworld-policy.ts";

/** An action and the thought behind it. */
interface Move {
  readonly action: string;
  readonly why: string;
}

/** The next line: a new thought where thoughts are asked for, else the action. Over an encyclopedia both at once, as ReAct's agents answer there. */
export function nextMove(prompt: OfflinePrompt): string {
  const { sections, system } = prompt;
  const task = readHouseholdTask(sections["Task"] ?? "");
  const canSearch = offersSearch(sections["What can be done"] || sections["Examples of other tasks"]);
  const { action, why } = canSearch ? answerQuestion(prompt) : task ? doHouseholdTask(prompt, task) : playGame(prompt);
  const asked = /\bthink:/.test(system);
  if (canSearch && asked) return `think: ${why}\n${action}`;
  const last = readDialogue(sections["What has happened so far"] ?? "").thoughts.at(-1);
  return asked && last !== why ? `think: ${why}` : action;
}

/** Whether a list of actions, or of examples, searches an encyclopedia. */
export function offersSearch(actions = ""): boolean {
  return /\bsearch\[/.test(actions);
}

/** The titles of the prompt's own sections; all others hold notes. */
const OWN_TITLES: ReadonlySet<string> = new Set(["Examples of other tasks", "Task", "What can be done", "What has happened so far"]);

function notesIn(sections: OfflinePrompt["sections"]): string {
  return Object.entries(sections).filter(([title]) => !OWN_TITLES.has(title)).map(([, text]) => text).join("\n");
}

/** The facts of the pages that a dialogue with an encyclopedia has shown, and the names looked up so far. */
export function readSearches({ steps }: Dialogue): { readonly facts: readonly Fact[]; readonly looked: ReadonlySet<string> } {
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

/** Looks up what is missing, then gives the answer. */
function answerQuestion({ sections }: OfflinePrompt): Move {
  const { facts, looked } = readSearches(readDialogue(sections["What has happened so far"] ?? ""));
  const next = research(sections["Task"] ?? "", [...facts, ...readTriplets(notesIn(sections))], looked);
  return { action: next.kind === "search" ? `search[${next.name}]` : `finish[${next.answer}]`, why: next.why };
}

function doHouseholdTask({ sections, draw }: OfflinePrompt, task: HouseholdTask): Move {
  const at = new Locations();
  at.watch(readDialogue(sections["What has happened so far"] ?? ""));
  for (const fact of readTriplets(notesIn(sections))) at.learn(fact);
  const offered = linesOf(sections["What can be done"] ?? "");
  const intents = nextIntents(task, at, draw);
  const examples = [...(sections["Examples of other tasks"] ?? "").matchAll(/^> (?!think:)(.+)$/gm)].map(([, action = ""]) => action);
  return (offered.length > 0 ? groundFirst(intents, offered, at) : imitateFirst(intents, examples, at)) ??
    { action: offered.includes("look around") ? "look around" : "look", why: "There is nothing better to do." };
}

/** Plays a game by the policy of Ariadne's actor, with what was seen so far as its history. */
function playGame({ sections, draw }: OfflinePrompt): Move {
  const { opening, steps } = readDialogue(sections["What has happened so far"] ?? "");
  const scenes = [
    `Game step #1\n${opening}`,
    ...steps.map(({ action, result }, i) => `Game step #${i + 2}\n${result}\nAction that led to this observation: ${action}`),
  ];
  const goal = sections["Task"] ?? "";
  const observation = steps.at(-1)?.result ?? opening;
  const belief = believe({
    [TITLES.goal]: goal,
    [TITLES.triplets]: notesIn(sections),
    [TITLES.everything]: scenes.slice(0, -1).join("\n\n"),
    [TITLES.observation]: scenes.at(-1) ?? "",
  });
  const actions = readActions(sections["What can be done"] ?? "").filter(({ text }) => !text.includes("{"));
  if (actions.length === 0) return { action: "look", why: "No action is offered." };
  for (const { direction } of actions) if (direction !== undefined && belief.here !== undefined) belief.exit(belief.here, direction);
  const { action, reason } = choose({ belief, goals: goalsFor(goal, belief), actions, observation, draw });
  return { action, why: reason };
}
