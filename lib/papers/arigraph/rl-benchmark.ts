/** AriGraph's Figure 4, as a table and as a picture: scores on the four cooking levels of the RL benchmark. */

import { countText, playerName } from "../../report/caption-text.ts";
import { meanMeasure, type Trial } from "../../report/estimate.ts";
import { cellOf, type Exhibit, factsOf, isIn, type LineWhere } from "../../report/exhibit.ts";
import { exhibitRows } from "../../report/exhibit-table.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { barWithPaper, nominal, quantitative } from "../../report/marks.ts";
import { conditionName, conditionOrder } from "../../report/textworld-names.ts";
import type { ReportInput } from "../../report/study-report.ts";
import { methodChannels } from "../../report/styles.ts";
import type { Store } from "../../lab/store/open.ts";
import { EXPERIMENT } from "./conditions.ts";

/** Whether doors and containers are open at first, in the order of panels: as the authors played, as GATA's own games are, and the authors' files. */
const RL_VARIANTS = { open: "doors open", gata: "doors closed", authors: "the authors' files" } as const;

/** An attempt at a game of the benchmark. */
interface RlTrial extends Trial {
  /** 1 … 4. */
  readonly level: number;
  readonly variant: keyof typeof RL_VARIANTS;
  /** Score divided by the maximum; null unless completed. */
  readonly normalised: number | null;
}

/** Returns the attempts of a study at the benchmark's games, planned ones included; games are told apart by their labels, `rl-<level>-<game>`. */
export function rlTrials(store: Store, study: string): RlTrial[] {
  const rows = store.prepare(`
    select id as episode, condition, status, cast(seed as text) as seed, label,
      case when status = 'completed' then score / nullif(max_score, 0) end as normalised
    from episodes where study = ? and ${EXPERIMENT} = 'rl-benchmark' order by label, condition, attempt, id`)
    .all(study) as unknown as (Omit<RlTrial, "level" | "variant"> & { readonly label: string })[];
  return rows.map(({ label, ...row }) => {
    const [, level, game = ""] = label.match(/^rl-(\d)-(.+)$/) ?? [];
    return { ...row, level: Number(level), variant: game.endsWith("-gata") ? "gata" : /^\d+$/.test(game) ? "open" : "authors" };
  });
}

/** A method in a variant, with the model that played it in the paper's picture. */
type RlRow = LineWhere<RlTrial, "condition"> & { readonly pictured?: string };

type RlColumn = LineWhere<RlTrial, "level">;

const MEAN = meanMeasure<RlTrial>({
  name: "the mean score",
  of: ({ normalised }) => normalised,
  range: [0, 1],
  interval: "bootstrap",
  better: "more",
  how: () => "mean of all",
});

const TRAINED = "a trained agent, quoted there in a picture alone; never run here";

const METHODS = { "Ariadne": "arigraph", "GPT-4 Full history": "full-history", "GATA": "", "LTL-GATA": "", "EXPLORER": "" };

/** What the paper draws in Figure 4 without a number. Its authors played with open doors. */
export const RL_LEDGER: Exhibit<RlTrial, RlRow, RlColumn> = {
  id: "arigraph-rl-benchmark",
  source: "Figure 4",
  head: "Method",
  trial: "episode",
  trials: rlTrials,
  title: (backbone) => `AriGraph, Figure 4 as numbers: cooking levels of the RL benchmark (${backbone})`,
  rows: Object.entries(METHODS).map(([name, condition]) => ({
    name,
    where: { condition },
    pictured: condition === "" ? "trained agent" : "gpt-4-0125-preview",
    has: ({ variant }) => variant !== "gata",
    absent: condition === "" ? TRAINED : "not played; the paper shows it in a picture alone",
  })),
  columns: [1, 2, 3, 4].map((level) => ({
    name: `Level ${level}`,
    ledger: `level ${level}`,
    where: { level },
    measure: MEAN,
  })),
  paper: ({ pictured }) => pictured === undefined ? undefined : { printed: null, backbone: pictured },
};

