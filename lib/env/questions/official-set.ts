/**
 * A question set in its official file.
 *
 * @module
 */

import type { z } from "zod";
import { UsageError } from "../../errors.ts";
import { type OfficialFile, requireFile } from "./data-folder.ts";
import type { Question, QuestionSet } from "./question.ts";
import { openRecordFile } from "./record-file.ts";

/** How the records of a file become questions. */
export interface OfficialSetOptions<Record> {
  readonly file: OfficialFile;
  readonly record: z.ZodType<Record>;
  readonly toQuestion: (record: Record, index: number) => Question;
}

/** The set; the file is read as it is asked for. Both calls throw `UsageError` naming the file (and line) where it is not as it should be. */
export function officialSet<Record>({ file, record, toQuestion }: OfficialSetOptions<Record>): QuestionSet {
  return {
    size: async () => (await openRecordFile(requireFile(file))).size,
    async at(index): Promise<Question> {
      const { value, where } = await (await openRecordFile(requireFile(file))).read(index);
      const parsed = record.safeParse(value);
      if (parsed.success) {
        const question = toQuestion(parsed.data, index);
        if (question.answer.trim() !== "") return question;
        // an agent that gives up with nothing would be right
        throw new UsageError(
          `${where}: answer: this question has none, so that nothing can be scored; take the file whose answers are public`,
        );
      }
      const [issue] = parsed.error.issues;
      throw new UsageError(
        `${where}: ${
          issue?.path.join(".") || "the record"
        }: ${issue?.message}; the file must be ${file.file} as ${file.publisher} gives it`,
      );
    },
  };
}
