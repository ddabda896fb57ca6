/**
 * What explains the published code's score on MuSiQue (AIRI-Institute/AriGraph, issue 3: 23.0 EM
 * and 35.1 F1, where Table 2 of the paper has 36.5 and 47.9)? One factor after the other is changed
 * on the same questions, and the published log is scored again. The result is in
 * `docs/explanation/deviations/arigraph.md`.
 */

import { existsSync, readFileSync } from "node:fs";
import { officialPath } from "../../core/env/questions/data-folder.ts";
import { musique } from "../../core/env/questions/official-sets.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import type { Options, Study } from "../../lab/study.ts";
import { numpyPermutation } from "../../core/stats/sampling.ts";
import { containedScore } from "../../core/text/dialogue-scores.ts";
import { countWords, musiqueScore, normaliseAnswer } from "../../core/text/qa-scores.ts";
import { checkNames, namedOr, paperStudy, type PartChoices } from "../study-options.ts";
import { ARIGRAPH_QUESTIONS } from "./questions.ts";

/** A factor at another level than Table 2's, the base. */
interface Condition {
  /** What `only` calls it. */
  readonly name: string;
  readonly memory?: string;
  readonly options?: Options;
  readonly method?: Options;
}

const BASE = "base";
const CONDITIONS: readonly Condition[] = [
  { name: BASE },
  { name: "titles", method: { titles: true } },
  ...[3, 12, 24].map((width): Condition => ({ name: `width-${width}`, options: { width } })),
  ...[1, 2, 5].map((depth): Condition => ({ name: `depth-${depth}`, options: { depth } })),
  { name: "k-0", options: { episodic: false } },
  ...[1, 4, 8].map((k): Condition => ({ name: `k-${k}`, options: { k } })),
  { name: "all-paragraphs", memory: "passages" },
];

/** Its label in tables. */
const labelOf = (name: string): string => name.replaceAll("-", " ");

/** Questions of the study; of the encyclopedia 50 of each seed. */
const QUESTIONS = 200;
const OF_A_SEED = 50;

/** Options of the study. */
export interface AttributionOptions extends Omit<PartChoices, "games" | "attempts"> {
  /** Questions asked, from the first, 1 … 200. @default {200} */
  readonly questions?: number;
}

/**
 * The study, as data: MuSiQue's 200 questions of Table 2 in preset `full`, which needs its file,
 * and 200 of the encyclopedia in `quick`. `only` names conditions. Another embedder makes another
 * study, with rows in the same table.
 *
 * @throws {UsageError} if `only` names no condition.
 *
 * @example
 * ```ts
 * import { attributionStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(attributionStudy({ questions: 20 }).chains.length, 20 * 13); // questions, conditions
 * ```
 */
export function attributionStudy(
  { questions = QUESTIONS, ...options }: AttributionOptions = {},
): Study {
  const { full = false, only = [] } = options;
  checkNames(only, CONDITIONS.map(({ name }) => name), "no condition of this study");
  const world = full ? "questions/musique" : "questions/encyclopedia";
  const sample = full
    ? numpyPermutation(42, 2417).slice(0, QUESTIONS).map((index): Options => ({ index }))
    : Array.from(
      { length: QUESTIONS },
      (_, at): Options => ({ seed: 1 + Math.floor(at / OF_A_SEED), index: at % OF_A_SEED }),
    );
  const chains = sample.slice(0, questions).flatMap((params) =>
    namedOr(CONDITIONS, only).map(({ name, memory = "arigraph", options = {}, method = {} }) => ({
      id: `${world} ${JSON.stringify(params)}|${labelOf(name)}`,
      episodes: [{
        ...{
          world,
          params,
          method: "answer",
          memory,
          condition: labelOf(name),
          attempt: 1,
          seed: 1,
        },
        options: {
          method,
          memory: memory === "arigraph" ? { ...ARIGRAPH_QUESTIONS, ...options } : options,
        },
      }],
    }))
  );
  const form = `attribution-arigraph${full ? "-full" : ""}${
    questions === QUESTIONS ? "" : `-n${questions}`
  }`;
  return paperStudy(form, options, 1, {
    title: "AriGraph on MuSiQue: which factor explains how many points?",
    chains,
  });
}

