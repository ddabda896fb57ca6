/**
 * AriGraph's Figure 14: the normalised score over the steps of each game, one line a condition.
 *
 * @module
 */

import { HUMAN } from "../../../lab/human.ts";
import { type Figure, figureOf } from "../../../report/figure.ts";
import { type StepRow, stepRows } from "../../../report/frame.ts";
import { bandsOf } from "../../../report/growth.ts";
import { bandLine, LINE_LEGEND, nominal, quantitative } from "../../../report/marks.ts";
import { conditionName, conditionOrder, gameName, gameOrder } from "../../../report/names.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { sampleText } from "../../../report/counts.ts";
import { type GameTrial, gameTrials } from "../games.ts";

/** The scores after the recorded steps of an attempt, from step 0. */
interface Attempt extends GameTrial {
  readonly scores: readonly number[];
}

/** Draws a panel for each game: the mean over all attempts of a condition, with a band from the worst to the best. */
export function scoreStepsFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const { trials } = reader.read({ trials: gameTrials }, study);
  const attempts = attemptsOf(trials, [
    ...stepRows(store, study),
    ...trials.some(({ condition }) => condition === HUMAN) ? stepRows(store, HUMAN) : [],
  ]);
  if (attempts.length === 0) return undefined;
  const rows = scoreRows(attempts);
  const lowest = Math.min(0, ...rows.map(({ worst }) => worst));
  const y = quantitative("score", "normalised score", { scale: { domain: [lowest, 1] } });
  const color = nominal("condition", [...new Set(rows.map(({ condition }) => condition))], { legend: LINE_LEGEND });
  return figureOf({
    id: `arigraph-fig14-${backbone}`,
    title: "Score over steps",
    subtitle: `backbone: ${backbone}`,
    caption: `Score over the steps of a game (after Figure 14), backbone ${backbone}, ${sampleText(attempts, "line")}. ` +
      `Mean over all attempts of a condition, band from the worst to the best attempt; an attempt that ended keeps its last score.`,
    rows,
    fields: [["text", "game", "condition"], ["integer", "step", "attempts"], ["number", "score", "worst", "best"]],
    facet: nominal("game", [...new Set(rows.map(({ game }) => game))]),
    columns: 3,
    resolve: { scale: { x: "independent" } },
    spec: {
      width: 220,
      height: 170,
      layer: bandLine({ x: quantitative("step", "step"), y, low: "worst", high: "best", color, fillOpacity: 0.15 }),
    },
  });
}

/** Returns the completed attempts of which steps are recorded; a trial of Reflexion has the steps of its pass. */
function attemptsOf(trials: readonly GameTrial[], steps: readonly StepRow[]): Attempt[] {
  const byEpisode = Map.groupBy(steps, ({ episode }) => episode);
  return trials.filter(({ status }) => status === "completed").flatMap((trial) => {
    const own = (byEpisode.get(trial.episode) ?? []).filter(({ pass }) => trial.pass === undefined || trial.pass === pass);
    const scores: number[] = [];
    for (const { step, normalised } of own) scores[step] = normalised ?? 0;
    return scores.length === 0 ? [] : [{ ...trial, scores }];
  });
}

/** Returns the mean, the worst and the best score by game, condition and step, up to the last step of any attempt. */
function scoreRows(
  attempts: readonly Attempt[],
): Readonly<Record<"game" | "condition", string> & Record<"step" | "attempts" | "score" | "worst" | "best", number>>[] {
  const cells = Map.groupBy(attempts, ({ game, condition }) => JSON.stringify([game, condition]));
  return [...cells.values()].flatMap((cell) => cell[0] ? [{ ...cell[0], cell }] : [])
    .sort((a, b) =>
      gameOrder(a.game) - gameOrder(b.game) || conditionOrder(a.condition) - conditionOrder(b.condition) ||
      (a.condition < b.condition ? -1 : 1)
    ).flatMap(({ game, condition, cell }) =>
      bandsOf(cell.map(({ scores }) => scores)).map(({ step, n, mean, least, most }) => ({
        ...{ game: gameName(game), condition: conditionName(condition), step },
        ...{ attempts: n, score: mean, worst: least, best: most },
      }))
    );
}
