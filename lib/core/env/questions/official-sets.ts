/**
 * Question sets that a user brings in their official files: HotpotQA (Yang et al. 2018, arXiv
 * 1809.09600), MuSiQue (Trivedi et al. 2022, arXiv 2108.00573) and FEVER (Thorne et al. 2018, arXiv
 * 1803.05355).
 */

import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { type OfficialFile, requireFile } from "./data-folder.ts";
import { CLAIM_LABELS } from "./encyclopedia-tasks.ts";
import type { Evidence, Question, QuestionSet } from "./question.ts";
import { openRecordFile } from "./record-file.ts";
import { titleOfPage } from "./wiki-record.ts";

/**
 * A set that a user brings as a file; both calls throw `UsageError` with the file (and line) if it
 * is missing or not as its publisher gives it.
 */
export interface RecordSet<Item> {
  readonly file: OfficialFile;
  size(): Promise<number>;
  at(index: number): Promise<Item>;
}

interface RecordSetOptions<Record, Item> extends Pick<RecordSet<Item>, "file"> {
  readonly record: z.ZodType<Record>;
  readonly toItem: (record: Record, index: number, where: string) => Item;
}

export function recordSet<Record, Item>(
  { file, record, toItem }: RecordSetOptions<Record, Item>,
): RecordSet<Item> {
  return {
    file,
    size: async () => (await openRecordFile(requireFile(file))).size,
    async at(index): Promise<Item> {
      const { value, where } = await (await openRecordFile(requireFile(file))).read(index);
      return toItem(parseRecord(record, value, where, file), index, where);
    },
  };
}

/** A question set that a user brings as a file. */
export interface OfficialSet extends QuestionSet {
  /** The file, of which the questions are read as they are asked for. */
  readonly file: OfficialFile;
}

/**
 * Creates the set of a file whose questions all have an answer: without one, an agent that gives up
 * would be right.
 */
function officialSet<Record>(
  { toQuestion, ...options }: Omit<RecordSetOptions<Record, Question>, "toItem"> & {
    readonly toQuestion: (record: Record, index: number) => Question;
  },
): OfficialSet {
  return recordSet({
    ...options,
    toItem: (record, index, where) => {
      const question = toQuestion(record, index);
      if (question.answer.trim() !== "") return question;
      throw new UsageError(
        `${where}: answer: this question has none, so it cannot be scored; use the file with public answers`,
      );
    },
  });
}

export function parseRecord<Record>(
  schema: z.ZodType<Record>,
  value: unknown,
  where: string,
  { file, publisher }: OfficialFile,
): Record {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "the record";
  throw new UsageError(
    `${where}: ${field}: ${issue?.message}; the file must be ${file} as ${publisher} gives it`,
  );
}

/**
 * HotpotQA's development set with distractors, in its own order: 7405 two-hop questions over 10
 * paragraphs each, one JSON array. A paragraph is its sentences joined; it supports if one of them
 * is a supporting fact.
 */
export const hotpotqa: OfficialSet = officialSet({
  file: {
    folder: "hotpotqa",
    file: "hotpot_dev_distractor_v1.json",
    publisher: "its authors (hotpotqa.github.io)",
    records: 7405,
  },
  record: z.looseObject({
    _id: z.string(),
    question: z.string(),
    answer: z.string(),
    supporting_facts: z.array(z.tuple([z.string(), z.int()])),
    context: z.array(z.tuple([z.string(), z.array(z.string())])).min(1),
  }),
  toQuestion: ({ _id, question, answer, supporting_facts, context }) => {
    const titles = new Set(supporting_facts.map(([title]) => title));
    return {
      id: _id,
      question,
      answer,
      aliases: [],
      evidence: context.filter(([title]) => titles.has(title)).map(([title, sentences]) => ({
        title,
        // a few facts number a sentence that the paragraph does not have
        sentences: sentences.filter((_, at) =>
          supporting_facts.some(([of, line]) => of === title && line === at)
        ).map((text) => text.trim()),
      })),
      paragraphs: context.map(([title, sentences]) => ({
        title,
        text: sentences.join("").trim(),
        supporting: titles.has(title),
      })),
    };
  },
});

/**
 * The same questions in the same order without paragraphs, as ReAct's authors publish them; a
 * question's id is its index.
 */
export const hotpotqaSimplified: OfficialSet = officialSet({
  file: {
    folder: "hotpotqa",
    file: "hotpot_dev_v1_simplified.json",
    publisher: "the authors of ReAct (ysymyth/ReAct on GitHub, data/)",
    records: 7405,
  },
  record: z.looseObject({ question: z.string().min(1), answer: z.string() }),
  toQuestion: ({ question, answer }, index) => ({
    id: String(index),
    question,
    answer,
    aliases: [],
    paragraphs: [],
  }),
});

/**
 * The answerable part of MuSiQue's development set, in its own order: 2417 questions of 2 to 4 hops
 * over 20 paragraphs each, JSON Lines.
 */
export const musique: OfficialSet = officialSet({
  file: {
    folder: "musique",
    file: "musique_ans_v1.0_dev.jsonl",
    publisher: "its authors (StonyBrookNLP/musique on GitHub)",
    records: 2417,
  },
  record: z.looseObject({
    id: z.string(),
    question: z.string(),
    answer: z.string(),
    answer_aliases: z.array(z.string()),
    paragraphs: z.array(
      z.looseObject({ title: z.string(), paragraph_text: z.string(), is_supporting: z.boolean() }),
    ).min(1),
  }),
  toQuestion: ({ id, question, answer, answer_aliases, paragraphs }) => ({
    id,
    question,
    answer,
    aliases: answer_aliases,
    paragraphs: paragraphs.map(({ title, paragraph_text, is_supporting }) => ({
      title,
      text: paragraph_text,
      supporting: is_supporting,
    })),
  }),
});

/**
 * An annotation, its evidence, a page and a line in it; page and line are null of a claim that
 * nothing decides.
 */
const sentence = z.tuple([z.unknown(), z.unknown(), z.string().nullable(), z.int().nullable()]);

/**
 * The development set of FEVER's paper, in its own order: 9999 claims, 3333 of each label, JSON
 * Lines. The answer is the label. The file has no texts, but names the deciding sentences of
 * Wikipedia by page and line.
 */
export const fever: OfficialSet = officialSet({
  file: {
    folder: "fever",
    file: "paper_dev.jsonl",
    publisher: "its authors (fever.ai)",
    records: 9999,
  },
  record: z.looseObject({
    id: z.int(),
    label: z.enum(CLAIM_LABELS),
    claim: z.string().min(1),
    evidence: z.array(z.array(sentence)).default([]),
  }),
  toQuestion: ({ id, label, claim, evidence }) => ({
    ...{ id: String(id), question: claim, answer: label, aliases: [], paragraphs: [] },
    evidence: evidenceOf(evidence),
  }),
});

function evidenceOf(sets: readonly (readonly z.output<typeof sentence>[])[]): Evidence[] {
  const named = sets.flat().flatMap(([, , page, line]) =>
    page === null || line === null ? [] : [{ page, line }]
  );
  return [...Map.groupBy(named, ({ page }) => page)].map(([page, lines]) => ({
    title: titleOfPage(page),
    sentences: [...new Set(lines.map(({ line }) => line))].sort((a, b) => a - b),
  }));
}
