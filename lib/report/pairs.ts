/** Episodes of two sides of a comparison, paired by all that the sides share. */

import { UsageError } from "../errors.ts";
import type { ExperimentRow } from "./experiment.ts";

/** Two episodes that differ in what is compared alone. */
export interface RowPair {
  readonly mine: ExperimentRow;
  readonly theirs: ExperimentRow;
}

/**
 * Pairs the rows of two sides by game, seed and every factor that varies on both of them, such as the model of several studies. What varies on one side
 * alone is what that side is made of: each of its rows is held against the same one of the other.
 *
 * @throws {UsageError} if a row has two partners, with the factors in which these differ.
 */
export function pairsOf(ours: readonly ExperimentRow[], theirs: readonly ExperimentRow[]): RowPair[] {
  const shared = variedIn(ours).filter((name) => variedIn(theirs).includes(name));
  const keyOf = ({ game, seed, factors }: ExperimentRow): string =>
    JSON.stringify([game, seed, ...shared.map((name) => factors[name] ?? null)]);
  const partners = Map.groupBy(theirs, keyOf);
  return ours.flatMap((mine) => {
    const [first, ...more] = partners.get(keyOf(mine)) ?? [];
    const others = more.filter(({ episode }) => episode !== first?.episode); // an episode may stand in several places
    if (first && others.length > 0) {
      const factors = variedIn([first, ...others]);
      throw new UsageError(
        `cannot pair ${mine.condition} with ${first.condition}: ${
          others.length + 1
        } episodes of the latter are of ${mine.game}, seed ${mine.seed}` +
          (factors.length > 0 ? `, with other ${factors.join(", ")}; compare one at a time, or name it as a factor` : ""),
      );
    }
    return first ? [{ mine, theirs: first }] : [];
  });
}

/** The factors of which some rows have several levels. */
function variedIn(rows: readonly ExperimentRow[]): string[] {
  const names = [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))];
  return names.filter((name) => new Set(rows.map(({ factors }) => factors[name] ?? null)).size > 1);
}
