/** Compares the memory's votes on whether the agent has changed rooms with the truth (GraphMind §4.3, Fig. 6). */

import { z } from "zod";
import { type Measurement, wholeMeasure } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { clusteredWilsonInterval } from "../../core/stats/shares.ts";
import { GRAPHMIND_CONDITIONS, GRAPHMIND_TRIALS, type GraphMindTrial, SIZES } from "./trials.ts";
import { isCounted } from "./measures.ts";
import type { GridStep } from "./trace.ts";

const recorded = z.object({
  beliefs: z.object({ transition: z.object({ passed: z.boolean(), for: z.int(), against: z.int() }) }),
});

/** The majority verdict and the votes on a decision step (from 1), and whether the agent really moved to another room. */
export type TransitionVerdict = z.output<typeof recorded>["beliefs"]["transition"] & Readonly<Record<"moved" | "right", boolean>> & {
  readonly step: number;
};

/** The verdicts on an episode's steps; steps without a vote, such as those without a primitive, are left out. */
export function transitionsOf(steps: readonly GridStep[]): TransitionVerdict[] {
  return steps.flatMap(({ step, details, from, to, path }): TransitionVerdict[] => {
    const verdict = recorded.safeParse(details).data?.beliefs.transition;
    if (step === 0 || !verdict || path.length < 2 || verdict.for + verdict.against === 0) return [];
    const moved = from !== to;
    return [{ ...verdict, step, moved, right: verdict.passed === moved }];
  });
}

/** A column whose cells are computed from the verdicts of their trials, and from the same by layout. */
function column(
  name: string,
  of: (
    verdicts: readonly TransitionVerdict[],
    layouts: readonly (readonly TransitionVerdict[])[],
  ) => number | Omit<Measurement, "episodes">,
  options: { readonly digits: number; readonly interval?: string },
): Line<GraphMindTrial> {
  const measure = wholeMeasure<GraphMindTrial>({
    ...options,
    name: name.toLowerCase(),
    counts: isCounted,
    of: (trials) => {
      const layouts = [...Map.groupBy(trials, ({ layout }) => layout).values()]
        .map((some) => some.flatMap((trial) => transitionsOf(trial.trace())));
      const number = of(layouts.flat(), layouts);
      return Number.isNaN(number) ? "no such step" : number;
    },
  });
  return { name, measure };
}

type Test = (verdict: TransitionVerdict) => boolean;

/** A share of the verdicts in percent, each step counted once, with Wilson's interval over layouts. */
function share(name: string, part: Test, among: Test = () => true): Line<GraphMindTrial> {
  return column(name, (verdicts, layouts) => {
    const counted = verdicts.filter(among);
    if (counted.length === 0) return NaN;
    const clusters = layouts.map((some) => some.filter(among).map(part)).filter(({ length }) => length > 0);
    const { low, high } = clusteredWilsonInterval(clusters);
    return { value: 100 * counted.filter(part).length / counted.length, low: 100 * low, high: 100 * high };
  }, { digits: 1, interval: "Wilson's" });
}

/** The verdicts by size and condition: how many, the shares judged rightly, of true passages found, and of judged passages that were none. */
export const TRANSITIONS: Exhibit<GraphMindTrial> = {
  id: "graphmind-transitions",
  source: "§4.3",
  head: "Rooms, condition",
  ...GRAPHMIND_TRIALS,
  title: (backbone) => `GraphMind, §4.3: was a door passed? Verdicts against the truth (${backbone})`,
  rows: SIZES.flatMap((rooms) =>
    Object.entries(GRAPHMIND_CONDITIONS).filter(([condition]) => condition.startsWith("kg")).map(([condition, name]) => ({
      name: `${rooms}, ${name}`,
      where: { rooms, condition },
    }))
  ),
  columns: [
    column("Steps judged", ({ length }) => length, { digits: 0 }),
    share("Right", ({ right }) => right),
    column("Right, single vote", (verdicts) => {
      const sum = (of: (verdict: TransitionVerdict) => number): number => verdicts.reduce((total, verdict) => total + of(verdict), 0);
      return 100 * sum((verdict) => verdict.moved ? verdict.for : verdict.against) / sum((verdict) => verdict.for + verdict.against);
    }, { digits: 1 }),
    share("Passages found", ({ passed }) => passed, ({ moved }) => moved),
    share("False among judged passages", ({ moved }) => !moved, ({ passed }) => passed),
  ],
  caption: ({ backbone, n, intervals }) =>
    `Model: ${backbone}; ${n} a row. In percent: majority verdicts that agree with the world's own record of the rooms; single votes that do; true ` +
    `passages that were found; judged passages that were none. ${intervals} Steps of a layout are a cluster. The paper gives no number.`,
};
