/**
 * Where a memory loses: the stages of a step are given to the perfect reader one after the other, as `lib/papers/evidence/attribution.ts` does for
 * AriGraph; what the score gains is what the stage had lost. Scored, stages and rest add up to 1.
 */

import { mean } from "simple-statistics";
import { tInterval } from "../stats/intervals.ts";
import type { Cell, Table } from "../report/table.ts";
import type { Bench } from "./plan.ts";
import { PROTOCOL } from "./protocol.ts";
import type { BenchTrial } from "./trials.ts";

/** The beginning of the ids of all tables of a benchmark, which are the names of their files. */
export function tableId({ form, isHeldBack }: Bench, table: string): string {
  return `memory-bench-${form}${isHeldBack ? "-held-back" : ""}-${table}`;
}

/** The losses of each memory and reader by stage; a stage that a memory has no role in is "–". */
export function lossTable(bench: Bench, trials: readonly BenchTrial[]): Table {
  const { studies, memories, readers } = bench;
  const found = memories.flatMap((memory) =>
    readers.map((reader) => {
      const stages = studies.flatMap((one) => one.memory === memory && one.reader === reader && one.stage !== undefined ? [one.stage] : []);
      return { memory, reader, losses: lossesOf(trials.filter((trial) => trial.memory === memory), reader, stages) };
    })
  ).filter(({ losses }) => losses.games > 0);
  const columns = ["scored", ...PROTOCOL.stages.map(({ name }) => name), "rest"];
  const cell = (name: string, values: readonly number[] | undefined): Cell => {
    if (!values) return null;
    const interval = values.length > 1 ? tInterval(values) : undefined;
    const least = name === "scored" || name === "rest" ? 0 : -1;
    const cut = interval && { low: Math.max(interval.low, least), high: Math.min(interval.high, 1) };
    return { value: mean([...values]), ...cut, n: values.length };
  };
  const { title = "" } = PROTOCOL.worlds.find(({ name }) => name === PROTOCOL.attribution.world) ?? {};
  return {
    id: tableId(bench, "losses"),
    title: `Where is it lost? Normalised score by stage (${title})`,
    caption:
      "Scored: the normalised score with the reader in every role. A stage: what the score gains when that stage, too, is given to the perfect reader, in the " +
      "order of the columns; below 0 the score falls. Rest: what is missing to 1 then. Student's 95 % intervals over games. –: the memory asks no model in that stage.",
    columns: ["memory", "reader", "games", ...columns],
    rows: found.map((
      { memory, reader, losses },
    ): Cell[] => [memory, reader, `${losses.games}`, ...columns.map((name) => cell(name, losses.values.get(name)))]),
  };
}

/** The losses of one memory with one reader, by stage and game, over the games that all its plays completed. */
function lossesOf(
  trials: readonly BenchTrial[],
  reader: string,
  stages: readonly string[],
): { readonly games: number; readonly values: ReadonlyMap<string, readonly number[]> } {
  const own = trials.filter((trial) => trial.world === PROTOCOL.attribution.world && trial.reader === reader);
  const scores = [undefined, ...stages].map((stage) =>
    new Map(
      own.flatMap(({ game, values: { score }, ...trial }) => trial.stage === stage && typeof score === "number" ? [[game, score]] : []),
    )
  );
  const games = [...scores.at(-1)?.keys() ?? []].filter((game) => scores.every((played) => played.has(game)));
  const at = (step: number): number[] => games.map((game) => scores[step]?.get(game) ?? NaN);
  const gains = stages.map((stage, i) => [stage, at(i + 1).map((score, game) => score - (at(i)[game] ?? NaN))] as const);
  return {
    games: stages.length === 0 ? 0 : games.length,
    values: new Map([["scored", at(0)], ...gains, ["rest", at(stages.length).map((score) => 1 - score)]]),
  };
}
