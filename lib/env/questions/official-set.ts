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

/** A question set that a user brings as a file. */
export interface OfficialSet extends QuestionSet {
  /** The file, of which the questions are read as they are asked for. */
  readonly file: OfficialFile;
}

/** How the records of a file become questions. */
export interface OfficialSetOptions<Record> extends Pick<OfficialSet, "file"> {
  readonly record: z.ZodType<Record>;
  readonly toQuestion: (record: Record, index: number) => Question;
}

/** The set of a file. Both calls throw `UsageError` with the file (and line) if it is missing or not as its publisher gives it. */
export function officialSet<Record>({ file, record, toQuestion }: OfficialSetOptions<Record>): OfficialSet {
  return {
    file,
    size: async () => (await openRecordFile(requireFile(file))).size,
    async at(index): Promise<Question> {
      const { value, where } = await (await openRecordFile(requireFile(file))).read(index);
      const parsed = record.safeParse(value);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const field = issue?.path.join(".") || "the record";
        throw new UsageError(`${where}: ${field}: ${issue?.message}; the file must be ${file.file} as ${file.publisher} gives it`);
      }
      const question = toQuestion(parsed.data, index);
      if (question.answer.trim() !== "") return question;
      // an agent that gives up with nothing would be right
      throw new UsageError(
        `${where}: answer: this question has none, so that nothing can be scored; take the file whose answers are public`,
      );
    },
  };
}
