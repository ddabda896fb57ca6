/**
 * How the offline backbone answers the step-by-step text agents: errands by where things are, games by the same rules as Ariadne's actor.
 *
 * @module
 */

import { readActions } from "../llm/offline/actions.ts";
import type { OfflinePrompt, Responder } from "../llm/offline/backbone.ts";
import { believe, TITLES } from "../llm/offline/belief.ts";
import { choose } from "../llm/offline/choosing.ts";
import { readDialogue } from "../llm/offline/dialogue.ts";
import { type Doing, type Errand, nextDoings, readErrand } from "../llm/offline/errands.ts";
import { readTriplets } from "../llm/offline/reading.ts";
import { wants } from "../llm/offline/wants.ts";
import { Whereabouts } from "../llm/offline/whereabouts.ts";

/** The text agents' role for the next action. */
export const textAgentResponders: readonly Responder[] = ["act/act", "react/act", "saycan/act", "react-reflexion/act"]
  .map((role) => ({ role, answer: nextMove }));

/** What an answer is made of. */
interface Chosen {
  readonly action: string;
  readonly why: string;
}

/** The next line: a new thought where thoughts are asked for, else the action. */
export function nextMove(prompt: OfflinePrompt): string {
  const { sections, system } = prompt;
  const errand = readErrand(sections["Task"] ?? "");
  const { action, why } = errand ? runErrand(prompt, errand) : playGame(prompt);
  const asked = /\bthink:/.test(system);
  const last = readDialogue(sections["What has happened so far"] ?? "").thoughts.at(-1);
  return asked && last !== why ? `think: ${why}` : action;
}

/** Titles that the prompt's own sections have; all others hold notes. */
const OWN: ReadonlySet<string> = new Set(["Examples of other tasks", "Task", "What can be done", "What has happened so far"]);

function notesIn(sections: OfflinePrompt["sections"]): string {
  return Object.entries(sections).filter(([title]) => !OWN.has(title)).map(([, text]) => text).join("\n");
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

/** A doing in the world's words: one of the actions offered, or a form of action (`take {thing} from {place}: …`) filled in. */
function say({ verbs, thing = "", other = "" }: Doing, offered: readonly string[]): string | undefined {
  const parts = [thing, other].filter((part) => part !== "");
  for (const verb of verbs) {
    for (const line of offered) {
      if (!line.startsWith(verb)) continue;
      const form = line.replace(/:.*$/, "");
      const slots = form.match(/\{\w+\}/g)?.length ?? 0;
      if (slots > parts.length || (slots === 0 && !parts.every((part) => line.includes(part)))) continue;
      if (slots > 0 || parts.length === 0 || line.startsWith(`${verb} ${thing}`)) {
        let next = 0;
        return form.replaceAll(/\{\w+\}/g, () => parts[next++] ?? "");
      }
    }
  }
  return undefined;
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
