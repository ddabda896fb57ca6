/** What is made of the sweeps of AriGraph's constants: means, differences from the default with a verdict, and a panel a factor. */

import { ARIADNE_PAPER } from "../../agent/ariadne.ts";
import { ARIGRAPH_PAPER } from "../../memory/arigraph-options.ts";
import { countText } from "../../report/caption-text.ts";
import {
  type ExperimentRow,
  meanOverGames,
  type MeasureName,
  measureOf,
  type PlayedExperiment,
  readExperiment,
  withRows,
} from "../../report/experiment.ts";
import { experimentCaption } from "../../report/experiment-caption.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { category, intervalPoint, nominal, quantitative } from "../../report/marks.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { PALETTE } from "../../report/styles.ts";
import { numberCell, pCell, type Table } from "../../report/table.ts";
import { differencesOf, meansTable } from "../../report/tables/experiment.ts";
import { episodesNeeded } from "../../stats/paired.ts";
import type { Store } from "../../store/open.ts";
import { listStudies } from "../../store/studies.ts";
import { placedAt } from "./siblings.ts";
import { BY_EMBEDDER, CHANCE, SWEEPS } from "./sweeps.ts";

const SHOWN = ["score", "tokens"] as const;

/** Everything that is made of the sweeps; of the study of the embedder of random numbers nothing, because it stands beside the other. */
export const SWEEPS_REPORT: StudyReport = {
  exhibits: [],
  studies: (store, study) => [study, ...besideOf(store, study)],
  tables: ({ store, study, allowIncomplete }) => {
    if (isBeside(study)) return [];
    const played = readSweeps(store, study);
    return [
      meansTable(store, played, { of: ["score", "won", "steps", "tokens"], allowIncomplete }),
      ...SHOWN.map((of) => differences(played, of)),
    ];
  },
  figures: [({ store, study }) => isBeside(study) ? [] : SHOWN.map((of) => meansFigure(readSweeps(store, study), of))],
};

function isBeside(study: string): boolean {
  return /^evidence-sweeps-[a-z]+-chance/.test(study);
}

/** The study beside one that has the same games with `CHANCE`, where the store holds it. */
function besideOf(store: Store, study: string): string[] {
  const id = study.replace(/^evidence-sweeps-[a-z]+/, "$&-chance").replace(/-embedder-[0-9a-f]{8}(?=[-@])/, "");
  return listStudies(store).filter((one) => one === id);
}

/** Both studies as one experiment, ordered by factor and level; the default stands under every factor that is varied from it. */
function readSweeps(store: Store, study: string): PlayedExperiment {
  const own = readExperiment(store, study);
  const beside = besideOf(store, study).flatMap((id) => readExperiment(store, id).rows).flatMap((row) =>
    BY_EMBEDDER.map(({ factor }) => ({
      ...row,
      condition: `${factor} = ${CHANCE.id}`,
      factors: { ...row.factors, factor, level: CHANCE.id },
    }))
  );
  const rows = [...own.rows, ...beside];
  const swept = SWEEPS.filter(({ factor }) => rows.some(({ factors }) => factors["factor"] === factor));
  const placed = rows.flatMap((row) => {
    if (row.factors["factor"] !== null) return [row];
    const here = swept.filter(({ from }) => from.condition === row.condition);
    return placedAt(row, here.map(({ factor, usual = own.embedder }) => ({ factor, level: `${usual}` })));
  });
  const place = (row: ExperimentRow): number => swept.findIndex(({ factor }) => factor === placeOf(row).factor);
  return { ...own, ...withRows(placed.toSorted((a, b) => place(a) - place(b) || byLevel(placeOf(a).level, placeOf(b).level))) };
}

function placeOf({ factors: { factor, level } }: Pick<ExperimentRow, "factors">): Record<"factor" | "level", string> {
  return { factor: `${factor}`, level: `${level}` };
}

/** A row without what tells its cell: the default stands in several, whose levels must not part the pairs. */
function withoutPlace({ factors: { factor: _, level: __, ...factors }, ...row }: ExperimentRow): ExperimentRow {
  return { ...row, factors };
}

/** Numbers first, in their order; names behind them. */
function byLevel(a: string, b: string): number {
  const [x, y] = [a, b].map((level) => Number.isNaN(Number(level)) ? 1e9 : Number(level));
  return (x ?? 0) - (y ?? 0);
}

/** A level of a factor: its rows, their condition, and that of the default. */
interface SweptCell extends Readonly<Record<"factor" | "level" | "condition" | "against", string>> {
  readonly rows: readonly ExperimentRow[];
}

