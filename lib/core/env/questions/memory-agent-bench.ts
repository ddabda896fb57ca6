/** MemoryAgentBench in its official files (Hu et al. 2025, arXiv 2507.05257). */

import { statSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { memoizeLast } from "../../text/memoize.ts";
import { loadTokenCounter } from "../../text/tokens.ts";
import { type OfficialFile, requireFile } from "./data-folder.ts";
import type { Dialogue } from "./dialogue.ts";
import { parseRecord } from "./official-sets.ts";
import { stampOf } from "./record-file.ts";
import type { DialogueFile } from "./dialogue-sets.ts";

const MEMORY_AGENT_RECORDS = {
  Accurate_Retrieval: 22,
  Test_Time_Learning: 6,
  Long_Range_Understanding: 110,
  Conflict_Resolution: 8,
};

type Split = keyof typeof MEMORY_AGENT_RECORDS;

export const MEMORY_AGENT_SPLITS = Object.keys(MEMORY_AGENT_RECORDS) as Split[];

const memoryAgentRecord = z.looseObject({
  context: z.string().min(1),
  questions: z.array(z.string()).min(1),
  answers: z.array(z.array(z.string())),
  metadata: z.looseObject({ source: z.string(), qa_pair_ids: z.array(z.string()).nullish() }),
}).refine(
  ({ questions, answers }) =>
    questions.length === answers.length && answers.every(({ length }) => length > 0),
  "a question has no answer",
);

/**
 * MemoryAgentBench: a long text read piece by piece, then all questions about it; `kind` is the
 * source.
 *
 * @param chunk tokens (o200k) of a piece, at most, unless one sentence alone has more
 */
export function memoryAgent(split: Split, chunk: number): DialogueFile {
  const file: OfficialFile = {
    ...{
      folder: "memory-agent-bench",
      file: `${split}-00000-of-00001.parquet`,
      records: MEMORY_AGENT_RECORDS[split],
    },
    publisher: "its authors (ai-hyz/MemoryAgentBench on Hugging Face, data/)",
  };
  return {
    file,
    size: async () => (await readParquet(requireFile(file))).length,
    async at(index): Promise<Dialogue> {
      const path = requireFile(file);
      const rows = await readParquet(path);
      if (index >= rows.length) {
        throw new RangeError(`${path} has ${rows.length} records, none at index ${index}`);
      }
      const { context, questions, answers, metadata } = parseRecord(
        memoryAgentRecord,
        rows[index],
        `${path}, record ${index + 1}`,
        file,
      );
      const id = (at: number): string =>
        metadata.qa_pair_ids?.[at] ?? `${metadata.source}-${index}-${at}`;
      return {
        id: `${split}-${index}`,
        turns: (await pieces(context, chunk)).map((text, at) => ({ session: at + 1, text })),
        questions: questions.map((question, at) => ({
          id: id(at),
          kind: metadata.source,
          question,
          answers: answers[at] ?? [],
          evidence: [],
        })),
      };
    },
  };
}

const lastParquet = memoizeLast<Promise<unknown[]>>();

function readParquet(path: string): Promise<unknown[]> {
  return lastParquet(`${path} ${stampOf(statSync(path))}`, async () => {
    const { asyncBufferFromFile, parquetReadObjects } = await import("hyparquet");
    try {
      return await parquetReadObjects({ file: await asyncBufferFromFile(path) });
    } catch (error) {
      throw new UsageError(
        `cannot read ${path}: ${(error as Error).message}; fetch the file again`,
        { cause: error },
      );
    }
  });
}

async function pieces(text: string, most: number): Promise<string[]> {
  const count = await loadTokenCounter();
  const found: string[] = [];
  let tokens = Infinity;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
    const own = count(segment);
    if (tokens + own > most) [tokens, found[found.length]] = [0, ""];
    found[found.length - 1] += segment;
    tokens += own;
  }
  return found.map((piece) => piece.trim()).filter((piece) => piece !== "");
}
