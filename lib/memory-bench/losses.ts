/**
 * Where a memory loses: the stages of a step are given to the perfect reader one after the other, as `lib/papers/evidence/attribution.ts` does for
 * AriGraph; what the score gains is what the stage had lost. Scored, stages and rest add up to 1.
 */

import { OF_EQUAL_VALUES } from "../report/estimate.ts";
import { lossCell, stageLosses } from "../report/stage-losses.ts";
import type { Cell, Table } from "../report/table.ts";
import type { Bench, BenchStudy } from "./plan.ts";
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
      const isOwn = (one: BenchStudy | BenchTrial): boolean => one.memory === memory && one.reader === reader;
      const stages = studies.flatMap((one) => isOwn(one) && one.stage !== undefined ? [one.stage] : []);
      const own = trials.filter((trial) => isOwn(trial) && trial.world === PROTOCOL.attribution.world);
      const played = [undefined, ...stages].map((stage) =>
        new Map(
          own.flatMap(({ game, values: { score }, ...trial }) => trial.stage === stage && typeof score === "number" ? [[game, score]] : []),
        )
      );
      return { memory, reader, losses: stages.length === 0 ? [] : stageLosses(played, stages) };
    })
  ).filter(({ losses }) => losses.length > 0);
  const columns = ["scored", ...PROTOCOL.stages.map(({ name }) => name), "rest"];
  const { title = "" } = PROTOCOL.worlds.find(({ name }) => name === PROTOCOL.attribution.world) ?? {};
  return {
    id: tableId(bench, "losses"),
    title: `Where is it lost? Normalised score by stage (${title})`,
    caption:
      "Scored: the normalised score with the reader in every role. A stage: what the score gains when that stage, too, is given to the perfect reader, in the " +
      `order of the columns; below 0 the score falls. Rest: what is missing to 1 then. Student's 95 % intervals over games.${OF_EQUAL_VALUES} ` +
      "–: the memory asks no model in that stage" +
      `${silenceText(studies, found.map(({ memory }) => memory))}.`,
    columns: ["memory", "reader", "games", ...columns],
    rows: found.map(({ memory, reader, losses }): Cell[] => {
      const of = new Map(losses.map((loss) => [loss.stage, lossCell(loss)]));
      return [memory, reader, `${losses[0]?.games}`, ...columns.map((name) => of.get(name) ?? null)];
    }),
  };
}

/** Which memories ask no model at all, and which in roles of several stages at once. */
function silenceText(studies: readonly BenchStudy[], memories: readonly string[]): string {
  const stages = (memory: string): string[] =>
    studies.flatMap((one) => one.memory === memory && one.stage !== undefined ? [one.stage] : []);
  const listed = (says: string, is: (stages: readonly string[]) => boolean): string[] => {
    const some = [...new Set(memories)].filter((memory) => is(stages(memory)));
    return some.length === 0 ? [] : [`${some.join(", ")}: ${says}`];
  };
  const reasons = [
    ...listed("in none", (own) => own.every((stage) => METHOD_STAGES.has(stage))),
    ...listed("it reads, keeps and searches in roles that cannot be told apart, its whole memory", (own) => own.includes("whole memory")),
  ];
  return reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
}

/** The stages of the method that plays, which every memory has. */
const METHOD_STAGES = new Set(["planning", "acting"]);
