/**
 * The numbers of the ReasonPlanner paper (Pham-Dinh et al. 2024, arXiv 2410.09252) and where ours come from: Tables 1 and 2, and §4.2.2.
 *
 * | number | ours | agrees if |
 * |---|---|---|
 * | mean of a task | mean over its variations | the number lies in Student's interval; where there is none, ours is within 10 points |
 * | standard deviation | over the variations, n − 1 | ours is within 10 points |
 * | averages (last row of Table 1) | mean of the means, root of the mean variance | ours is within 10 points |
 * | tasks won, ratio, p | from the means of the tasks | ours is within 2 tasks, 0.3; p is below 0.001 as well |
 *
 * @module
 */

import { episodeCosts, totalCost } from "../../store/costs.ts";
import type { Store } from "../../store/open.ts";
import { type DataFrame, episodesFrame, rowsOf } from "../../report/frame.ts";
import { judge, type LedgerEntry, type OurNumber, type ReportedNumber } from "../../report/ledger.ts";
import { paperTable } from "../../report/paper.ts";
import { anovaOf, averageOf, leadOf, paperTasks, REASONPLANNER_METHODS, TABLE1_METHODS, type TaskScores, taskScores } from "./scores.ts";

const PAPER_BACKBONE = "gpt-4-turbo";
/** How far a mean without interval, or a standard deviation, may be away, in points. */
const TOLERANCE = 10;
const PAPER_VARIATIONS = 3;

/**
 * Every number of the paper beside ours.
 *
 * @param study id of a study in the store
 * @param options `episodes` is the study's frame of `episodesFrame`, where it is at hand
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { reasonPlannerLedger } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const entries = reasonPlannerLedger(store, "unplayed");
 * assert.equal(entries.length, 31 * 4 * 2 + 6 * 2 + 3);
 * assert.ok(entries.every(({ verdict }) => verdict === "not run"));
 * ```
 */
export function reasonPlannerLedger(store: Store, study: string, options: { readonly episodes?: DataFrame } = {}): LedgerEntry[] {
  const frame = options.episodes ?? episodesFrame(store, study);
  const cells = taskScores(frame);
  const costs = episodeCosts(store, study);
  const backbone = [...new Set(rowsOf<{ backbone: string }>(frame).map((row) => row.backbone))].join(" and ");
  const ours: Ours = (value, measure, from, interval = {}) => {
    const episodes = from.flatMap((cell) => cell.episodes);
    return { value, ...interval, measure, backbone, embedder: "", cost: totalCost(costs, episodes), study, episodes };
  };
  return [...table1(cells, ours), ...table2(cells, ours), ...section422(cells, ours)];
}

type Ours = (value: number, measure: string, cells: readonly TaskScores[], interval?: { low?: number; high?: number }) => OurNumber;

/** A mean over variations, or why there is none. */
function meanOf(cell: TaskScores | undefined, ours: Ours): OurNumber | string {
  if (!cell) return "not played";
  if (cell.done < cell.planned) return `incomplete, ${cell.done} of ${cell.planned} variations`;
  return ours(cell.mean, measureOf(cell), [cell], cell.interval);
}

function measureOf({ done }: TaskScores): string {
  return `mean over ${done} ${done === 1 ? "variation" : "variations"}`;
}

