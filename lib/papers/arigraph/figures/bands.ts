/**
 * Bands over steps, for lines.
 *
 * @module
 */

/** The values of `n` attempts after a step. */
export type Band = Readonly<Record<"step" | "n" | "mean" | "least" | "most", number>>;

/**
 * Summarises attempts for each step; one that ended keeps its last value.
 *
 * @param attempts the values of each after its steps, from step 0
 * @param steps the last step, by default that of the longest attempt
 */
export function bandsOf(
  attempts: readonly (readonly number[])[],
  steps = Math.max(...attempts.map(({ length }) => length - 1)),
): Band[] {
  return Array.from({ length: steps + 1 }, (_, step) => {
    const values = attempts.map((attempt) => attempt[step] ?? attempt.at(-1) ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { step, n: values.length, mean, least: Math.min(...values), most: Math.max(...values) };
  });
}
