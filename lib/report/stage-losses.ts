/** The losses of a score by stage: what it gains as one stage of a step after the other is given to the perfect reader. */

import { mean } from "simple-statistics";
import { meanInterval } from "../stats/intervals.ts";
import type { MaybeInterval } from "./estimate.ts";
import type { Cell } from "./table.ts";

/** What a stage had lost: the mean gain over games, with Student's interval where there are several. */
export interface StageLoss extends MaybeInterval {
  /** A stage; `scored`: what was reached with no stage perfect; `rest`: what is missing to 1 with all of them perfect. */
  readonly stage: string;
  readonly value: number;
  readonly games: number;
}

/**
 * The losses over the games that all plays completed; none where there is no such game.
 *
 * @param played the score of each game: first with no stage perfect, then with one stage more each
 */
export function stageLosses<Game>(played: readonly ReadonlyMap<Game, number>[], stages: readonly string[]): StageLoss[] {
  const games = [...played[0]?.keys() ?? []].filter((game) => played.every((scores) => scores.has(game)));
  if (games.length === 0) return [];
  const at = (step: number): number[] => games.map((game) => played[step]?.get(game) ?? NaN);
  const lossOf = (stage: string, values: readonly number[], least: number): StageLoss => ({
    ...{ stage, value: mean([...values]), games: games.length },
    ...(values.length > 1 ? meanInterval(values, { range: [least, 1] }) : {}),
  });
  return [
    lossOf("scored", at(0), 0),
    ...stages.map((stage, i) => lossOf(stage, at(i + 1).map((score, game) => score - (at(i)[game] ?? NaN)), -1)),
    lossOf("rest", at(stages.length).map((score) => 1 - score), 0),
  ];
}

/** A loss as a cell of a table. */
export function lossCell({ value = NaN, low, high, games }: Partial<StageLoss> = {}): Cell {
  return low === undefined || high === undefined ? { value, digits: 2 } : { value, low, high, digits: 2, n: games };
}
