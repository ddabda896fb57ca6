/** The episodes of a study of ReasonPlanner with their scores, events and tokens, and the tasks and methods of the paper's tables. */

import type { Trial } from "../../report/estimate.ts";
import { paperTable } from "../../report/paper.ts";
import type { PassRow } from "../../lab/store/episodes.ts";
import { type AnsweredTokens, answeredTokens } from "../../lab/store/costs.ts";
import type { Store } from "../../lab/store/open.ts";

/** Condition → its name, in the paper's order; then the conditions that the paper's Table 1 does not have. */
export const REASONPLANNER_METHODS: Readonly<Record<string, string>> = {
  saycan: "SayCan",
  react: "ReAct",
  reflexion: "Reflexion",
  reasonplanner: "ReasonPlanner",
  "reasonplanner-without-world-model": "ReasonPlanner w/o WM",
  random: "Random actions",
  oracle: "Gold path",
};

/** The methods of Table 1. */
export const TABLE1_METHODS: readonly string[] = ["saycan", "react", "reflexion", "reasonplanner"];

/** One episode of a study of ReasonPlanner. */
export interface ReasonPlannerTrial extends Trial {
  /** Name of its task: the paper's numbers 6-1 and 6-2 stand the other way round in ScienceWorld. */
  readonly task: string;
  /** Number of the variation, from 1. */
  readonly attempt: number;
  /** 0 … 100, of the pass that counts; null unless completed, and so are `steps` and `pass`. */
  readonly score: number | null;
  /** Agent steps of the pass that counts. */
  readonly steps: number | null;
  /** Index of the pass that counts. */
  readonly pass: number | null;
  /** Whether the pass that counts was lost; its score is the last one before that. */
  readonly lost: boolean;
  /** Whether its condition is planned in all 30 tasks. */
  readonly inAllTasks: boolean;
  /** Kind of event, e.g. `replan` → how many there were. */
  readonly events: ReadonlyMap<string, number>;
  /** The tokens of its completed episode, by role. */
  readonly tokens: readonly AnsweredTokens[];
}

/**
 * Returns every episode of a study of ReasonPlanner, planned ones and the training included, in order of task, condition and variation.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { reasonPlannerTrials } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(reasonPlannerTrials(store, "unplayed"), []);
 * ```
 */
export function reasonPlannerTrials(store: Store, study: string): ReasonPlannerTrial[] {
  const rows = store.prepare(`
    select id as episode, coalesce(label, world) as task, condition, attempt, cast(seed as text) as seed, status, passes,
      case when status = 'completed' then 100 * (score / nullif(max_score, 0)) end as score,
      case when status = 'completed' then steps end as steps
    from episodes where study = ? order by task, condition, attempt, id`)
    .all(study) as unknown as (ReasonPlannerTrial & { readonly passes: string | null })[];
  const events = store.prepare(`
    select v.episode, v.kind, count(*) as times from events v join episodes e on e.id = v.episode where e.study = ? group by 1, 2`)
    .all(study) as { episode: string; kind: string; times: number }[];
  const eventsOf = Map.groupBy(events, ({ episode }) => episode);
  const tokensOf = Map.groupBy(answeredTokens(store, study), ({ episode }) => episode);
  const names = paperTasks().map(({ name }) => name);
  const tasksOf = Map.groupBy(rows, ({ condition }) => condition);
  const inAllTasks = (condition: string): boolean => {
    const planned = new Set(tasksOf.get(condition)?.map(({ task }) => task));
    return names.every((name) => planned.has(name));
  };
  return rows.map(({ passes, ...row }) => ({
    ...row,
    ...countedPass(JSON.parse(passes ?? "[]")),
    inAllTasks: inAllTasks(row.condition),
    events: new Map(eventsOf.get(row.episode)?.map(({ kind, times }) => [kind, times])),
    tokens: tokensOf.get(row.episode) ?? [],
  }));
}

function countedPass(passes: readonly PassRow[]): Pick<ReasonPlannerTrial, "pass" | "lost"> {
  const marked = passes.findIndex(({ counts }) => counts);
  const pass = marked < 0 ? passes.length - 1 : marked;
  return { pass: pass < 0 ? null : pass, lost: passes[pass]?.end === "lost" };
}

/** A task as the paper prints it: its key, its number (`6-1`), `S`, `M` or `L`, and column of the paper's file → as printed. */
export interface PaperTask extends Readonly<Record<"name" | "id" | "length", string>> {
  readonly printed: Readonly<Record<string, string>>;
}

/** The tasks of Table 1, in its order. */
export function paperTasks(file = "reasonplanner_table1_scienceworld"): PaperTask[] {
  return paperTable(file).filter(({ task }) => task !== "Average")
    .map(({ task: id = "", name = "", length = "", ...printed }) => ({ name, id, length, printed }));
}

/** The last row of Table 1: column of the paper's file → as printed. */
export function paperAverages(): Readonly<Record<string, string>> {
  return paperTable("reasonplanner_table1_scienceworld").find(({ task }) => task === "Average") ?? {};
}