function cellsOf(played: PlayedExperiment): SweptCell[] {
  return [...Map.groupBy(played.rows, (row) => JSON.stringify(placeOf(row)))].map(([place, rows]): SweptCell => {
    const { factor, level } = JSON.parse(place);
    const against = SWEEPS.find((sweep) => sweep.factor === factor)?.from.condition ?? "";
    return { factor, level, rows, condition: rows[0]?.condition ?? "", against };
  });
}

const { k, width, deepest } = ARIGRAPH_PAPER;

const DEFAULT_TEXT =
  `Default: k ${k}, d 1–${deepest}, the importance of an entity, w ${width} and n_prev ${ARIADNE_PAPER.nPrev}, as in the code of AriGraph's authors; of the ` +
  `embedders, lexical-v1 is the lab's own, and ${CHANCE.id} of random numbers.`;

/** Every level less the default of its factor in the same games, with Holm's correction for all factors, and whether that tells them apart. */
function differences(played: PlayedExperiment, of: MeasureName): Table {
  const { title, digits } = measureOf(played, of);
  const cells = cellsOf(played).filter(({ condition, against }) => condition !== against);
  const found = differencesOf({ ...played, rows: played.rows.map(withoutPlace) }, of, cells);
  const tests = found.filter(({ adjusted }) => adjusted !== undefined).length;
  const alpha = 0.05 / Math.max(1, tests);
  const [count, level] = [countText([tests], "test"), tests > 1 ? `5 % / ${tests}` : "5 %"];
  return {
    id: `differences-${played.study}-${of}`,
    title: `${title}: every level less the default (${played.backbone})`,
    caption: experimentCaption(
      played,
      `Differences in ${title} from the default in the same games. ${DEFAULT_TEXT} d_z: in standard deviations of the differences; p: paired t test over games, two-sided; ` +
        `Holm: corrected for the ${count} of this table. Told: at 5 % by Holm's p. Games that would tell: those with which a test at ${level} finds this d_z with ` +
        "a chance of 80 %; none where no game differs.",
      { intervals: "differences" },
    ),
    columns: ["factor", "level", "games", "difference", "d_z", "p", "Holm", "verdict", "games that would tell"],
    rows: cells.map(({ factor, level }, at) => {
      const { games = 0, pairs, test, adjusted } = found[at] ?? {};
      const isTold = adjusted !== undefined && adjusted <= 0.05;
      const isConstant = test !== undefined && test.p === undefined && test.mean !== 0;
      const canBeTold = !isTold && test?.dz !== undefined && Math.abs(test.dz) >= 0.01;
      return [
        ...[factor, level, `${games}`],
        test ? { value: test.mean, ...test.t, digits, n: pairs } : null,
        ...[numberCell(test?.dz), pCell(test?.p), pCell(adjusted)],
        isTold ? "told" : isConstant ? "the same in every game" : "cannot tell",
        canBeTold ? `${episodesNeeded({ effect: test.dz ?? NaN, alpha })}` : null,
      ];
    }),
  };
}

/** Means with their intervals, a panel a factor, the default marked. */
function meansFigure(played: PlayedExperiment, of: MeasureName): Figure {
  const measure = measureOf(played, of);
  const rows = cellsOf(played).flatMap(({ factor, level, rows, condition, against }) => {
    const found = meanOverGames(rows, of, { ...measure, unit: played.unit });
    if (!found) return [];
    const { value: mean, low = mean, high = mean, n } = found;
    return [{ factor, level, kind: condition === against ? "default" : "varied", mean, low, high, n }];
  });
  const x = nominal("level", [...new Set(rows.map(({ level }) => level))].sort(byLevel), { axis: { labelAngle: 0 } });
  const [least, most] = [Math.min(...rows.map(({ low }) => low)), Math.max(...rows.map(({ high }) => high))];
  const rim = 0.08 * (most - least); // a mark at the rim of one panel would move its title
  const y = quantitative("mean", measure.title, { scale: { domain: [least - rim, most + rim], nice: false }, axis: { tickCount: 6 } });
  const kinds = ["default", "varied"];
  return figureOf({
    id: `sweeps-${played.study}-${of}`,
    title: `${measure.title} over AriGraph's constants`,
    subtitle: `backbone: ${played.backbone}`,
    caption: experimentCaption(
      played,
      `Means of ${measure.title}, one factor varied at a time, the others at their default. ${DEFAULT_TEXT}`,
    ),
    rows,
    fields: [["text", "factor", "level", "kind"], ["number", "mean", "low", "high"], ["integer", "n"]],
    facet: nominal("factor", [...new Set(rows.map(({ factor }) => factor))]),
    columns: 4,
    resolve: { scale: { x: "independent" } },
    spec: {
      width: 130,
      height: 130,
      layer: intervalPoint({
        ...{ x, y, low: "low", high: "high" },
        color: category("kind", kinds, ["black", PALETTE[0]]),
        shape: category("kind", kinds, ["diamond", "circle"]),
      }),
    },
  });
}
