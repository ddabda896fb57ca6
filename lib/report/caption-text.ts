/** How captions name counts and seeds. */

/** "30 trials" where all counts are the same, "30 to 36 trials" where they are not; "1 trial", and "0 trials" where there is none. */
export function countText(counts: readonly number[], noun: string): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const range = counts.length === 0 ? "0" : least === most ? `${least}` : `${least} to ${most}`;
  return `${range} ${noun}${range === "1" ? "" : "s"}`;
}

/** "seed 1", "seeds 1, 2, 3", "seeds 1 … 30": those of some rows, in order; of more than `most` the first and the last. "no seed" of no row. */
export function seedsText(rows: readonly { readonly seed?: string }[], most = Infinity): string {
  const seeds = [...new Set(rows.map(({ seed }) => seed ?? "unknown"))].sort((a, b) => Number(a) - Number(b));
  if (seeds.length === 0) return "no seed";
  const named = seeds.length > most ? `${seeds[0]} … ${seeds.at(-1)}` : seeds.join(", ");
  return `${seeds.length === 1 ? "seed" : "seeds"} ${named}`;
}

/** How many episodes stand behind each of a figure's marks (`mark`: what one is, in one word), and their seeds; equal rows count once. */
export function sampleText(
  rows: readonly { readonly episode: string; readonly game: string; readonly condition: string; readonly seed?: string }[],
  mark: string,
): string {
  const groups = Map.groupBy(rows, ({ game, condition }) => JSON.stringify([game, condition]));
  const counts = [...groups.values()].map((group) => new Set(group.map(({ episode }) => episode)).size);
  return `n = ${countText(counts, "attempt")} a ${mark}, ${seedsText(rows, 8)}`;
}

/** A backbone as titles and captions name it: `offline` is the stand-in, `offline-weak` a weaker one; every other model has its own name. */
export function playerName(backbone: string): string {
  return backbone.replaceAll(/(?<=^|\+)offline\b/g, "stand-in");
}