/** The authors' published log of MuSiQue: 200 questions, gpt-4o-mini. */
const LOG = {
  folder: "arigraph",
  file: "musique_gpt_mini.txt",
  publisher: "AriGraph's authors (AIRI-Institute/AriGraph on GitHub)",
};

/** Columns of `publishedAnswers`. */
export const PUBLISHED_ANSWERS_COLUMNS = {
  ...{ question: "text", answer: "text", gold: "text" },
  /** Exact match (0 or 1) and F1 in [0, 1] by MuSiQue's official rules. */
  ...{ em: "number", f1: "number" },
  /** Whether the gold answer is contained in the answer. */
  contained: "boolean",
  /** Words of the authors' pooled score: shared, of the answer, of the gold answer; 1 if equal. */
  ...{ shared: "integer", answered: "integer", wanted: "integer", equal: "integer" },
  /**
   * Whether the words of the gold answer are in the recalled triplets, and in the recalled
   * paragraphs.
   */
  ...{ in_graph: "boolean", in_episodes: "boolean" },
  /** Whether the model answered that it does not know. */
  unknown: "boolean",
} as const satisfies FrameSchema;

/**
 * The answers of the authors' published log of MuSiQue (gpt-4o-mini), scored again: a row a
 * question; those that were begun twice count once. Aliases count where the user has MuSiQue.
 * `undefined` where the data folder lacks the log (`arigraph/musique_gpt_mini.txt`). Columns:
 * `PUBLISHED_ANSWERS_COLUMNS`.
 *
 * @example
 * ```ts
 * import { publishedAnswers } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const answers = publishedAnswers();
 * assert.ok(answers === undefined || answers.columns.includes("in_graph"));
 * ```
 */
export function publishedAnswers(): DataFrame | undefined {
  const path = officialPath(LOG);
  if (!existsSync(path)) return undefined;
  const aliases = musiqueAliases();
  const rows = readFileSync(path, "utf8").split(/^QUESTION: /m).slice(1).flatMap((block) => {
    const [, reply, gold] = block.match(/^AGENT ANSWER: ([^]*?)^TRUE ANSWER: (.*)$/m) ?? [];
    if (reply === undefined || gold === undefined) return []; // a question that was begun and broken off
    const told = (name: string): boolean =>
      contains(block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "", gold);
    const question = block.split("\n")[0] ?? "";
    const answer = (reply.split("Direct answer:").at(-1) ?? "").trim();
    const golds = [gold, ...aliases.get(question) ?? []];
    return [{
      ...{
        question,
        answer,
        gold,
        ...musiqueScore(answer, golds),
        contained: containedScore(answer, golds).contained === 1,
      },
      ...countWords(answer, gold),
      ...{
        in_graph: told("ASSOCIATED SUBGRAPH"),
        in_episodes: told("EPISODIC MEMORY"),
        unknown: /^\W*unknown/i.test(answer),
      },
    }];
  });
  return frameOf(rows, PUBLISHED_ANSWERS_COLUMNS);
}

function contains(text: string, gold: string): boolean {
  return ` ${normaliseAnswer(text.replaceAll(",", " "))} `.includes(` ${normaliseAnswer(gold)} `);
}

/** Question → its aliases, where the user has MuSiQue. */
function musiqueAliases(): Map<string, readonly string[]> {
  const path = officialPath(musique.file);
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").split("\n").filter((line) => line.trim() !== "");
  return new Map(
    lines.map((line) => JSON.parse(line)).map((
      { question, answer_aliases },
    ) => [question, answer_aliases]),
  );
}
