/**
 * ReasonPlanner, Tables 1 and 2: scores of the tasks of ScienceWorld, ours beside the paper's.
 *
 * @module
 */

import type { Anova } from "../../../stats/anova.ts";
import type { DataFrame } from "../../../report/frame.ts";
import { paperTable } from "../../../report/paper.ts";
import { anovaOf, averageOf, paperTasks, REASONPLANNER_METHODS, TABLE1_METHODS, type TaskScores, taskScores } from "../scores.ts";
import type { Cell, Table } from "../../../report/table.ts";

/** How a table is made. */
export interface ReasonPlannerTableOptions {
  /** What answered for the models; stands in the title, the caption and the file name. */
  readonly backbone: string;
  /** Show the mean of the variations at hand where planned ones are missing. @default {false} */
  readonly allowIncomplete?: boolean;
}

/**
 * Table 1: a row a task that was played, mean and standard deviation over its variations, with the paper's beside them, a floor and a ceiling; the
 * averages in the last row. The one-way analysis of variance is in the caption.
 *
 * @param episodes the frame of `episodesFrame`
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import { reasonPlannerScoresTable } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", game: "text", condition: "text", attempt: "integer", status: "text", normalised: "number" } as const;
 * const row = { episode: "e1", game: "boil", condition: "react", attempt: 1, status: "completed" };
 * const { columns, rows } = reasonPlannerScoresTable(frameOf([{ ...row, normalised: 0.25 }], types), { backbone: "offline" });
 * assert.deepEqual(columns, ["task", "ReAct", "sd", "paper"]);
 * assert.deepEqual(rows[0], ["1-1 boil (L)", { value: 25, digits: 1, n: 1, episodes: ["e1"] }, null, "2.67 ± 2.5"]);
 * ```
 */
export function reasonPlannerScoresTable(episodes: DataFrame, options: ReasonPlannerTableOptions): Table {
  const { backbone } = options;
  const cells = taskScores(episodes);
  const conditions = Object.keys(REASONPLANNER_METHODS).filter((name) =>
    name !== "reasonplanner-without-world-model" && cells.some(({ condition }) => condition === name)
  );
  const tasks = paperTasks().filter(({ name }) => cells.some(({ task, condition }) => task === name && conditions.includes(condition)));
  const cellOf = (task: string, condition: string): TaskScores | undefined =>
    cells.find((cell) => cell.task === task && cell.condition === condition);
  const averages = paperTasks().find(({ name }) => name === "average")?.printed ?? {};
  const anova = anovaOf(cells.filter(({ done, planned }) => options.allowIncomplete || done === planned)); // as many as are shown
  return {
    id: `reasonplanner-table1-${backbone}`,
    title: `Table 1: scores in ScienceWorld (backbone: ${backbone})`,
    caption:
      `Score 0 to 100, mean and standard deviation over ${
        variationsText(cells)
      } of a task, the first ones for testing; backbone ${backbone}. ` +
      `Paper: mean ± sd over 3 variations, GPT-4-Turbo. Numbers as the paper prints them: ScienceWorld numbers 6-1 and 6-2 the other way round. ` +
      `Averages: mean of the means, and the root of the mean variance, by which the paper's 24.0, 25.6, 27.2 and 21.5 come about. ${
        anovaText(anova)
      }`,
    columns: ["task", ...conditions.flatMap((name) => columnsOf(name))],
    rows: [
      ...tasks.map(({ name, id, length, printed }): Cell[] => [
        `${id} ${name} (${length})`,
        ...conditions.flatMap((condition) => {
          const cell = cellOf(name, condition);
          const paper = printed[condition];
          const ours = [meanCell(cell, options), sdCell(cell)];
          if (!TABLE1_METHODS.includes(condition)) return ours.slice(0, 1);
          return [...ours, paper ? `${paper.mean} ± ${paper.sd}` : null];
        }),
      ]),
      [
        "average",
        ...conditions.flatMap((condition) => {
          const all = tasks.map(({ name }) => cellOf(name, condition)).filter((cell) => cell !== undefined);
          const whole = all.length > 0 && all.every((cell) => cell.done > 0 && (options.allowIncomplete || cell.done === cell.planned));
          const { mean, sd } = whole ? averageOf(all) : { mean: NaN };
          const ours: Cell[] = whole ? [{ value: mean, digits: 1 }, sd === undefined ? null : sd.toFixed(1)] : [null, null];
          if (!TABLE1_METHODS.includes(condition)) return ours.slice(0, 1);
          const paper = averages[condition];
          return [...ours, paper && tasks.length === paperTasks().length - 1 ? `${paper.mean} ± ${paper.sd}` : null];
        }),
      ],
    ],
  };
}

