/** The dialogues, which need no server: public sets where a user has their files. */

import { z } from "zod";
import { WorldError } from "../../errors.ts";
import {
  containedScore,
  LOCOMO_CATEGORIES,
  type LocomoCategory,
  locomoScore,
} from "../../text/dialogue-scores.ts";
import { normaliseAnswer } from "../../text/qa-scores.ts";
import { type DialogueWorldOptions, openDialogue } from "./dialogue.ts";
import { type DialogueFile, locomo, longMemEval, LONGMEMEVAL_FILES } from "./dialogue-sets.ts";
import { MEMORY_AGENT_SPLITS, memoryAgent } from "./memory-agent-bench.ts";
import { checkedAt, localWorld, type LocalWorlds } from "./local-world.ts";

type Scorer = DialogueWorldOptions["scorer"];

const UNTOLD = "Unknown";

const GOAL =
  `Answer questions about what you have read, with its own words where they serve. If it does not tell, the answer is ${UNTOLD}.`;

/** Whether the answer contains a gold answer (D6). */
const contained: Scorer = (answer, { answers }) => {
  const { contained, ...scores } = containedScore(answer, answers.length > 0 ? answers : [UNTOLD]);
  return { ...scores, score: contained };
};

/** LoCoMo's F1; "Unknown", whatever its case, stands for its "not mentioned" (D3). */
const locomoF1: Scorer = (answer, { kind, answers: [gold = ""] }) => {
  const category = Number(
    Object.entries(LOCOMO_CATEGORIES).find(([, name]) => name === kind)?.[0],
  ) as LocomoCategory;
  const isUntold = normaliseAnswer(answer) === normaliseAnswer(UNTOLD);
  const scores = locomoScore(isUntold ? "not mentioned" : answer, gold, category);
  return { ...scores, score: scores.f1 };
};

/**
 * MemoryAgentBench's main measure of a source: exact match, all parts of the answer, or a gold
 * answer contained.
 */
const memoryAgentScore: Scorer = (answer, question) => {
  const scored = contained(answer, question);
  if (/^(?:icl|detective)/.test(question.kind)) return { ...scored, score: scored.em };
  if (!question.kind.startsWith("eventqa")) return scored;
  const said = answer.toLowerCase();
  return {
    ...scored,
    score: Number(question.answers.every((part) => said.includes(part.toLowerCase()))),
  };
};

/** Sources that MemoryAgentBench scores by a model, or against a list of films (D9). */
const UNSCORED = /^(?:infbench|longmemeval|recsys)/;

const common = {
  unit: z.enum(["turn", "session"]).default("turn").describe("what is read at a time"),
};
const index = (most: number): z.ZodType<number> =>
  z.int().min(0).max(most).describe("place of the dialogue in the file, from 0");

interface SetOptions<Params> {
  readonly doc: string;
  readonly schema: z.ZodType<Params>;
  readonly scorer: Scorer;
  readonly set: (params: Params) => DialogueFile;
  readonly files: readonly DialogueFile[];
  /** Goes up with the rules of reading and scoring. @default {"1"} */
  readonly version?: string;
}

function official<Params extends { readonly index: number; readonly unit?: "turn" | "session" }>(
  id: string,
  { doc, schema, scorer, set, files, version = "1" }: SetOptions<Params>,
): LocalWorlds {
  return localWorld(id, {
    doc,
    schema,
    files: files.map(({ file }) => file),
    open: async (parameters) => {
      const dialogue = await checkedAt(id, set(parameters), parameters.index, "dialogue");
      const unscored = dialogue.questions.find(({ kind }) => UNSCORED.test(kind));
      if (unscored) {
        throw new WorldError(
          "bad-parameter",
          `${id} cannot score ${unscored.kind}, which needs a judge or a list: give another index`,
        );
      }
      const { unit = "turn" } = parameters;
      return openDialogue(dialogue, { id, version, parameters, unit, goal: GOAL, scorer });
    },
  });
}

export const DIALOGUE_WORLDS: LocalWorlds = {
  ...official("dialogues/locomo", {
    doc: "LoCoMo: 10 conversations of two people; scored as LoCoMo",
    schema: z.strictObject({
      index: index(9),
      exclude: z.enum(["none", "audit"]).default("none").describe(
        "audit: without the 99 questions whose answer an audit found wrong",
      ),
      ...common,
    }),
    scorer: locomoF1,
    set: ({ exclude }) => locomo(exclude),
    files: [locomo("none")],
    version: "2",
  }),
  ...official("dialogues/longmemeval", {
    doc:
      "LongMemEval: a question about a long history with an assistant; right if the answer contains the gold answer",
    schema: z.strictObject({
      index: index(499),
      set: z.enum(LONGMEMEVAL_FILES).default("longmemeval_s").describe(
        "the file, without its ending",
      ),
      ...common,
    }),
    scorer: contained,
    set: ({ set }) => longMemEval(set),
    files: LONGMEMEVAL_FILES.map(longMemEval),
  }),
  ...official("dialogues/memory-agent", {
    doc:
      "MemoryAgentBench: questions about a long text that is read piece by piece; scored as MemoryAgentBench, without the tasks that need a judge",
    schema: z.strictObject({
      index: index(109),
      split: z.enum(MEMORY_AGENT_SPLITS).default("Conflict_Resolution").describe("the part"),
      chunk: z.int().min(64).max(100_000).default(4096).describe("maximum of tokens in a piece"),
    }),
    scorer: memoryAgentScore,
    set: ({ split, chunk }) => memoryAgent(split, chunk),
    files: MEMORY_AGENT_SPLITS.map((split) => memoryAgent(split, 4096)),
  }),
};
