/**
 * Long conversations in their official files: LongMemEval (Wu et al. 2024, arXiv 2410.10813) and
 * LoCoMo (Maharana et al. 2024, arXiv 2402.17753). Deviations:
 * `docs/explanation/deviations/dialogues.md` (D4 to D9).
 */

import { z } from "zod";
import wrongKeys from "../../../../data/library/locomo-wrong-keys.json" with { type: "json" };
import { UsageError } from "../../errors.ts";
import { LOCOMO_CATEGORIES, type LocomoCategory } from "../../text/dialogue-scores.ts";
import type { Dialogue, DialogueQuestion, DialogueTurn } from "./dialogue.ts";
import { type RecordSet, recordSet } from "./official-sets.ts";

export type DialogueFile = RecordSet<Dialogue>;

const answer = z.union([z.string(), z.number()]).transform(String);

export const LONGMEMEVAL_FILES = [
  "longmemeval_s",
  "longmemeval_m",
  "longmemeval_oracle",
  "longmemeval_s_cleaned",
  "longmemeval_m_cleaned",
] as const;

/**
 * LongMemEval: 500 questions, each about its own history, whose sessions are sorted by time.
 * Abstention questions (`_abs`) have no answer; `kind` is the question type.
 */
export function longMemEval(name: typeof LONGMEMEVAL_FILES[number]): DialogueFile {
  return recordSet({
    file: {
      ...{ folder: "longmemeval", file: `${name}.json`, records: 500 },
      publisher: "its authors (xiaowu0162/LongMemEval on GitHub)",
    },
    record: z.looseObject({
      question_id: z.string(),
      question_type: z.string(),
      question: z.string().min(1),
      answer,
      question_date: z.string(),
      haystack_dates: z.array(z.string()),
      haystack_sessions: z.array(
        z.array(
          z.looseObject({
            role: z.string(),
            content: z.string(),
            has_answer: z.boolean().nullish(),
          }),
        ),
      ).min(
        1,
      ),
    }),
    toItem: (
      {
        question_id: id,
        question_type,
        question,
        question_date,
        answer,
        haystack_dates,
        haystack_sessions,
      },
    ): Dialogue => {
      const sessions = haystack_sessions.map((turns, at) => ({
        turns,
        date: haystack_dates[at] ?? "",
      }))
        .sort((a, b) => a.date < b.date ? -1 : a.date > b.date ? 1 : 0);
      const told = sessions.flatMap(({ turns, date }, at) =>
        turns.map((turn) => ({ ...turn, session: at + 1, date }))
      );
      const isUnanswerable = id.endsWith("_abs");
      return {
        id,
        turns: told.map(({ session, date, role, content }) => ({
          session,
          date,
          speaker: role,
          text: content,
        })),
        questions: [{
          ...{
            id,
            kind: isUnanswerable ? "abstention" : question_type,
            question: `${question} (asked on ${question_date})`,
          },
          answers: isUnanswerable ? [] : [answer],
          evidence: told.flatMap(({ has_answer }, at) => has_answer ? [at] : []),
        }],
      };
    },
  });
}

const locomoTurn = z.looseObject({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().nullish(),
});

/**
 * LoCoMo: 10 conversations with about 200 questions each; `kind` is the category's name. A picture
 * is shown by its caption. Adversarial questions have no answer.
 * @param exclude `audit` leaves out the questions that an audit found wrong
 * (`data/library/locomo-wrong-keys.json`)
 */
export function locomo(exclude: "none" | "audit"): DialogueFile {
  return recordSet({
    file: {
      folder: "locomo",
      file: "locomo10.json",
      publisher: "its authors (snap-research/locomo on GitHub)",
      records: 10,
    },
    record: z.looseObject({
      sample_id: z.string(),
      conversation: z.record(z.string(), z.unknown()),
      qa: z.array(
        z.looseObject({
          question: z.string(),
          answer: answer.nullish(),
          evidence: z.array(z.string().nullable()).nullish(),
          category: z.literal(
            Object.keys(LOCOMO_CATEGORIES).map((key) => Number(key) as LocomoCategory),
          ),
        }).refine(
          ({ answer, category }) => typeof answer === "string" || category === 5,
          "a question has no answer",
        ),
      ).min(1),
    }),
    toItem: ({ sample_id: id, conversation, qa }, _, where): Dialogue => {
      const said = locomoTurns(conversation, where);
      const wrong: Readonly<Record<string, number>> = exclude === "audit"
        ? wrongKeys.keys[id as keyof typeof wrongKeys.keys] ?? {}
        : {};
      const asked = qa.map(
        (
          { question, answer, evidence, category },
          at,
        ): DialogueQuestion & { readonly keep: boolean } => {
          if (wrong[at] !== undefined && wrong[at] !== category) {
            throw new UsageError(
              `${where}: question ${at} is not the one of the audit; leave out exclude, or use the file of 2024`,
            );
          }
          const names = new Set(evidence?.flatMap((text) => turnNames(text ?? "")));
          const turns = [...names].flatMap((name) =>
            said.flatMap(({ name: own }, turn) => own === name ? [turn] : [])
          );
          return {
            ...{ id: `${id}-${at}`, kind: LOCOMO_CATEGORIES[category], question, evidence: turns },
            ...{ answers: category === 5 ? [] : [answer ?? ""], keep: wrong[at] === undefined },
          };
        },
      );
      return {
        id,
        turns: said.map(({ turn }) => turn),
        questions: asked.filter(({ keep }) => keep).map(({ keep: _, ...question }) => question),
      };
    },
  });
}

/**
 * The turns that a text names, as `D1:3`; the file also writes several in one text, `D30:05` and
 * `D:11:26`.
 */
function turnNames(text: string): string[] {
  return Array.from(
    text.matchAll(/D\s*:?\s*(\d+)\s*:\s*(\d+)/gi),
    ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
  );
}

function locomoTurns(
  conversation: Readonly<Record<string, unknown>>,
  where: string,
): { readonly name: string; readonly turn: DialogueTurn }[] {
  const numbers = Object.keys(conversation).flatMap((key) =>
    key.match(/^session_(\d+)$/)?.[1] ?? []
  ).map(Number).sort((a, b) => a - b);
  return numbers.flatMap((session) => {
    const turns = z.array(locomoTurn).safeParse(conversation[`session_${session}`]);
    if (!turns.success) {
      throw new UsageError(
        `${where}: session_${session} is not a list of turns; fetch the file again`,
      );
    }
    const date = conversation[`session_${session}_date_time`];
    return turns.data.map(({ dia_id, speaker, text, blip_caption }) => ({
      name: turnNames(dia_id)[0] ?? dia_id,
      turn: {
        ...{
          session,
          speaker,
          text: blip_caption ? `${text} (shows a picture: ${blip_caption})` : text,
        },
        ...(typeof date === "string" ? { date } : {}),
      },
    }));
  });
}
