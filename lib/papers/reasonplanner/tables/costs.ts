/**
 * What the methods ask of models in ScienceWorld: calls and tokens of a mean episode, by condition, and of ReasonPlanner by role.
 *
 * @module
 */

import type { Store } from "../../../store/open.ts";
import { costsFrame, rowsOf } from "../../../report/frame.ts";
import { REASONPLANNER_METHODS } from "../scores.ts";
import type { Cell, Table } from "../../../report/table.ts";

/** One row of `costsFrame` that is read. */
interface Cost {
  readonly condition: string;
  readonly role: string;
  readonly kind: string;
  readonly calls: number;
  readonly prompt: number;
  readonly completion: number;
  readonly dollars: number | null;
}

/**
 * A row a condition; under ReasonPlanner's a row a role. Each request counts once, whether it was paid or answered from the record; attempts that
 * failed are left out.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { reasonPlannerCostsTable } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(reasonPlannerCostsTable(store, "unplayed", { backbone: "offline" }).rows, []);
 * ```
 */
export function reasonPlannerCostsTable(store: Store, study: string, { backbone }: { readonly backbone: string }): Table {
  const costs = rowsOf<Cost>(costsFrame(store, study)).filter(({ kind }) => kind !== "wasted");
  const episodes = new Map(
    (store.prepare("select condition, count(*) as n from episodes where study = ? and status = 'completed' group by 1")
      .all(study) as { condition: string; n: number }[]).map(({ condition, n }) => [condition, n]),
  );
  const order = [...Object.keys(REASONPLANNER_METHODS), "training"];
  const conditions = [...new Set(costs.map(({ condition }) => condition))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return {
    id: `reasonplanner-costs-${backbone}`,
    title: `Calls and tokens of an episode (backbone: ${backbone})`,
    caption:
      `Mean over the completed episodes of a condition; backbone ${backbone}. Tokens by the o200k vocabulary, where the endpoint counts none of its own. ` +
      "Each request counts once, also where it was answered from the record. Dollars: as metered, – where a model has no price.",
    columns: ["condition", "episodes", "calls", "prompt tokens", "completion tokens", "dollars"],
    rows: conditions.flatMap((condition) => {
      const own = costs.filter((cost) => cost.condition === condition);
      const n = episodes.get(condition) ?? 1;
      const roles = condition === "reasonplanner" ? [...Map.groupBy(own, ({ role }) => role)].sort(([a], [b]) => a < b ? -1 : 1) : [];
      return [
        rowOf(REASONPLANNER_METHODS[condition] ?? condition, own, n),
        ...roles.map(([role, calls]) => rowOf(`– ${role}`, calls, n)),
      ];
    }),
  };
}

function rowOf(label: string, costs: readonly Cost[], episodes: number): Cell[] {
  const mean = (key: "calls" | "prompt" | "completion"): Cell => ({
    value: costs.reduce((sum, cost) => sum + cost[key], 0) / episodes,
    digits: key === "calls" ? 1 : 0,
  });
  const priced = costs.every(({ dollars }) => dollars !== null);
  const dollars = costs.reduce((sum, cost) => sum + (cost.dollars ?? 0), 0);
  return [
    label,
    String(episodes),
    mean("calls"),
    mean("prompt"),
    mean("completion"),
    priced ? { value: dollars / episodes, digits: 3 } : null,
  ];
}
