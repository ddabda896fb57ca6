/**
 * Answers ReasonPlanner's planner, actor, critic and reflection. Repeats what earlier served a
 * similar task, according to the world model; otherwise follows the words of the task.
 */

import type { OfflinePrompt, Responder } from "../stand-in.ts";
import { isOfKind, objectOf, readHouseholdTask } from "../reading/tasks.ts";
import { readTriplets } from "../reading/descriptions.ts";
import {
  choiceOf,
  contentWords,
  eventOf,
  FOR_TASK,
  isRefusal,
  plainName,
  readRoom,
  taskOf,
} from "../reading/scienceworld-text.ts";

export const reasonPlannerResponders: readonly Responder[] = [
  { role: "reasonplanner/predict-action", answer: predictAction },
  { role: "reasonplanner/predict-state", answer: predictState },
  { role: "reasonplanner/actor", answer: act },
  { role: "reasonplanner/critic", answer: criticise },
  { role: "reasonplanner/reflect", answer: reflect },
];

type Sections = OfflinePrompt["sections"];

interface Course {
  readonly actions: readonly { readonly action: string; readonly response: string }[];
  readonly state: string;
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

interface WorldModel {
  readonly answers: ReadonlyMap<string, string>;
  /** The reply that asks a question; `undefined` if it was asked before or no query is left. */
  ask(question: string): string | undefined;
}

function worldModelOf(sections: Sections): WorldModel {
  const answers = new Map<string, string>();
  for (const text of (sections["World model"] ?? "").split(/^Query: /m).slice(1)) {
    const [question = "", answer = ""] = text.split(/\nAnswer: /);
    if (!answers.has(question.trim())) answers.set(question.trim(), answer.trim());
  }
  const mayAsk = Number(sections["Queries left"]) > 0;
  return {
    answers,
    ask: (question) =>
      mayAsk && !answers.has(question) ? JSON.stringify({ query: question }) : undefined,
  };
}

function predictAction({ sections }: OfflinePrompt): string {
  const task = sections["Task"] ?? "";
  const [course, model] = [courseOf(sections), worldModelOf(sections)];
  const howDone = `Which actions served the task: ${taskOf(task)}?`;
  const query = model.ask(howDone);
  if (query !== undefined) return query;
  const action = nextOfAnEarlierTime(task, course, model.answers.get(howDone) ?? "") ??
    actionByWords(task, course, model);
  if (action.startsWith("{")) return action;
  return JSON.stringify({ action, response: "It is done." });
}

interface Earlier {
  readonly task: string;
  readonly events: { readonly action: string; readonly place?: string }[];
  last: number;
}

/** Steps between two events of one working time, at most: only moves lie between them. */
const LONGEST_GAP = 15;

function earlierTimes(answer: string): Earlier[] {
  const found: Earlier[] = [];
  for (const [, time = "", text = ""] of answer.matchAll(/^\[(\d+)\] (.*)$/gm)) {
    const event = text.includes(FOR_TASK) ? eventOf(readTriplets(text)) : undefined;
    if (!event) continue;
    let open = found.at(-1);
    if (open?.task !== event.task || Number(time) - open.last > LONGEST_GAP) {
      found.push(open = { task: event.task, last: 0, events: [] });
    }
    open.last = Number(time);
    open.events.push(event);
  }
  return found;
}

/**
 * The first untried action of the most similar earlier task, ties to the latest, in the words of
 * this task.
 */
function nextOfAnEarlierTime(goal: string, course: Course, answer: string): string | undefined {
  const task = taskOf(goal);
  const earlier = earlierTimes(answer).sort((a, b) =>
    similarity(b.task, task) - similarity(a.task, task) || b.last - a.last
  );
  for (const { task: other, events } of earlier) {
    const exchange = exchangeOf(other, task);
    const next = nextOf(
      events.map(({ action, place }) => ({
        action: exchange(action),
        place: place && exchange(place),
      })),
      course,
    );
    if (!next) continue;
    const tried = course.actions.slice(-3).some(({ action }) =>
      action.endsWith(` to ${next.place}`)
    );
    return next.place && course.place && next.place !== course.place && !tried
      ? `go to ${next.place}`
      : next.action;
  }
  return undefined;
}

function nextOf<Event extends { readonly action: string }>(
  events: readonly Event[],
  { actions }: Course,
): Event | undefined {
  let at = 0;
  for (const { action } of actions) {
    const found = events.findIndex((event, i) => i >= at && event.action === action);
    if (found >= 0) at = found + 1;
  }
  return events[at];
}

/** Jaccard similarity of two texts' content words, in [0, 1]. */
function similarity(one: string, other: string): number {
  const [a, b] = [contentWords(one), contentWords(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** Replaces the words that only one task has by those that only the other has. */
function exchangeOf(from: string, to: string): (text: string) => string {
  const [a, b] = [from.split(" "), to.split(" ")];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) {
    end++;
  }
  const [old, young] = [
    a.slice(start, a.length - end).join(" "),
    b.slice(start, b.length - end).join(" "),
  ];
  if (old === "" || young === "") return (text) => text;
  return (text) => ` ${text} `.replaceAll(` ${old} `, ` ${young} `).trim();
}

/** Focuses on what the task names and brings it where it says; looks for what is not in sight. */
function actionByWords(goal: string, course: Course, { answers, ask }: WorldModel): string {
  const { place, things } = readRoom(course.state);
  const tried = (action: string): boolean => course.actions.some((done) => done.action === action);
  const { focus = [], to = "", room = "", kind } = readHouseholdTask(goal) ??
    { kind: objectOf(taskOf(goal)) };
  const focused = course.actions.filter(({ action, response }) =>
    action.startsWith("focus on ") && !isRefusal(response)
  );
  const chosen = focused.at(-1)?.action.slice("focus on ".length);
  const pending = focus[focused.length];
  if (chosen !== undefined && pending === undefined && to !== "") {
    if (!tried(`pick up ${chosen}`)) return `pick up ${chosen}`;
    if (room !== "" && course.place !== room && !tried(`go to ${room}`)) return `go to ${room}`;
    if (!tried(`move ${chosen} to ${to}`)) return `move ${chosen} to ${to}`;
  }
  const name = pending ?? kind;
  const question = `Where is ${name}?`;
  if (chosen === undefined || pending !== undefined) {
    const inSight = things.concat(carriedIn(course.state)).find((thing) =>
      isOfKind(thing, name) && !tried(`focus on ${thing}`)
    );
    if (inSight !== undefined && place === course.place) return `focus on ${inSight}`;
    const query = ask(question);
    if (query !== undefined) return query;
  }
  const seenAt = [...(answers.get(question) ?? "").matchAll(/, is in, ([\w ]+?)(?=;|$)/gm)].map((
    match,
  ) => match[1] ?? "")
    .findLast((there) => !tried(`go to ${there}`) && there !== place);
  return seenAt === undefined ? `explore: find ${name}` : `go to ${seenAt}`;
}

function carriedIn(state: string): string[] {
  const inventory = state.match(/inventory, you see:\s*([\s\S]*)$/i)?.[1] ?? "";
  return inventory.split("\n").map((line) => plainName(line.replace(/\(.*/, ""))).filter((name) =>
    name !== ""
  );
}

function predictState({ sections }: OfflinePrompt): string {
  const { state, place } = courseOf(sections);
  const observation = place === undefined || place === readRoom(state).place
    ? "As before."
    : `This room is called the ${place}.`;
  return JSON.stringify({
    state: { observation, inventory: carriedIn(state).join(", ") },
    done: false,
  });
}

function act({ sections, draw }: OfflinePrompt): string {
  const course = courseOf(sections);
  const [planned = ""] = (sections["Planned action"] ?? "").split("\n");
  const { exits } = readRoom(course.state);
  const commands = (command: string): string =>
    JSON.stringify({ commands: [{ command, state: "" }] });
  const question = (sections["Trajectory"] ?? "").split(/^The world has asked:$/m)[1];
  if (question !== undefined) return commands(choiceOf(question, planned) ?? "0");
  const refused = (verb: string): boolean =>
    course.actions.some(({ action, response }) => action.startsWith(verb) && isRefusal(response));
  const [, place] = planned.match(/^(?:go|walk|move|teleport) to (?:the )?(.+)$/i) ?? [];
  if (place !== undefined) {
    const jumps = (sections["Permissible commands"] ?? "").includes("teleport to") &&
      !refused("teleport to");
    return commands(`${jumps ? "teleport" : "go"} to ${place}`);
  }
  if (!planned.startsWith("explore:")) return commands(planned.replace(/[.\s]+$/, ""));
  const gone = new Set(
    course.actions.flatMap(({ action }) => action.match(/^(?:go|teleport) to (.+)$/)?.[1] ?? []),
  );
  const fresh = exits.filter((exit) => !gone.has(exit));
  if (exits.length === 0) return commands("look around");
  return commands(`go to ${fresh[0] ?? draw.pick(exits)}`);
}

function criticise({ sections }: OfflinePrompt): string {
  const { response, before, now } = happenedIn(sections);
  const reason = isRefusal(response)
    ? `It was refused: ${response}`
    : now < before
    ? "Points were lost."
    : "";
  return JSON.stringify({ replan: reason !== "", reason: reason || "It went as planned." });
}

function happenedIn(
  sections: Sections,
): { readonly response: string; readonly before: number; readonly now: number } {
  const happened = sections["What happened"] ?? "";
  const [, response = ""] = happened.match(/^Response: ([\s\S]*?)\nScore:/) ?? [];
  const [, before = "0", now = "0"] =
    happened.match(/^Score: (-?[\d.]+) before, (-?[\d.]+) now$/m) ?? [];
  return {
    response: response.replaceAll(/\s+/g, " ").trim(),
    before: Number(before),
    now: Number(now),
  };
}

const MAX_REFLECTIONS = 8;

function reflect({ sections }: OfflinePrompt): string {
  const [, command = "a command"] = (sections["Predicted"] ?? "").match(/^Command: (.*)$/m) ?? [];
  const lesson = `"${command}" came to: ${happenedIn(sections).response.slice(0, 120)}`;
  const lessons = (sections["Reflections"] ?? "").split("\n").filter((line) =>
    line !== "" && line !== lesson
  );
  return JSON.stringify({
    reflection: [...lessons, lesson].slice(-MAX_REFLECTIONS).join("\n"),
    subtask: "Go on with the task in another way.",
  });
}
