/** GraphMind's Figure 4(b): the plans of KG and SM on one map as text, from the one on at which they part. */

import { playerName } from "../../report/caption-text.ts";
import { type DataFrame, frameOf, type RowOf, rowsOf } from "../../report/frame.ts";
import type { ReportInput } from "../../report/study-report.ts";
import type { Table } from "../../report/table.ts";
import type { Store } from "../../lab/store/open.ts";
import { type GraphMindTrial, graphmindTrials } from "./trials.ts";

/** Columns of `graphmindPlans`. */
export const PLAN_COLUMNS = {
  /** `PutNextTo` or `OpenDoor`. */
  mission: "text",
  /** Name of the layout, e.g. `3x3-d1-4`. */
  layout: "text",
  /** Index of the trial, from 1. */
  attempt: "integer",
  /** `kg` or `sm`. */
  condition: "text",
  /** Number of the plan in its trial, from 1. */
  plan: "integer",
  /** The decision step at which it was made, from 1. */
  step: "integer",
  /** The entity that it is about; empty where none was named. */
  target: "text",
  /** Its instructions in order, with `; ` between them. */
  instructions: "text",
  /** How many of them the verifier judged carried out. */
  done: "integer",
} as const;

/** One plan of one trial. */
export type PlanRow = RowOf<typeof PLAN_COLUMNS>;

/** The map whose trials are compared, where it is not chosen by rule. */
export type PlanMap = Partial<Pick<GraphMindTrial, "mission" | "layout" | "attempt">>;

/**
 * The plans of KG and SM on one map, those of KG first, from the first plan on that differs. The
 * map is the first that fits on which KG alone succeeded, else the first on which both were played.
 *
 * @example
 * ```ts
 * import { graphmindPlans } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(graphmindPlans(store, "unplayed", { layout: "3x3-d1-0" }).height, 0);
 * ```
 */
export function graphmindPlans(store: Store, study: string, map: PlanMap = {}): DataFrame {
  const done = graphmindTrials(store, study).filter((trial) =>
    trial.status === "completed" && Object.entries(map).every(([key, value]) => trial[key as keyof PlanMap] === value)
  );
  const pairs = done.filter(({ condition }) => condition === "kg").flatMap((kg) => {
    const sm = done.find(({ condition, mission, layout, attempt }) =>
      condition === "sm" && mission === kg.mission && layout === kg.layout && attempt === kg.attempt
    );
    return sm ? [{ kg, sm }] : [];
  });
  const pair = pairs.find(({ kg, sm }) => kg.success === true && !sm.success) ?? pairs[0];
  const [kg, sm] = pair ? [plansOf(pair.kg), plansOf(pair.sm)] : [[], []];
  const parted = kg.findIndex(({ instructions }, at) => instructions !== sm[at]?.instructions);
  const from = parted < 0 ? kg.length : parted;
  return frameOf([...kg.slice(from), ...sm.slice(from)], PLAN_COLUMNS);
}

/** The plans of a trial in order. */
function plansOf({ mission, layout, attempt, condition, ...trial }: GraphMindTrial): PlanRow[] {
  const plans: PlanRow[] = [];
  for (const { step, details } of trial.trace()) {
    const { planned, plan, target, verdict } = details as {
      readonly planned?: boolean;
      readonly plan?: readonly string[];
      readonly target?: string;
      readonly verdict?: { readonly complete: boolean };
    };
    if (planned && plan) {
      const said = { target: target ?? "", instructions: plan.join("; "), done: 0 };
      plans.push({ mission, layout, attempt, condition, plan: plans.length + 1, step, ...said });
    }
    const last = plans.at(-1);
    if (last && verdict?.complete) plans[plans.length - 1] = { ...last, done: last.done + 1 };
  }
  return plans;
}

/** Plans of a condition that the table shows. */
const MAX_SHOWN = 4;

/** Figure 4(b) as a table: the first plans of KG and SM from where they part; none where none do. */
export function planTables({ store, study, backbone }: ReportInput): Table[] {
  const rows = rowsOf<PlanRow>(graphmindPlans(store, study));
  const [first] = rows;
  if (!first) return [];
  const shown = ["kg", "sm"].flatMap((condition) => rows.filter((row) => row.condition === condition).slice(0, MAX_SHOWN));
  return [{
    id: `graphmind-fig4b-${backbone}`,
    title: `GraphMind, Figure 4(b): plans with graph and stack (${playerName(backbone)})`,
    caption: `${first.mission} on layout ${first.layout}, trial ${first.attempt}; model: ` +
      `${playerName(backbone)}. The first ${MAX_SHOWN} plans of each from the one on that differs. ` +
      `Done: instructions that the verifier judged carried out.`,
    columns: ["Memory", "Step", "Target", "Instructions", "Done"],
    rows: shown.map((
      { condition, step, target, instructions, done },
    ) => [condition.toUpperCase(), String(step), target, instructions, String(done)]),
  }];
}
