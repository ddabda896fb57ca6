/**
 * A simulated player: which of the facts that a prompt states are used. It stands between the
 * prompt and every responder, so that all roles read by the same rules and none reads around it.
 *
 * 1. A prompt is its sections. Sections that ask (goal, task, question, plan, instruction; the
 *   forms and choices of an answer; examples of other tasks) are read whole: NoLiMa measures
 *   whether a fact is found, given the question. All other sections state facts, whoever wrote
 *   them.
 * 2. A fact is what `reading/unread-facts.ts` cuts: a triplet, a cell of a grid, an item of a note,
 *   an action taken, a sentence. A fact that is stated twice under the same heading is one fact.
 * 3. The question is the sections that ask, without forms, choices and examples, and the present
 *   observation, which is a section of its own or the end of a history. A text that a role has to
 *   extract from, or to answer to, is its question, too.
 * 4. Fact and question share words if they share a content word: a run of two or more letters, in
 *   lower case, without a final -s, that is not in the Snowball project's list of English stop
 *   words (snowballstem.org/algorithms/english/stop.txt, without its contractions). NoLiMa counts
 *   shared words likewise (ROUGE-1, §3), without naming a list.
 * 5. The prompt's length is that of all its messages in tokens of o200k.
 * 6. A fact is used with the chance that `chanceOfUse` gives. The draw depends on the seed (the
 *   attempt), the call (role, messages, attempt, pass, vote, re-ask, choice) and the fact: a
 *   repeated run repeats itself, a re-ask may succeed, and a better player uses whatever a worse
 *   one uses.
 */

import { createHash } from "node:crypto";
import { createDraw } from "../core/random.ts";
import { chanceOfUse, type PlayerProfile } from "./profiles.ts";
import { withoutUnread } from "./reading/unread-facts.ts";

export const SIMULATION_RULES = "1";

/**
 * Sections that ask for something: they are read whole, and their words are those of the question.
 */
const ASKING: ReadonlySet<string> = new Set([
  ...[
    "Main goal",
    "Task",
    "Mission",
    "Question",
    "Instruction",
    "Present sub-task",
    "Action",
    "Planned action",
    "Place",
  ],
  ...[
    "Plan",
    "Current plan",
    "Previous plan",
    "Last plan",
    "Last plan completion",
    "Previous plans",
    "Actor's report",
    "Predicted",
  ],
  ...[
    "Inventory",
    "Passage",
    "Passed door",
    "Previous room",
    "Door change",
    "Inventory change",
    "Times the last plan was tried",
  ],
]);
/**
 * Sections that give the form of the answer: they are read whole, and their words are not those of
 * the question.
 */
const FORMS: ReadonlySet<string> = new Set([
  ...[
    "Examples of other tasks",
    "What can be done",
    "Possible actions",
    "Permissible commands",
    "Skills",
    "DSL list",
    "Actions",
  ],
  ...["Queries left", "Questions wanted", "Insights wanted", "Greatest importance"],
]);
/** Sections that state what is asked about: their words are those of the question. */
const OBSERVED: ReadonlySet<string> = new Set([
  ...["Observation", "Current observation", "Current situation", "Response", "What happened"],
  ...["Text", "Paragraph", "New triplets", "Observed entities", "Partial observation entities"],
]);

/**
 * The sections of a prompt of so many tokens as a player reads them in a call: without the facts
 * that it leaves unused, under the same titles.
 */
export function createReading(
  profile: PlayerProfile,
  tokens: number,
  sections: Readonly<Record<string, string>>,
): (call: string) => Record<string, string> {
  const question = questionWords(sections);
  const [sharing, other] = [
    chanceOfUse(profile, tokens, true),
    chanceOfUse(profile, tokens, false),
  ];
  const chances = new Map<string, number>();
  const chanceOf = (fact: string): number =>
    contentWords(fact).some((word) => question.has(word)) ? sharing : other;
  return (call) => {
    const salt = saltOf(call);
    const isRead = (fact: string, topic: string): boolean =>
      createDraw(`${salt} ${topic} ${fact}`).next() < chances.getOrInsertComputed(fact, chanceOf);
    const read = (title: string, text: string): string =>
      ASKING.has(title) || FORMS.has(title) ? text : withoutUnread(text, isRead);
    return Object.fromEntries(
      Object.entries(sections).map(([title, text]) => [title, read(title, text)]),
    );
  };
}

/**
 * The hash of a call, which begins the seeds of its draws: calls differ in few letters, which a
 * draw's own hash mixes too little.
 */
export function saltOf(call: string): string {
  return createHash("sha256").update(call).digest("hex");
}

function questionWords(sections: Readonly<Record<string, string>>): Set<string> {
  const told = Object.entries(sections).map(([title, text]) => {
    if (ASKING.has(title) || OBSERVED.has(title)) return text;
    return FORMS.has(title) ? "" : endOfHistory(text);
  });
  return new Set(told.flatMap(contentWords));
}

/**
 * Where a section is a history of actions, or of observations one by one: its end, which is the
 * present observation.
 */
function endOfHistory(text: string): string {
  const state = text.split(/^Present state:$/m)[1];
  if (state !== undefined) return state;
  return text.split(/^(?:>|Observation \d+.*$)/m).slice(/^>/m.test(text) ? 0 : 1).findLast((part) =>
    part.trim() !== ""
  ) ?? "";
}

function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/s$/, ""));
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  ("i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them " +
    "their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing " +
    "would should could ought a an the and but if or because as until while of at by for with about against between into through during before " +
    "after above below to from up down in out on off over under again further then once here there when where why how all any both each few more " +
    "most other some such no nor not only own same so than too very will can just don now").split(
      " ",
    ),
);