/**
 * Table 2: the tasks that were played with and without the world model, ours beside the paper's.
 *
 * @param episodes the frame of `episodesFrame`
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import { worldModelTable } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", game: "text", condition: "text", attempt: "integer", status: "text", normalised: "number" } as const;
 * const row = { episode: "e1", game: "melt", condition: "reasonplanner", attempt: 1, status: "completed", normalised: 0.7 };
 * const { rows } = worldModelTable(frameOf([row], types), { backbone: "offline" });
 * assert.deepEqual(rows[0], ["1-2 melt (L)", null, "3.00", { value: 70, digits: 1, n: 1, episodes: ["e1"] }, "70.00"]);
 * ```
 */
export function worldModelTable(episodes: DataFrame, options: ReasonPlannerTableOptions): Table {
  const { backbone } = options;
  const cells = taskScores(episodes);
  const played = (name: string): TaskScores[] =>
    cells.filter(({ task, condition }) => task === name && condition.startsWith("reasonplanner"));
  const rows = paperTable("reasonplanner_table2_ablation").filter(({ name = "" }) => played(name).length > 0);
  return {
    id: `reasonplanner-table2-${backbone}`,
    title: `Table 2: ReasonPlanner with and without its world model (backbone: ${backbone})`,
    caption:
      `Score 0 to 100, mean over ${variationsText(cells)} of a task; backbone ${backbone}. Paper: means over 3 variations, GPT-4-Turbo. ` +
      "The paper's 36.37 for chemistry-mix-paint-secondary-color stands as 36.67 in its Table 1.",
    columns: ["task", "RP", "paper", "RP + WM", "paper "],
    rows: rows.map(({ task = "", name = "", length = "", without_wm, with_wm }): Cell[] => {
      const cellOf = (wanted: string): Cell => meanCell(played(name).find(({ condition }) => condition === wanted), options);
      return [
        `${task} ${name} (${length})`,
        cellOf("reasonplanner-without-world-model"),
        Number(without_wm).toFixed(2),
        cellOf("reasonplanner"),
        Number(with_wm).toFixed(2),
      ];
    }),
  };
}

function columnsOf(condition: string): string[] {
  const name = REASONPLANNER_METHODS[condition] ?? condition;
  return TABLE1_METHODS.includes(condition) ? [name, "sd", "paper"] : [name];
}

function meanCell(cell: TaskScores | undefined, { allowIncomplete = false }: ReasonPlannerTableOptions): Cell {
  if (!cell) return null;
  const { planned, done, failed, episodes, mean } = cell;
  if (done === 0 || (done < planned && !allowIncomplete)) return { incomplete: { done, failed, planned } };
  return { value: mean, digits: 1, n: done, episodes };
}

function sdCell(cell: TaskScores | undefined): Cell {
  return cell?.sd === undefined || cell.done < cell.planned ? null : cell.sd.toFixed(1);
}

function variationsText(cells: readonly TaskScores[]): string {
  const counts = [...new Set(cells.map(({ planned }) => planned))].sort();
  return counts.length === 1 && counts[0] === 1 ? "1 variation" : `${counts.join(" or ")} variations`;
}

function anovaText(anova: Anova | undefined): string {
  if (!anova) return "One-way ANOVA of the methods: not possible with these episodes.";
  const { f, degrees, p } = anova;
  const chance = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
  return `One-way ANOVA of the methods over the means of the tasks: F(${degrees.between}, ${degrees.within}) = ${
    f.toFixed(2)
  }, ${chance}; ` +
    "the paper's own means give F(3, 116) = 16.88, p < 0.001.";
}
