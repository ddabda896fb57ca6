/**
 * How the offline backbone plans, acts and criticises for ReasonPlanner. It knows everyday things about laboratories and how to do again what was
 * done before: steps towards a task come from the answers of the world model alone; without any it follows the words of the task.
 *
 * @module
 */

import type { OfflinePrompt, Responder } from "../backbone.ts";
import { contentWords, eventOf, FOR_TASK, isRefusal, plainName, readRoom, taskOf } from "../reading/scienceworld-text.ts";
import { readTriplets } from "../reading/descriptions.ts";

/** Roles `reasonplanner/predict-action`, `/predict-state`, `/actor`, `/critic` and `/reflect`. */
export const reasonPlannerResponders: readonly Responder[] = [
  { role: "reasonplanner/predict-action", answer: predictAction },
  { role: "reasonplanner/predict-state", answer: predictState },
  { role: "reasonplanner/actor", answer: act },
  { role: "reasonplanner/critic", answer: criticise },
  { role: "reasonplanner/reflect", answer: reflect },
];

type Sections = OfflinePrompt["sections"];

/** What the trajectory tells. */
interface Course {
  /** Actions done and predicted, in order, in lower case. */
  readonly actions: readonly { readonly action: string; readonly response: string }[];
  /** What is seen at present. */
  readonly state: string;
  /** Where the agent is, after what is predicted. */
  readonly place: string | undefined;
}

function courseOf({ Trajectory = "" }: Sections): Course {
  const [before = "", after = ""] = Trajectory.split(/^Present state:$/m);
  const [state = "", predicted = ""] = after.split(/^Predicted:$/m);
  const actions = [...`${before}\n${predicted}`.matchAll(/^\d+\. (.*?) -> ?(.*)$/gm)]
    .map(([, action = "", response = ""]) => ({ action: action.trim().toLowerCase(), response }));
  const goes = [...predicted.matchAll(/^\d+\. (?:go|teleport) to (?:the )?(.+?) ->/gm)].at(-1)?.[1];
  return { actions, state, place: goes?.toLowerCase() ?? readRoom(state).place };
}

/** One question to the world model and its answer. */
interface Known {
  readonly question: string;
  readonly answer: string;
}

function knownOf(sections: Sections): Known[] {
  return (sections["World model"] ?? "").split(/^Query: /m).slice(1).map((text) => {
    const [question = "", answer = ""] = text.split(/\nAnswer: /);
    return { question: question.trim(), answer: answer.trim() };
  });
}

function predictAction({ sections }: OfflinePrompt): string {
  const goal = sections["Task"] ?? "";
  const [course, known] = [courseOf(sections), knownOf(sections)];
  const mayAsk = Number(sections["Queries left"]) > 0;
  const ask = (question: string): string | undefined =>
    mayAsk && !known.some((one) => one.question === question) ? JSON.stringify({ query: question }) : undefined;
  const howDone = `Which actions served the task: ${taskOf(goal)}?`;
  const asked = ask(howDone);
  if (asked !== undefined) return asked;
  const action = nextOfAnEarlierTime(goal, course, known.find(({ question }) => question === howDone)?.answer ?? "") ??
    wordsOfTheTask(goal, course, known, ask);
  return action.startsWith("{") ? action : JSON.stringify({ action, response: "It is done." });
}

/** Events of one earlier time that a like task was worked on. */
interface Earlier {
  readonly task: string;
  readonly last: number;
  readonly events: { readonly action: string; readonly place?: string }[];
}

/** Times between two events of one working time, at most: steps that only lead from place to place lie between them. */
const LONGEST_GAP = 15;

function earlierTimes(answer: string): Earlier[] {
  const found: Earlier[] = [];
  let open: (Earlier & { last: number }) | undefined;
  for (const [, time = "", told = ""] of answer.matchAll(/^\[(\d+)\] (.*)$/gm)) {
    if (!told.includes(FOR_TASK)) continue;
    const event = eventOf(readTriplets(told));
    if (!event) continue;
    const { task, ...rest } = event;
    if (!open || open.task !== task || Number(time) - open.last > LONGEST_GAP) found.push(open = { task, last: 0, events: [] });
    open.last = Number(time);
    open.events.push(rest);
  }
  return found;
}

/**
 * The first step, not tried yet, of the most similar earlier task, of those the latest; its words exchanged for those of this task. What was done for
 * this task just now stands in the world model, too, and has no such step.
 */
