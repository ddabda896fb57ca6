/**
 * A dialogue of many sessions as a world: an agent reads it turn by turn, then answers questions
 * about it one by one.
 */

import { hashOf } from "../../text/canonical.ts";
import type { AnswerScore } from "../../text/qa-scores.ts";
import type { Document, EnvSpec, MeasuredEnvironment, Turn } from "../environment.ts";
import { createTaskSession } from "./task-session.ts";
import { answerIn, finish } from "./world.ts";

export interface DialogueTurn {
  readonly session: number;
  /** When the session took place, as the set words it; absent where the set does not say. */
  readonly date?: string;
  /** Who speaks; absent where the text is no speech. */
  readonly speaker?: string;
  readonly text: string;
}

export interface DialogueQuestion {
  readonly id: string;
  /** Its class, which scores are reported by: the set's own question type, category or source. */
  readonly kind: string;
  readonly question: string;
  /** The gold answer, then others that count as right; none where the dialogue does not tell. */
  readonly answers: readonly string[];
  /** The turns that tell the answer, from 0; empty where the set does not say. */
  readonly evidence: readonly number[];
}

export interface Dialogue {
  readonly id: string;
  readonly turns: readonly DialogueTurn[];
  readonly questions: readonly DialogueQuestion[];
}

export interface DialogueWorldOptions extends Pick<EnvSpec, "id" | "version" | "parameters"> {
  readonly unit: "turn" | "session";
  readonly goal: string;
  readonly scorer: (answer: string, question: DialogueQuestion) => DialogueScore;
}

export interface DialogueScore extends AnswerScore {
  readonly score: number;
}

/**
 * Opens a dialogue. The reset shows all turns as `documents` and the first question; each
 * `finish[<answer>]` is scored and shows the next. The score is the sum over questions; the episode
 * is `won` if every score is 1, else `lost`. Turns after an answer have the sections `question`
 * (its id), `kind`, `answer` (as given), `em`, `f1` and `score`.
 * @throws {RangeError} if there is no question.
 */
export function openDialogue(
  { id: name, turns, questions }: Dialogue,
  options: DialogueWorldOptions,
): MeasuredEnvironment {
  const { id, version, parameters, unit, goal, scorer } = options;
  if (questions.length === 0) {
    throw new RangeError(`cannot open the dialogue ${name}: it has no question; give at least one`);
  }
  const asked: Turn = {
    goal,
    observation: questions[0]?.question ?? "",
    sections: {},
    documents: documentsOf(turns, unit),
    frames: [],
    score: 0,
    maxScore: questions.length,
  };
  let [done, total] = [0, 0];

  function answer(action: string): Turn {
    const [text, question] = [answerIn(action), questions[done] as DialogueQuestion];
    const { em, f1, score } = scorer(text, question);
    total += score;
    done += 1;
    const { documents: _, ...turn } = asked;
    return {
      ...turn,
      observation: questions[done]?.question ?? "All questions are answered.",
      sections: {
        question: question.id,
        kind: question.kind,
        answer: text,
        em: String(em),
        f1: String(f1),
        score: String(score),
      },
      score: total,
      ...(done < questions.length ? {} : { end: total === questions.length ? "won" : "lost" }),
    };
  }

  return createTaskSession({
    spec: {
      ...{ id, version, parameters },
      sections: ["question", "kind", "answer", "em", "f1", "score"],
      actions: [{
        name: "finish[{answer}]",
        params: ["answer"],
        description: "answer the question and get the next one",
        explores: false,
      }],
      fallback: finish("Unknown"),
      identity: hashOf({ turns, questions, unit, goal }),
    },
    name: `the dialogue ${name}`,
    asked,
    begin: () => void ([done, total] = [0, 0]),
    answer,
    truth: { id: name, questions },
  });
}

/**
 * The turns as an agent reads them. A title ends with a colon, so that it is read as the heading of
 * what follows.
 */
function documentsOf(turns: readonly DialogueTurn[], unit: "turn" | "session"): Document[] {
  const said = ({ speaker, text }: DialogueTurn): string =>
    speaker === undefined ? text : `${speaker}: ${text}`;
  const when = ({ date }: DialogueTurn): string => date === undefined ? "" : ` (${date})`;
  const sessions = [...Map.groupBy(turns, ({ session }) => session)];
  return sessions.flatMap(([session, own]) => {
    if (unit === "session") {
      return own.slice(0, 1).map((first) => ({
        title: `Session ${session}${when(first)}:`,
        text: own.map(said).join("\n"),
      }));
    }
    return own.map((turn, at) => ({
      title: `Session ${session}, turn ${at + 1}${when(turn)}:`,
      text: said(turn),
    }));
  });
}