/** Figure 4 as numbers with the conditions of some trials: a row a method and variant, a column a level. */
export function rlExhibit(trials: readonly RlTrial[], backbone: string): Exhibit<RlTrial, RlRow, RlColumn> {
  const conditions = [...new Set(trials.map(({ condition }) => condition))].sort((a, b) => conditionOrder(a) - conditionOrder(b));
  const variants = Object.keys(RL_VARIANTS) as (keyof typeof RL_VARIANTS)[];
  return {
    ...RL_LEDGER,
    compete: "rows",
    rows: variants.flatMap((variant) =>
      conditions.map((condition) => ({
        name: `${conditionName(condition)}, ${playerName(backbone)}, ${RL_VARIANTS[variant]}`,
        where: { condition, variant },
        rivals: variant,
      }))
    ),
    caption: ({ n, intervals }) =>
      `Model: ${playerName(backbone)}; ${n} a cell. Mean normalised score over the games of a level. ${intervals} ` +
      "The paper shows its own numbers, and those of GATA, LTL-GATA and EXPLORER, in a picture only (figure only).",
  };
}

/** Draws the mean over games and attempts with its interval: a panel a variant, a group of bars a level. The trained agents have no numbers to draw. */
export function rlBenchmarkFigure({ reader, study, backbone }: ReportInput): Figure | undefined {
  const read = reader.read({ trials: rlTrials }, study);
  const exhibit = rlExhibit(read.trials, backbone);
  const bars = exhibitRows(exhibit, read, { allowIncomplete: true })
    .flatMap(({ row, column, value, low, high, n }) => {
      const planned = read.trials.filter((trial) => isIn(row, trial) && isIn(column, trial)).length;
      if (value === null) return [];
      const [{ condition, variant }, { level }] = [row.where, column.where];
      const shared = { level, variant: variant && RL_VARIANTS[variant], condition: conditionName(condition), n, planned };
      return [{ ...shared, mean: value, low: low ?? value, high: high ?? value }];
    });
  if (bars.length === 0) return undefined;
  const variants = Object.values<string>(RL_VARIANTS);
  bars.sort((a, b) => variants.indexOf(a.variant ?? "") - variants.indexOf(b.variant ?? "") || a.level - b.level);
  const cells = exhibit.rows.flatMap((row) =>
    exhibit.columns.flatMap((column) => cellOf(exhibit, read, { row, column, allowIncomplete: true }) ?? [])
  );
  const { intervals } = factsOf(cells, { backbone, noun: exhibit.trial });
  const methods = [...new Set(bars.map(({ condition }) => condition))];
  return figureOf({
    id: `arigraph-fig4-${backbone}`,
    title: "RL benchmark",
    subtitle: `model: ${playerName(backbone)}`,
    caption: `Cooking levels of the RL benchmark (after Figure 4), model: ${playerName(backbone)}, ` +
      `n = ${countText(bars.map(({ n }) => n), "episode")} a bar: ` +
      `mean over games and attempts. ${intervals} Panels: doors and containers open at first, ` +
      `as AriGraph's authors played, or closed, as the trained agents were tested. GATA, LTL-GATA and EXPLORER are reported in the paper's picture only ` +
      `(figure only: no number is printed), so that they are left out.`,
    rows: bars,
    fields: [["integer", "level"], ["text", "variant", "condition"], ["integer", "n", "planned"], ["number", "mean", "low", "high"]],
    facet: nominal("variant", variants),
    columns: 2,
    spec: {
      width: 260,
      height: 180,
      layer: barWithPaper({
        x: { field: "level", type: "ordinal", title: "level", axis: { labelAngle: 0 } },
        xOffset: nominal("condition", methods),
        y: quantitative("mean", "normalised score", { scale: { domain: [0, 1] } }),
        color: methodChannels("condition", methods).color,
        low: "low",
        high: "high",
      }),
    },
  });
}
