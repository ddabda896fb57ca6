/** Episodes of two sides of a comparison, paired by all that the sides share. */

import { UsageError } from "../core/errors.ts";
import type { ExperimentRow } from "./experiment.ts";

/** Two episodes that differ in what is compared alone. */
export interface RowPair {
  /** The episode that is held against the other. */
  readonly mine: ExperimentRow;
  /** The one that it is held against. */
  readonly theirs: ExperimentRow;
}

/**
 * Pairs the rows of two sides by game, seed and every factor that varies and has levels on both of them, such as the model of several studies. A factor
 * without a level in common is what is compared, or what one side is made of: each of its rows is held against the same one of the other. Episodes of
 * two models are a pair only where models are `compared`.
 *
 * @throws {UsageError} if a row has two partners, with the factors in which these differ.
 */
export function pairsOf(ours: readonly ExperimentRow[], theirs: readonly ExperimentRow[], compared?: string): RowPair[] {
  const shared = factorsOf([...ours, ...theirs]).filter((name) => {
    const [mine, others] = [levelsOf(ours, name), levelsOf(theirs, name)];
    if (name === "model" && compared !== name) return true;
    return mine.size + others.size > 2 && [...mine].some((level) => others.has(level));
  });
  const keyOf = ({ game, seed, factors }: ExperimentRow): string =>
    JSON.stringify([game, seed, ...shared.map((name) => factors[name] ?? null)]);
  const partners = Map.groupBy(theirs, keyOf);
  return ours.flatMap((mine) => {
    const [first, ...more] = partners.get(keyOf(mine)) ?? [];
    const others = more.filter(({ episode }) => episode !== first?.episode); // an episode may stand in several places
    if (first && others.length > 0) {
      const some = [first, ...others];
      const varied = factorsOf(some).filter((name) => levelsOf(some, name).size > 1);
      throw new UsageError(
        `cannot pair ${mine.condition} with ${first.condition}: ${some.length} episodes of the latter are of ${mine.game}, seed ${mine.seed}` +
          (varied.length > 0 ? `, with other ${varied.join(", ")}; compare one at a time, or name it as a factor` : ""),
      );
    }
    return first ? [{ mine, theirs: first }] : [];
  });
}

function factorsOf(rows: readonly ExperimentRow[]): string[] {
  return [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))];
}

function levelsOf(rows: readonly ExperimentRow[], name: string): Set<ExperimentRow["factors"][string]> {
  return new Set(rows.map(({ factors }) => factors[name] ?? null));
}
