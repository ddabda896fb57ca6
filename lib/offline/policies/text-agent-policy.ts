/**
 * The next line of a dialogue with a world: errands by where things are, questions by what pages tell, games by the rules of Ariadne's actor.
 *
 * @module
 */

import { readActions } from "../reading/actions.ts";
import type { OfflinePrompt } from "../backbone.ts";
import { believe, TITLES } from "../reading/belief.ts";
import { choose } from "./textworld-policy.ts";
import { type Dialogue, readDialogue } from "../reading/dialogue.ts";
import { type Errand, nextDoings, readErrand, say } from "./household-policy.ts";
import type { Fact } from "../reading/facts.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { readPage, research } from "./research.ts";
import { wants } from "./goals.ts";
import { Whereabouts } from "../reading/locations.ts";

/** What an answer is made of. */
interface Chosen {
  readonly action: string;
  readonly why: string;
}

/** The next line: a new thought where thoughts are asked for, else the action. Over an encyclopedia both at once, as ReAct's agents answer there. */
export function nextMove(prompt: OfflinePrompt): string {
  const { sections, system } = prompt;
  const errand = readErrand(sections["Task"] ?? "");
  const asks = /\bsearch\[/.test(sections["What can be done"] ?? "");
  const { action, why } = asks ? lookThings(prompt) : errand ? runErrand(prompt, errand) : playGame(prompt);
  const asked = /\bthink:/.test(system);
  if (asks && asked) return `think: ${why}\n${action}`;
  const last = readDialogue(sections["What has happened so far"] ?? "").thoughts.at(-1);
  return asked && last !== why ? `think: ${why}` : action;
}

/** Titles that the prompt's own sections have; all others hold notes. */
const OWN: ReadonlySet<string> = new Set(["Examples of other tasks", "Task", "What can be done", "What has happened so far"]);

function notesIn(sections: OfflinePrompt["sections"]): string {
  return Object.entries(sections).filter(([title]) => !OWN.has(title)).map(([, text]) => text).join("\n");
}

/** What a dialogue with an encyclopedia has shown. */
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
function lookThings({ sections }: OfflinePrompt): Chosen {
  const { facts, looked } = readSearches(readDialogue(sections["What has happened so far"] ?? ""));
  const next = research(sections["Task"] ?? "", [...facts, ...readTriplets(notesIn(sections))], looked);
  return { action: next.kind === "search" ? `search[${next.name}]` : `finish[${next.answer}]`, why: next.why };
}

function runErrand({ sections, draw }: OfflinePrompt, errand: Errand): Chosen {
  const at = new Whereabouts();
  at.watch(readDialogue(sections["What has happened so far"] ?? ""));
  for (const fact of readTriplets(notesIn(sections))) at.learn(fact);
  const offered = (sections["What can be done"] ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "");
  for (const doing of nextDoings(errand, at, draw)) {
    const action = say(doing, offered);
    if (action !== undefined && (at.futile.get(action) ?? 0) === 0) return { action, why: doing.why };
  }
  return { action: offered.includes("look around") ? "look around" : "look", why: "There is nothing better to do." };
}

/** A game without an errand, by the rules of Ariadne's actor: what has been seen so far is read as its history. */
function playGame({ sections, draw }: OfflinePrompt): Chosen {
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
  const { action, reason } = choose({ belief, wants: wants(goal, belief), actions, observation, draw });
  return { action, why: reason };
}
