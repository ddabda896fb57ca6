import { WorldError } from "../../errors.ts";
import { hashOf } from "../../text/canonical.ts";
import { type AnswerScore, countWords } from "../../text/qa-scores.ts";
import type { MeasuredEnvironment, Turn } from "../environment.ts";
import type { Question } from "./question.ts";
import { createTaskSession, truthOf } from "./task-session.ts";

/** How a question is shown and scored. */
export interface QuestionWorldOptions {
  /** Id in the catalogue, e.g. `questions/musique`. */
  readonly id: string;
  /** Version of the world's rules; each change of what it shows or scores gets a new one. */
  readonly version: string;
  /** All parameters, defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The paragraphs shown: all, or only those that the set marks as needed. */
  readonly documents: "all" | "supporting";
  /** The measure that is the episode's score. */
  readonly score: "em" | "f1";
  /** Scores an answer as the set officially does. */
  readonly scorer: (answer: string, question: Question) => AnswerScore;
}

const LONGEST_ANSWER = 10_000;

/**
 * Opens a question. The reset shows it with its paragraphs (`documents`); `finish[<answer>]` ends
 * the episode with a score in [0, 1]. The last turn has the sections `answer` (as given), `em`,
 * `f1` (official), and `words`: the pooled score's counts shared, answered, wanted, equal. Only
 * `truth` shows the gold answer.
 *
 * @example
 * ```ts
 * import { hotpotScore } from "labyrinth/text";
 * import { openQuestion } from "labyrinth/env";
 * import assert from "node:assert/strict";
 *
 * const paragraphs = [{ title: "Tarn", text: "Tarn lies in Ostrea.", supporting: true }];
 * const question = { id: "q1", question: "Where does Tarn lie?", paragraphs, answer: "Ostrea", aliases: [] };
 * const world = openQuestion(question, {
 *   id: "questions/own", version: "1", parameters: {}, documents: "all", score: "f1",
 *   scorer: (answer, { answer: gold }) => hotpotScore(answer, gold),
 * });
 * assert.deepEqual((await world.reset()).documents, [{ title: "Tarn", text: "Tarn lies in Ostrea." }]);
 * assert.equal((await world.step("finish[in Ostrea]")).score, 2 / 3);
 * ```
 */
export function openQuestion(
  { evidence: _, ...question }: Question,
  options: QuestionWorldOptions,
): MeasuredEnvironment {
  const { id, version, parameters, scorer } = options;
  const shown = question.paragraphs.filter(({ supporting }) =>
    options.documents === "all" || supporting
  );
  const documents = shown.map(({ title, text }) => ({ title, text }));
  const asked: Turn = {
    goal: "Answer the question.",
    observation: question.question,
    sections: {},
    documents,
    frames: [],
    score: 0,
    maxScore: 1,
  };

  function answer(action: string): Turn {
    const text = answerIn(action);
    const { em, f1 } = scorer(text, question);
    const { shared, answered, wanted, equal } = countWords(text, question.answer);
    return {
      ...asked,
      observation: `Answered. EM ${em}, F1 ${f1.toFixed(3)}.`,
      sections: {
        answer: text,
        em: String(em),
        f1: String(f1),
        words: [shared, answered, wanted, equal].join(" "),
      },
      score: options.score === "em" ? em : f1,
      end: em === 1 ? "won" : "lost",
    };
  }

  return createTaskSession({
    spec: {
      id,
      version,
      parameters,
      sections: ["answer", "em", "f1", "words"],
      actions: [{
        name: "finish[{answer}]",
        params: ["answer"],
        description: "give the answer and end",
        explores: false,
      }],
      fallback: finish("Unknown"),
      identity: hashOf({ question, documents }),
    },
    name: `the question ${question.id}`,
    asked,
    answer,
    truth: truthOf({
      ...question,
      supporting: question.paragraphs.filter(({ supporting }) => supporting),
    }),
  });
}

/**
 * The action that answers a question.
 *
 * @example
 * ```ts
 * import { finish } from "labyrinth/env";
 * import assert from "node:assert/strict";
 *
 * assert.equal(finish("the sea"), "finish[the sea]");
 * ```
 */
export function finish(answer: string): string {
  return `finish[${answer}]`;
}

/**
 * The answer in an action.
 * @throws {WorldError} `bad-action` if it is none, or longer than 10,000 characters.
 */
export function answerIn(action: string): string {
  const text = action.match(/^\s*finish\[([\s\S]*)\]\s*$/i)?.[1];
  if (text === undefined) {
    throw new WorldError(
      "bad-action",
      `a question cannot be answered by ${
        JSON.stringify(action.slice(0, 80))
      }; use finish[<answer>]`,
    );
  }
  if (text.length > LONGEST_ANSWER) {
    throw new WorldError(
      "bad-action",
      `an answer may have ${LONGEST_ANSWER} characters, this one has ${text.length}; give a short one`,
    );
  }
  return text.trim();
}
