/**
 * The retrieval score of a memory stream (Park et al. 2023, *Generative Agents*, arXiv 2304.03442,
 * §4.1), with the decay of AriGraph's baseline (Anokhin et al. 2024, arXiv 2407.04363, §4:
 * "Simulacra").
 *
 *   score = α_recency · recency′ + α_importance · importance′ + α_relevance · relevance′
 *   recency = δ^age,   x′ = (x − min x) / (max x − min x) over the memories that are scored
 *
 * | paper | here | range |
 * |---|---|---|
 * | δ | `decay` | (0, 1] a step; 0.99 in AriGraph's code, 0.995 an hour in Park et al. |
 * | time since … | `age` | steps, ≥ 0 |
 * | importance | `importance` | 1 … 10, as the model rated it |
 * | relevance | `similarity` | cosine, −1 … 1 |
 * | α | 1, as in both papers | |
 */

export interface StreamMemory {
  /** Steps since the memory was made or, in Park et al., last recalled; ≥ 0. */
  readonly age: number;
  readonly importance: number;
  /** Cosine of memory and cue, −1 … 1. */
  readonly similarity: number;
}

/**
 * The score of each memory, in order. A term that is equal for all memories counts 0.
 *
 * @throws {RangeError} if `decay` does not lie in (0, 1].
 */
export function streamScores(
  memories: readonly StreamMemory[],
  { decay }: { readonly decay: number },
): Float64Array {
  if (!(decay > 0 && decay <= 1)) {
    throw new RangeError(
      `cannot score memories: decay must lie in (0, 1], current value is ${decay}`,
    );
  }
  const recency = scaled(memories.map(({ age }) => decay ** age));
  const importance = scaled(memories.map((memory) => memory.importance));
  const relevance = scaled(memories.map(({ similarity }) => similarity));
  return Float64Array.from(
    memories,
    (_, i) => (recency[i] as number) + (importance[i] as number) + (relevance[i] as number),
  );
}

function scaled(values: readonly number[]): number[] {
  const min = values.reduce((a, b) => Math.min(a, b), Infinity);
  const range = values.reduce((a, b) => Math.max(a, b), -Infinity) - min;
  return values.map((value) => range > 0 ? (value - min) / range : 0);
}
