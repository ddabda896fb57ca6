/**
 * AriGraph's Figures 1B, 3 and 14: normalised scores, averaged over games, for each game, and over its steps; the paper's as marks.
 *
 * @module
 */

import { HUMAN } from "../../../lab/human.ts";
import { countText, sampleText } from "../../../report/counts.ts";
import { exhibitRows } from "../../../report/exhibit-table.ts";
import { type Figure, figureOf, PALETTE } from "../../../report/figure.ts";
import { type StepRow, stepRows } from "../../../report/frame.ts";
import { bandsOf } from "../../../report/growth.ts";
import { bandLine, barWithPaper, LINE_LEGEND, nominal, quantitative } from "../../../report/marks.ts";
import { conditionName, conditionOrder, gameName, gameOrder } from "../../../report/names.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { gamesExhibit, type GameTrial, gameTrials } from "../games.ts";

/** A cell of Table 4 over the completed attempts. */
type Score = Readonly<
  Record<"game" | "condition", string> & Record<"n" | "mean" | "low" | "high" | "best3", number> & { paper: number | null }
>;

/** The cells of Table 4 in order of game and condition. */
function gameScores({ reader, study, backbone }: ReportInput): Score[] {
  const read = reader.read({ trials: gameTrials }, study);
  const exhibit = gamesExhibit(read.trials, backbone);
  const cells = exhibitRows(exhibit, read, { allowIncomplete: true });
  return exhibit.columns.flatMap((column) =>
    cells.filter((cell) => cell.column === column && cell.row.by === "all").flatMap(({ row: { condition }, value, low, high, n }) => {
      const best = cells.find((cell) => cell.column === column && cell.row.by === "best" && cell.row.condition === condition);
      if (value === null || !best || best.value === null) return [];
      const ours = { n, mean: value, low: low ?? value, high: high ?? value, best3: best.value };
      return [{ game: column.name, condition: conditionName(condition), ...ours, paper: best.paper }];
    })
  );
}

/** Figure 3: the mean of all attempts with its interval by game and condition; black marks: the paper's mean of the best 3. */
export function scoresFigure(input: ReportInput): Figure | undefined {
  const cells = gameScores(input);
  if (cells.length === 0) return undefined;
  const lowest = Math.min(0, ...cells.map(({ low }) => low));
  const order = [...new Set(cells.map(({ condition }) => condition))];
  return figureOf({
    id: `arigraph-fig3-${input.backbone}`,
    title: "Scores by game",
    subtitle: `bars: ${input.backbone}; marks: the paper (gpt-4)`,
    caption: `Normalised scores (after Figure 3), backbone ${input.backbone}, n = ${
      countText(cells.map(({ n }) => n), "attempt")
    } a bar. ` +
      `Bars: mean of all attempts with a seeded 95 % percentile bootstrap interval; black marks: the paper's mean of the best 3 of 5 (gpt-4).`,
    rows: cells,
    fields: [["text", "game", "condition"], ["integer", "n"], ["number", "mean", "low", "high", "best3", "paper"]],
    facet: nominal("game", [...new Set(cells.map(({ game }) => game))]),
    columns: 4,
    spec: {
      width: { step: BAR },
      height: 180,
      layer: barWithPaper({
        x: nominal("condition", order, { axis: { labels: false, ticks: false } }),
        y: quantitative("mean", "normalised score", { scale: { domain: [lowest, 1] } }),
        color: nominal("condition", order),
        ...{ low: "low", high: "high", paper: "paper", tickWidth: BAR },
      }),
    },
  });
}

/** Width of a bar with its gap, px. */
const BAR = 18;

/** Figure 1B: the mean of the best 3 attempts, averaged over the games that every condition has completed; black marks: the same of the paper. */
export function averageFigure(input: ReportInput): Figure | undefined {
  const { backbone } = input;
  const cells = gameScores(input);
  if (cells.length === 0) return undefined;
  const conditions = [...new Set(cells.map(({ condition }) => condition))].sort();
  const games = [...new Set(cells.map(({ game }) => game))]
    .filter((game) => conditions.every((condition) => cells.some((cell) => cell.game === game && cell.condition === condition)));
  const shared = cells.filter(({ game }) => games.includes(game));
  const bars = (games.length === 0 ? [] : conditions).map((method) => {
    const own = shared.filter(({ condition }) => condition === method);
    return { method, games: games.length, score: average(own.map(({ best3 }) => best3)), paper: average(own.map(({ paper }) => paper)) };
  }).sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || (a.method < b.method ? -1 : 1));
  const x = quantitative("score", "normalised score, average over games", {
    axis: { tickCount: 6 }, // of more, labels would be left out, that of 0 among them
    scale: { domain: [Math.min(0, ...bars.map(({ score }) => score ?? 0)), 1] },
  });
  const y = nominal("method", bars.map(({ method }) => method), { axis: { labelLimit: 260 } });
  return figureOf({
    id: `arigraph-fig1b-${backbone}`,
    title: "Average over games",
    subtitle: `bars: ${backbone}; marks: the paper (gpt-4)`,
    caption: `Average over ${games.join(", ") || "no game that all methods completed"} (after Figure 1B), backbone ${backbone}, ` +
      `n = ${countText(shared.map(({ n }) => n), "attempt")} a game. ` +
      "Bars: mean of the best 3 attempts, averaged over the games that every method shown has completed; " +
      "black marks: the paper's (gpt-4, best 3 of 5) over the same games. A mean of the best has no interval.",
    rows: bars,
    fields: [["text", "method"], ["integer", "games"], ["number", "score", "paper"]],
    width: 380,
    height: { step: 26 },
    layer: [
      { mark: { type: "bar", color: PALETTE[0] }, encoding: { x, y } },
      {
        transform: [{ filter: "isValid(datum.paper)" }],
        mark: { type: "tick", thickness: 3, color: "black" },
        encoding: { x: { ...x, field: "paper" }, y },
      },
    ],
  });
}

/** The average; null where a number is missing. */
function average(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

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
