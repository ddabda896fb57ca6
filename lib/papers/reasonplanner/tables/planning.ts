/**
 * How ReasonPlanner plans: its replans, queries and explorations by condition, for the look-aheads and query limits of §4.2.1, and how often
 * coreference resolution changes a text.
 *
 * @module
 */

import type { Store } from "../../../store/open.ts";
import { REASONPLANNER_METHODS } from "../scores.ts";
import type { Cell, Table } from "../../../report/table.ts";

/** What is counted of each condition; all of completed episodes. */
interface Planning {
  readonly condition: string;
  readonly episodes: number;
  readonly score: number;
  readonly steps: number;
  /** Kind of event → how many. */
  readonly events: ReadonlyMap<string, number>;
}

/**
 * A row a condition of ReasonPlanner, the training's with it.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { planningTable } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(planningTable(store, "unplayed", { backbone: "offline" }).rows, []);
 * ```
 */
export function planningTable(store: Store, study: string, { backbone }: { readonly backbone: string }): Table {
  return {
    id: `${study.startsWith("reasonplanner-look-ahead") ? "reasonplanner-look-ahead" : "reasonplanner-planning"}-${backbone}`,
    title: `How ReasonPlanner plans (backbone: ${backbone})`,
    caption:
      `Completed episodes; backbone ${backbone}. Score 0 to 100, mean over tasks and variations. Steps, replans, queries and explorations: a mean ` +
      "episode. Steps a replan: commands carried out for each replan. Repeated: share of the queries that had been put for the same plan before. " +
      "Unanswered: share that found nothing. Coreference: share of the texts given to resolution that it changed; – where none is resolved. The paper " +
      "(§4.2.1): a look-ahead of 3 is too small, with 10 a trajectory deviates before it is through, more than 3 queries lead to repeated ones.",
    columns: [
      ...["condition", "episodes", "score", "steps", "replans", "steps a replan", "queries", "unanswered, %", "repeated, %"],
      ...["explorations", "unread replies", "coreference, %"],
    ],
    rows: planningOf(store, study).map(({ condition, episodes, score, steps, events }): Cell[] => {
      const count = (kind: string): number => events.get(kind) ?? 0;
      const [asked, unanswered, repeated] = [count("query"), count("unanswered-query"), count("repeated-query")];
      const queries = asked + unanswered + repeated;
      const share = (part: number, whole: number): Cell => whole === 0 ? null : { value: 100 * part / whole, digits: 0 };
      const mean = (value: number): Cell => ({ value: value / episodes, digits: 1 });
      return [
        ...[
          REASONPLANNER_METHODS[condition] ?? condition,
          String(episodes),
          { value: score, digits: 1, n: episodes },
          mean(steps),
          mean(count("replan")),
        ],
        count("replan") === 0 ? null : { value: steps / count("replan"), digits: 1 },
        ...[
          mean(queries),
          share(unanswered, queries),
          share(repeated, queries),
          mean(count("exploration")),
          mean(count("malformed-reply")),
        ],
        share(count("coreference-changed"), count("coreference-asked")),
      ];
    }),
  };
}

function planningOf(store: Store, study: string): Planning[] {
  const done = "e.study = ? and e.method = 'reasonplanner' and e.status = 'completed'";
  const rows = store.prepare(
    `select e.condition, count(*) as episodes, avg(100.0 * e.score / e.max_score) as score, sum(e.steps) as steps, min(e.lane = 'training') as late
     from episodes e where ${done} group by e.condition order by late desc, min(e.rowid)`,
  ).all(study) as { condition: string; episodes: number; score: number; steps: number }[];
  const events = store.prepare(
    `select e.condition, v.kind, count(*) as times from events v join episodes e on e.id = v.episode where ${done} group by 1, 2`,
  ).all(study) as { condition: string; kind: string; times: number }[];
  return rows.map(({ condition, episodes, score, steps }) => ({
    condition,
    episodes,
    score,
    steps,
    events: new Map(events.filter((event) => event.condition === condition).map(({ kind, times }) => [kind, times])),
  }));
}
