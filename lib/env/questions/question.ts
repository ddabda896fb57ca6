/**
 * A question over paragraphs, whatever set it comes from.
 *
 * @module
 */

import type { Document } from "../environment.ts";

/** One paragraph of a question. */
export interface Paragraph extends Document {
  /** Whether the set marks it as needed for the answer. */
  readonly supporting: boolean;
}

/** One question with its paragraphs and answer. */
export interface Question {
  /** The set's own id. */
  readonly id: string;
  /** As it is asked. */
  readonly question: string;
  /** In the set's own order. */
  readonly paragraphs: readonly Paragraph[];
  /** The gold answer. */
  readonly answer: string;
  /** Other answers that count as right; empty where the set has none. */
  readonly aliases: readonly string[];
}

/** A set of questions, each by its place in the set. */
export interface QuestionSet {
  /** How many there are. */
  size(): Promise<number>;
  /** The question at a place from 0. @throws {RangeError} beyond the last. */
  at(index: number): Promise<Question>;
}
