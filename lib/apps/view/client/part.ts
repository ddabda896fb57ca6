/** The part of a large graph that is drawn. */

/**
 * A graph of more triplets is drawn only in part, unless somebody asks for all: that takes long
 * without a graphics card.
 */
export const MOST = 3000;

/**
 * The triplets of a part by their indices in the whole: the marked ones, then the newest, `most` at
 * most, in order.
 */
export function partOf(looks: ReadonlyMap<number, string>, most = MOST): number[] {
  const marked = [...looks].filter(([, look]) => look !== "plain").map(([at]) => at);
  const plain = [...looks].filter(([, look]) => look === "plain").map(([at]) => at);
  return [marked, plain].flatMap((some) => some.sort((a, b) => b - a)).slice(0, most).sort((a, b) =>
    a - b
  );
}