function table1(cells: readonly TaskScores[], ours: Ours): LedgerEntry[] {
  const find = (task: string, method: string): TaskScores | undefined =>
    cells.find((cell) => cell.task === task && cell.condition === method);
  return paperTasks().flatMap(({ name, id, printed }) =>
    TABLE1_METHODS.flatMap((method) => {
      const reported = {
        source: "Table 1",
        row: name === "average" ? "average of all 30 tasks" : `${id} ${name}`,
        backbone: PAPER_BACKBONE,
        tolerance: TOLERANCE,
        measure: `mean over ${PAPER_VARIATIONS} variations`,
      };
      const label = REASONPLANNER_METHODS[method];
      const values = printed[method] ?? { mean: "", sd: "" };
      const means = { ...reported, column: `${label}, mean`, printed: values.mean };
      const sds: ReportedNumber = { ...reported, column: `${label}, sd`, printed: values.sd, measure: "standard deviation" };
      if (name === "average") {
        const all = paperTasks().slice(0, -1).map((task) => find(task.name, method));
        const whole = all.filter((cell) => cell !== undefined && cell.done === cell.planned) as TaskScores[];
        if (whole.length < all.length) {
          return [means, sds].map((number) => judge(number, `complete in ${whole.length} of ${all.length} tasks`));
        }
        const { mean, sd } = averageOf(whole);
        return [
          judge(means, ours(mean, measureOf(whole[0] as TaskScores), whole)),
          judge(sds, sd === undefined ? "one variation has no standard deviation" : ours(sd, "standard deviation", whole)),
        ];
      }
      const cell = find(name, method);
      const mean = meanOf(cell, ours);
      const sd = typeof mean === "string"
        ? mean
        : cell?.sd === undefined
        ? "one variation has no standard deviation"
        : ours(cell.sd, "standard deviation", [cell]);
      return [judge(means, mean), judge(sds, sd)];
    })
  );
}

function table2(cells: readonly TaskScores[], ours: Ours): LedgerEntry[] {
  const columns = { without_wm: "reasonplanner-without-world-model", with_wm: "reasonplanner" } as const;
  return paperTable("reasonplanner_table2_ablation").flatMap(({ task, name = "", ...printed }) =>
    Object.entries(columns).map(([column, condition]) =>
      judge(
        {
          source: "Table 2",
          row: `${task} ${name}`,
          column: REASONPLANNER_METHODS[condition] ?? condition,
          printed: printed[column] ?? "",
          backbone: PAPER_BACKBONE,
          tolerance: TOLERANCE,
          measure: `mean over ${PAPER_VARIATIONS} variations`,
          ...(column === "with_wm" && name === "chemistry-mix-paint-secondary-color" ? { note: "its Table 1 has 36.67" } : {}),
        },
        meanOf(cells.find((cell) => cell.task === name && cell.condition === condition), ours),
      )
    )
  );
}

/** What the text says of all tasks: more than each baseline in 23 of 30, 1.8 times the next best mean, and the analysis of variance. */
function section422(cells: readonly TaskScores[], ours: Ours): LedgerEntry[] {
  const tasks = paperTasks().slice(0, -1).map(({ name }) => name);
  const played = cells.filter(({ condition }) => TABLE1_METHODS.includes(condition));
  const whole = played.length === tasks.length * TABLE1_METHODS.length && played.every(({ done, planned }) => done === planned);
  const shared = { source: "§4.2.2", row: "ReasonPlanner", backbone: PAPER_BACKBONE };
  const unless = `complete in ${played.filter(({ done, planned }) => done === planned).length} of ${
    tasks.length * TABLE1_METHODS.length
  } cells`;
  const meanIn = (task: string, method: string): number =>
    played.find((cell) => cell.task === task && cell.condition === method)?.mean ?? NaN;
  const averages = TABLE1_METHODS.map((method) => averageOf(played.filter(({ condition }) => condition === method)).mean);
  const ratio = (averages.at(-1) ?? NaN) / Math.max(...averages.slice(0, -1));
  const anova = anovaOf(played);
  return [
    judge(
      {
        ...shared,
        column: "tasks with more than each baseline",
        printed: "23",
        tolerance: 2,
        note: "in its Table 1 it has more in 21, and at least as much in 23",
      },
      whole ? ours(leadOf(meanIn, tasks).more, "tasks", played) : unless,
    ),
    judge(
      { ...shared, column: "average ÷ the best baseline's", printed: "1.8", tolerance: 0.3 },
      whole ? ours(ratio, "ratio", played) : unless,
    ),
    judge(
      {
        ...shared,
        column: "p of the one-way ANOVA (< 0.001)",
        printed: "0.001",
        tolerance: anova && anova.p < 0.001 ? 0.001 : 0, // a bound: whatever lies under it agrees, and nothing else
        note: "its own means give F(3, 116) = 16.88, p < 0.001",
      },
      whole && anova ? ours(anova.p, "p", played) : unless,
    ),
  ];
}
