/** The part of a large graph that is drawn. */

/** Triplets from which on only a part of a graph is drawn. */
export const MOST = 3000;

/** The indices of the drawn part: marked triplets, then the newest, at most `most`, in order. */
export function partOf(looks: ReadonlyMap<number, string>, most = MOST): number[] {
  const marked = [...looks].filter(([, look]) => look !== "plain").map(([at]) => at);
  const plain = [...looks].filter(([, look]) => look === "plain").map(([at]) => at);
  return [marked, plain].flatMap((some) => some.sort((a, b) => b - a)).slice(0, most).sort((a, b) =>
    a - b
  );
}
