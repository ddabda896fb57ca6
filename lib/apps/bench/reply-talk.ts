/**
 * A small dialogue without a file, for `converse/*`: two friends tell of their lives, which
 * change.
 */

import { type Dialogue, openDialogue } from "../../core/env/questions/dialogue.ts";
import type { Worlds } from "../../core/env/worlds.ts";
import { createDraw } from "../../core/random.ts";
import { containedScore } from "../../core/text/dialogue-scores.ts";

export const TALK = "dialogues/friends";

const FRIENDS = ["Ada", "Bruno", "Clara", "Dario", "Edda", "Femi", "Greta", "Hiro"];
/** What may be told of a life, where `_` is the value, and how it is asked for. */
const MATTERS = [
  {
    values: ["Tarn", "Ostrea", "Vale", "Mirrow"],
    told: "I live in _ now, quite near the station.",
    asked: "In which town does NAME live now?",
  },
  {
    values: ["baker", "surveyor", "nurse", "bookbinder"],
    told: "I have begun to work as a _, and I like the people there.",
    asked: "What does NAME work as now?",
  },
  {
    values: ["cello", "harp", "flute", "banjo"],
    told: "I practise the _ every evening; the neighbours are patient.",
    asked: "Which instrument does NAME play now?",
  },
];
const REPLIES = ["How nice to hear!", "I would never have guessed.", "Tell me more when we meet."];
const DATES = ["3 March 2024", "19 May 2024", "8 September 2024"];

/** A dialogue of three sessions; later news replaces earlier news. */
function talkOf(number: number): Dialogue {
  const draw = createDraw(`talk ${number}`);
  const friends = [0, 1 + number % 5].map((more) =>
    FRIENDS[(number + more) % FRIENDS.length] as string
  );
  const news = DATES.flatMap((date, at) =>
    friends.map((speaker) => {
      const { values, told, asked } = draw.pick(MATTERS);
      const value = draw.pick(values);
      return {
        session: at + 1,
        date,
        speaker,
        text: told.replace("_", value),
        value,
        asked: asked.replace("NAME", speaker),
      };
    })
  );
  const turns = news.flatMap(({ session, date, speaker, text }) => [
    { session, date, speaker, text },
    {
      session,
      date,
      speaker: friends.find((friend) => friend !== speaker) as string,
      text: draw.pick(REPLIES),
    },
  ]);
  const latest = new Map(
    news.map(({ asked, value }, at) => [asked, { answers: [value], evidence: [2 * at] }]),
  );
  const questions = [...latest].map(([question, rest], at) => ({
    id: `${number}-${at}`,
    kind: "current",
    question,
    ...rest,
  }));
  return { id: String(number), turns, questions };
}

/** Adds the dialogue world `TALK` to worlds. Its parameter `number` picks a dialogue. */
export function withTalk(worlds: Worlds): Worlds {
  return {
    list: () => worlds.list(),
    close: () => worlds.close(),
    open: async (id, parameters = {}) => {
      if (id !== TALK) return await worlds.open(id, parameters);
      return openDialogue(talkOf(Number(parameters["number"])), {
        ...{
          id,
          version: "1",
          parameters,
          unit: "turn",
          goal: "Answer questions about what you have read.",
        },
        scorer: (answer, { answers }) => {
          const { contained, ...scores } = containedScore(answer, answers);
          return { ...scores, score: contained };
        },
      });
    },
  };
}
