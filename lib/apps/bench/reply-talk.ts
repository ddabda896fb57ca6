/** A small dialogue that needs no file, for the questions that are put to `converse/*`: two friends tell each other of their lives, which change. */

import { type Dialogue, openDialogue } from "../../core/env/questions/dialogue.ts";
import type { Worlds } from "../../core/env/worlds.ts";
import { createDraw, type Draw } from "../../core/random.ts";
import { containedScore } from "../../core/text/dialogue-scores.ts";

/** The id of the world. */
export const TALK = "dialogues/friends";

const FRIENDS = ["Ada", "Bruno", "Clara", "Dario", "Edda", "Femi", "Greta", "Hiro"];
/** What is told of a life, what it may be, and how it is asked for. */
const MATTERS = [
  {
    values: ["Tarn", "Ostrea", "Vale", "Mirrow"],
    told: (value: string) => `I live in ${value} now, quite near the station.`,
    asked: "In which town does NAME live now?",
  },
  {
    values: ["baker", "surveyor", "nurse", "bookbinder"],
    told: (value: string) => `I have begun to work as a ${value}, and I like the people there.`,
    asked: "What does NAME work as now?",
  },
  {
    values: ["cello", "harp", "flute", "banjo"],
    told: (value: string) => `I practise the ${value} every evening; the neighbours are patient.`,
    asked: "Which instrument does NAME play now?",
  },
] as const;
const REPLIES = ["How nice to hear!", "I would never have guessed.", "Tell me more when we meet."];
const DATES = ["3 March 2024", "19 May 2024", "8 September 2024"];

/** A dialogue of three sessions by its number: each tells some news, the later ones in place of earlier ones. */
function talkOf(number: number): Dialogue {
  const draw = createDraw(`talk ${number}`);
  const friends = [FRIENDS[number % FRIENDS.length], FRIENDS[(number + 1 + number % 5) % FRIENDS.length]] as [string, string];
  const news = DATES.flatMap((date, at) => friends.map((speaker) => ({ session: at + 1, date, speaker, ...newsOf(draw) })));
  const turns = news.flatMap(({ session, date, speaker, text }) => {
    const other = friends.find((friend) => friend !== speaker) as string;
    return [{ session, date, speaker, text }, { session, date, speaker: other, text: draw.pick(REPLIES) }];
  });
  const latest = new Map(news.map((one, at) => [one.asked.replace("NAME", one.speaker), { answer: one.value, evidence: [2 * at] }]));
  const questions = [...latest].map(([question, { answer, evidence }], at) => ({
    ...{ id: `${number}-${at}`, kind: "current", question, answers: [answer], evidence },
  }));
  return { id: String(number), turns, questions };
}

function newsOf(draw: Draw): { readonly text: string; readonly value: string; readonly asked: string } {
  const { values, told, asked } = draw.pick(MATTERS);
  const value = draw.pick(values);
  return { text: told(value), value, asked };
}

/** The given worlds, and with them the dialogue `TALK`, whose parameter is its `number`. */
export function withTalk(worlds: Worlds): Worlds {
  return {
    list: () => worlds.list(),
    close: () => worlds.close(),
    open: (id, parameters = {}) => {
      if (id !== TALK) return worlds.open(id, parameters);
      return Promise.resolve(openDialogue(talkOf(Number(parameters["number"])), {
        ...{ id, version: "1", parameters, unit: "turn", goal: "Answer questions about what you have read." },
        scorer: (answer, { answers }) => {
          const { contained, ...scores } = containedScore(answer, answers);
          return { ...scores, score: contained };
        },
      }));
    },
  };
}
