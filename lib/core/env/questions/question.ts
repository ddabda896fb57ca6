/** A question over paragraphs, whatever set it comes from. */

import type { Document } from "../environment.ts";

export interface Paragraph extends Document {
  readonly supporting: boolean;
}

/** The sentences of a page that the set marks as needed for the answer. */
export interface Evidence {
  readonly title: string;
  /** Their texts, or where the set's file holds no texts, their numbers in the page, from 0. */
  readonly sentences: readonly (string | number)[];
}

export interface Question {
  readonly id: string;
  readonly question: string;
  readonly paragraphs: readonly Paragraph[];
  /** The gold answer, of a claim its label. */
  readonly answer: string;
  readonly aliases: readonly string[];
  /** The needed sentences, page by page; absent if the set marks whole paragraphs alone. */
  readonly evidence?: readonly Evidence[];
}

export interface QuestionSet {
  size(): Promise<number>;
  /** The question at an index from 0. @throws {RangeError} beyond the last. */
  at(index: number): Promise<Question>;
}
