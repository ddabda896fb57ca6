/** A question over paragraphs, whatever set it comes from. */

import type { Document } from "../environment.ts";

/** One paragraph of a question. */
export interface Paragraph extends Document {
  /** Whether the set marks the paragraph as needed for the answer. */
  readonly supporting: boolean;
}

/** The sentences of a page that the set marks as needed for the answer. */
export interface Evidence {
  /** Title of the page. */
  readonly title: string;
  /** Their texts, or where the set's file holds no texts, their numbers in the page, from 0. */
  readonly sentences: readonly (string | number)[];
}

/** One question with its paragraphs and answer. */
export interface Question {
  /** The set's own id. */
  readonly id: string;
  /** The wording of the question. */
  readonly question: string;
  /** Its paragraphs, in the set's own order. */
  readonly paragraphs: readonly Paragraph[];
  /** The gold answer, of a claim its label. */
  readonly answer: string;
  /** Other answers that count as right; empty if the set has none. */
  readonly aliases: readonly string[];
  /** The needed sentences, page by page; absent if the set marks whole paragraphs alone. */
  readonly evidence?: readonly Evidence[];
}

/** A set of questions, read one at a time. */
export interface QuestionSet {
  /** Number of questions. */
  size(): Promise<number>;
  /** The question at an index from 0. @throws {RangeError} beyond the last. */
  at(index: number): Promise<Question>;
}