function nextOfAnEarlierTime(goal: string, course: Course, answer: string): string | undefined {
  const task = taskOf(goal);
  const earlier = earlierTimes(answer).sort((a, b) => likeness(b.task, task) - likeness(a.task, task) || b.last - a.last);
  for (const { task: other, events } of earlier) {
    const exchange = exchangeOf(other, task);
    const next = nextOf(events.map(({ action, place }) => ({ action: exchange(action), place: place && exchange(place) })), course);
    if (!next) continue;
    const tried = course.actions.slice(-3).some(({ action }) => action.endsWith(` to ${next.place}`));
    return next.place && course.place && next.place !== course.place && !tried ? `go to ${next.place}` : next.action;
  }
  return undefined;
}

/** The event after the last one that was tried, in order. */
function nextOf<Event extends { readonly action: string }>(events: readonly Event[], { actions }: Course): Event | undefined {
  let at = 0;
  for (const { action } of actions) {
    const found = events.findIndex((event, i) => i >= at && event.action === action);
    if (found >= 0) at = found + 1;
  }
  return events[at];
}

/** Shared words ÷ all words. */
function likeness(one: string, other: string): number {
  const [a, b] = [contentWords(one), contentWords(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** Puts what only this task speaks of in the place of what only the other one speaks of. */
function exchangeOf(from: string, to: string): (text: string) => string {
  const [a, b] = [from.split(" "), to.split(" ")];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [old, young] = [a.slice(start, a.length - end).join(" "), b.slice(start, b.length - end).join(" ")];
  if (old === "" || young === "") return (text) => text;
  return (text) => ` ${text} `.replaceAll(` ${old} `, ` ${young} `).trim();
}

/** What kinds of thing a task may ask for, by everyday nouns. */
const KINDS: Readonly<Record<string, RegExp>> = {
  animal:
    /\b(?:animal|bird|fish|insect|dog|cat|horse|cow|sheep|pig|goat|wolf|bear|fox|mouse|rabbit|frog|snake|spider|bee|ant|butterfly|egg)\b/,
  plant: /\b(?:plant|tree|flower|grass|moss|herb|fern|seedling)\b(?! pot)/,
};

/** Follows the task's own words: focus on what it names, bring it where it says; look for what is not in sight. */
function wordsOfTheTask(goal: string, course: Course, known: readonly Known[], ask: (question: string) => string | undefined): string {
  const { place, things } = readRoom(course.state);
  const has = (action: string): boolean => course.actions.some((done) => done.action === action && !isRefusal(done.response));
  const tried = (action: string): boolean => course.actions.some((done) => done.action === action);
  const wanted = wantedOf(goal);
  const inSight = things.find((thing) => wanted.fits(thing) && !tried(`focus on ${thing}`));
  const chosen = things.concat(carriedIn(course.state)).find((thing) => has(`focus on ${thing}`)) ??
    course.actions.findLast(({ action }) => action.startsWith("focus on "))?.action.slice("focus on ".length);
  const [, box = "", where = ""] = goal.toLowerCase().match(/move (?:it|the [\w ]+?) to the ([\w ]+?)(?: in the ([\w ]+?))?[.,]/) ?? [];
  if (chosen !== undefined && box !== "") {
    if (!tried(`pick up ${chosen}`)) return `pick up ${chosen}`;
    if (where !== "" && course.place !== where && !tried(`go to ${where}`)) return `go to ${where}`;
    if (!tried(`move ${chosen} to ${box}`)) return `move ${chosen} to ${box}`;
  }
  if (chosen === undefined && inSight !== undefined && place === course.place) return `focus on ${inSight}`;
  const told = known.find(({ question }) => question === whereIs(wanted.name))?.answer;
  if (told === undefined && chosen === undefined) {
    const asked = ask(whereIs(wanted.name));
    if (asked !== undefined) return asked;
  }
  const seenAt = [...(told ?? "").matchAll(/, is in, ([\w ]+?)(?=;|$)/gm)].map((match) => match[1] ?? "").findLast((there) =>
    !tried(`go to ${there}`) && there !== place
  );
  return seenAt === undefined ? `explore: find ${wanted.name}` : `go to ${seenAt}`;
}

function whereIs(thing: string): string {
  return `Where is ${thing}?`;
}

/** What is to be focused on, by its name or by its kind. */
function wantedOf(goal: string): { readonly name: string; readonly fits: (thing: string) => boolean } {
  const text = goal.toLowerCase();
  const kind = text.match(/find (?:an?|a\(n\)|the) ((?:non-)?[\w-]+(?: thing)?)/)?.[1];
  if (kind === "plant" || kind === "animal") return { name: kind, fits: (thing) => KINDS[kind]?.test(thing) ?? false };
  const lives = (thing: string): boolean => Object.values(KINDS).some((pattern) => pattern.test(thing));
  if (kind === "living thing") return { name: kind, fits: lives };
  if (kind?.startsWith("non-living")) return { name: kind, fits: (thing) => !lives(thing) && !/^(?:air|agent)$/.test(thing) };
  const named = plainName(text.match(/focus on (?:the )?([\w ]+?)[.,]/)?.[1] ?? "");
  const name = named === "" || /^(?:substance|thing)$/.test(named) ? taskOf(goal).split(" ").slice(1).join(" ") || "thing" : named;
  return { name, fits: (thing) => thing === name || thing.endsWith(` ${name}`) };
}

/** The things of the inventory, the last paragraph of a state. */
function carriedIn(state: string): string[] {
  const inventory = state.match(/inventory, you see:\s*([\s\S]*)$/i)?.[1] ?? "";
  return inventory.split("\n").map((line) => plainName(line.replace(/\(.*/, ""))).filter((name) => name !== "");
}

/** As at present, but for the place; whether a task is over it does not foresee. */
function predictState({ sections }: OfflinePrompt): string {
  const { state, place } = courseOf(sections);
  const observation = place === undefined || place === readRoom(state).place ? "As before." : `This room is called the ${place}.`;
  return JSON.stringify({ state: { observation, inventory: carriedIn(state).join(", ") }, done: false });
}

function act({ sections, draw }: OfflinePrompt): string {
  const course = courseOf(sections);
  const [planned = ""] = (sections["Planned action"] ?? "").split("\n");
  const commands = (...all: string[]): string => JSON.stringify({ commands: all.map((command) => ({ command, state: "" })) });
  const question = (sections["Trajectory"] ?? "").split(/^The world has asked:$/m)[1];
  if (question !== undefined) return commands(choiceOf(question, planned));
  const refused = (verb: string): boolean => course.actions.some(({ action, response }) => action.startsWith(verb) && isRefusal(response));
  const [, place] = planned.match(/^(?:go|walk|move|teleport) to (?:the )?(.+)$/i) ?? [];
  if (place !== undefined) {
    const jumps = (sections["Permissible commands"] ?? "").includes("teleport to") && !refused("teleport to");
    return commands(`${jumps ? "teleport" : "go"} to ${place}`);
  }
  if (!planned.startsWith("explore:")) return commands(planned.replace(/[.\s]+$/, ""));
  const { ways } = readRoom(course.state);
  const gone = new Set(course.actions.flatMap(({ action }) => action.match(/^(?:go|teleport) to (.+)$/)?.[1] ?? []));
  const fresh = ways.filter((way) => !gone.has(way));
  if (ways.length === 0) return commands("look around");
  return commands(`go to ${fresh[0] ?? draw.pick(ways)}`);
}

/** The number of the choice that shares most words with what was planned; of equal ones the first. */
function choiceOf(question: string, planned: string): string {
  const wanted = contentWords(planned);
  const choices = [...question.matchAll(/^\s*(\d+)\s*[:.)]\s*(.*)$/gm)].map(([, number = "0", text = ""]) => ({
    number,
    shared: [...contentWords(text)].filter((word) => wanted.has(word)).length,
  }));
  return choices.sort((a, b) => b.shared - a.shared || Number(a.number) - Number(b.number))[0]?.number ?? "0";
}

/** A plan has to be made anew where a command was refused or points were lost. */
function criticise({ sections }: OfflinePrompt): string {
  const { response, before, now } = happenedIn(sections);
  const reason = isRefusal(response) ? `It was refused: ${response}` : now < before ? "Points were lost." : "";
  return JSON.stringify({ replan: reason !== "", reason: reason || "It went as planned." });
}

function happenedIn(sections: Sections): { readonly response: string; readonly before: number; readonly now: number } {
  const happened = sections["What happened"] ?? "";
  const [, response = ""] = happened.match(/^Response: ([\s\S]*?)\nScore:/) ?? [];
  const [, before = "0", now = "0"] = happened.match(/^Score: (-?[\d.]+) before, (-?[\d.]+) now$/m) ?? [];
  return { response: response.replaceAll(/\s+/g, " ").trim(), before: Number(before), now: Number(now) };
}

/** Reflections that are kept, the last ones. */
const MOST_REFLECTIONS = 8;

function reflect({ sections }: OfflinePrompt): string {
  const [, command = "a command"] = (sections["Predicted"] ?? "").match(/^Command: (.*)$/m) ?? [];
  const lesson = `"${command}" came to: ${happenedIn(sections).response.slice(0, 120)}`;
  const lessons = (sections["Reflections"] ?? "").split("\n").filter((line) => line !== "" && line !== lesson);
  return JSON.stringify({
    reflection: [...lessons, lesson].slice(-MOST_REFLECTIONS).join("\n"),
    subtask: "Go on with the task in another way.",
  });
}
