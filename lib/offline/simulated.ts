/**
 * A simulated player: which facts of a prompt are used, for every responder alike.
 *
 * 1. Sections that ask (goal, task, question, plan, instruction; forms and choices; examples) are
 * read whole, since NoLiMa measures whether a fact is found given the question. All other sections
 * state facts.
 * 2. `reading/unread-facts.ts` splits them into facts. Equal facts under one heading are one.
 * 3. The question is the asking sections without forms, choices and examples, and the present
 * observation or the text that a role extracts from.
 * 4. Fact and question share words if they share a run of two or more letters, in lower case,
 * without a final -s, that is no stop word (snowballstem.org/algorithms/english/stop.txt, without
 * contractions); NoLiMa uses ROUGE-1 (§3) and names no list.
 * 5. The prompt's length is that of all messages in o200k tokens.
 * 6. A fact is used with the chance of `chanceOfUse`. The draw depends on seed, call and fact: a
 * repeated run repeats itself, a re-ask may succeed, and a better player uses all that a worse one
 * uses.
 */

import { createHash } from "node:crypto";
import { createDraw } from "../core/random.ts";
import { chanceOfUse, type PlayerProfile } from "./profiles.ts";
import { withoutUnread } from "./reading/unread-facts.ts";

export const SIMULATION_RULES = "1";

/** Sections that ask: read whole; their words are the question's. */
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
/** Sections that give the form of the answer: read whole; not part of the question. */
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
/** Sections that state what is asked about: part of the question. */
const OBSERVED: ReadonlySet<string> = new Set([
  ...["Observation", "Current observation", "Current situation", "Response", "What happened"],
  ...["Text", "Paragraph", "New triplets", "Observed entities", "Partial observation entities"],
]);

/** Creates what a player reads in one call: the sections without the facts that it ignores. */
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

/** The hash of a call, which begins the seeds of its draws. */
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

/** The end of a history of actions or observations, which is the present observation. */
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
