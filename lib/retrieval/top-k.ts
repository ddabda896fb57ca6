/**
 * Ranking by score.
 *
 * @module
 */

/**
 * The indices of the `k` highest scores, highest first. Ties keep the order of the indices or, with `ties: "last"`, reverse it.
 *
 * @param options `among` says which indices take part; all by default.
 */
export function topK(
  scores: ArrayLike<number>,
  k: number,
  { among = () => true, ties = "first" }: { readonly among?: (index: number) => boolean; readonly ties?: "first" | "last" } = {},
): number[] {
  const direction = ties === "first" ? 1 : -1;
  return Array.from(scores, (_, index) => index)
    .filter(among)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || direction * (a - b))
    .slice(0, k);
}
