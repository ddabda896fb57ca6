/**
 * A question as a world: one episode, one answer.
 *
 * @module
 */

import { WorldError } from "../../errors.ts";
import { hashOf } from "../../store/canonical.ts";
import { type AnswerScore, countWords } from "../../text/qa-scores.ts";
import type { EnvSpec, MeasuredEnvironment, Turn } from "../environment.ts";
import type { Question } from "./question.ts";

/** How a question is put and scored. */
export interface QuestionWorldOptions {
  /** In the catalogue, e.g. `questions/musique`. */
  readonly id: string;
  /** Of the rules of the set's world; a new one for each change of what it shows or scores. */
  readonly version: string;
  /** All of them, defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The paragraphs shown: all of them, or those alone that the set marks as needed. */
  readonly documents: "all" | "supporting";
  /** What the episode's score is. */
  readonly score: "em" | "f1";
  /** The set's official scores of an answer. */
  readonly scorer: (answer: string, question: Question) => AnswerScore;
}

/** A longer answer (characters) is no short answer. */
const LONGEST_ANSWER = 10_000;

/**
 * Opens a question. The reset shows it with its paragraphs (`documents`); `finish[<answer>]` ends the episode with score 0 … 1.
 *
 * Sections of the last turn: `answer` (as given), `em` and `f1` (official), and `words`, the four counts of the pooled score: shared,
 * answered, wanted, equal. The gold answer shows in `truth` alone.
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
export function openQuestion(question: Question, options: QuestionWorldOptions): MeasuredEnvironment {
  const { id, version, parameters, scorer } = options;
  const shown = question.paragraphs.filter(({ supporting }) => options.documents === "all" || supporting);
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
  let last: Turn | undefined;
  let closed = false;

  function checkOpen(): void {
    if (closed) throw new WorldError("unknown-session", `the question ${question.id} has been closed; open it anew`);
  }

  function answer(action: string): Turn {
    const text = answerIn(action);
    const { em, f1 } = scorer(text, question);
    const { shared, answered, wanted, equal } = countWords(text, question.answer);
    return {
      ...asked,
      observation: `Answered. EM ${em}, F1 ${f1.toFixed(3)}.`,
      sections: { answer: text, em: String(em), f1: String(f1), words: [shared, answered, wanted, equal].join(" ") },
      score: options.score === "em" ? em : f1,
      end: em === 1 ? "won" : "lost",
    };
  }

  return {
    spec: specOf(id, version, parameters, hashOf({ question, documents })),
    reset(): Promise<Turn> {
      return attempt(() => {
        checkOpen();
        last = asked;
        return asked;
      });
    },
    step(action: string): Promise<Turn> {
      return attempt(() => {
        checkOpen();
        if (!last) throw new WorldError("out-of-order", `the question ${question.id} has not been reset; call reset first`);
        if (last.end) throw new WorldError("ended", `the question ${question.id} has been answered; reset it to answer again`);
        last = answer(action);
        return last;
      });
    },
    validActions: () => attempt(() => void checkOpen()),
    truth(): Promise<Readonly<Record<string, unknown>>> {
      return attempt(() => {
        checkOpen();
        const supporting = question.paragraphs.filter((paragraph) => paragraph.supporting).map(({ title }) => title);
        return { id: question.id, answer: question.answer, aliases: question.aliases, supporting };
      });
    },
    close(): Promise<void> {
      closed = true;
      return Promise.resolve();
    },
  };
}

/**
 * The action that gives an answer.
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

function answerIn(action: string): string {
  const text = action.match(/^\s*finish\[([\s\S]*)\]\s*$/i)?.[1];
  if (text === undefined) {
    throw new WorldError("bad-action", `a question cannot be answered by ${JSON.stringify(action.slice(0, 80))}; use finish[<answer>]`);
  }
  if (text.length > LONGEST_ANSWER) {
    throw new WorldError("bad-action", `an answer may have ${LONGEST_ANSWER} characters, this one has ${text.length}; give a short one`);
  }
  return text.trim();
}

function specOf(id: string, version: string, parameters: EnvSpec["parameters"], identity: string): EnvSpec {
  return {
    id,
    version,
    parameters,
    sections: ["answer", "em", "f1", "words"],
    actions: [{ name: "finish[{answer}]", params: ["answer"], description: "give the answer and end", explores: false }],
    fallback: finish("Unknown"),
    identity,
  };
}

/** A promise of what the function gives or throws. */
function attempt<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => resolve(act()));
}
