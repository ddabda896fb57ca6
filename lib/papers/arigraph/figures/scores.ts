/**
 * AriGraph's Figures 1B, 3 and 14: normalised scores, averaged over games, for each game, and over its steps; the paper's, its people's too, as marks.
 */

import { sampleStandardDeviation } from "simple-statistics";
import { HUMAN } from "../../../lab/human.ts";
import { countText, playerName, sampleText } from "../../../report/caption-text.ts";
import { exhibitRows } from "../../../report/exhibit-table.ts";
import { type Figure, figureOf } from "../../../report/figure.ts";
import { type StepRow, stepRows } from "../../../report/frame.ts";
import { bandsOf } from "../../../report/growth.ts";
import { bandLine, bandText, barWithPaper, belowAxis, type Channel, LINE_LEGEND, nominal, quantitative } from "../../../report/marks.ts";
import { conditionName, conditionOrder, gameName, gameOrder } from "../../../report/textworld-names.ts";
import { paperTable } from "../../../report/paper.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { methodChannels } from "../../../report/styles.ts";
import { bestText, gamesExhibit, type GameTrial, gameTrials } from "../games.ts";

/** A cell of Table 4 over the completed attempts: the mean of all with its standard deviation, that of the best 3, and the paper's; null of nothing. */
type Score =
  & Readonly<Record<"game" | "condition", string> & { n: number; isHard: boolean }>
  & Readonly<Record<"mean" | "low" | "high" | "best3" | "paper", number | null>>;

/** People as the paper has them. */
const PEOPLE = ["Human Top-3", "Human All"];
/** Axes of scores end here: one method, chance, does far worse in one game. */
const FLOOR = -0.1;

function scoreAxis(field: string, most: number): Channel {
  const axis = { values: [0, 0.25, 0.5, 0.75, 1] };
  return quantitative(field, "normalised score", { scale: { domain: [FLOOR, most], nice: false }, axis });
}

/** The mark of a score that lies below the axis. */
function belowText(score: number | null): string {
  return score === null || score >= FLOOR ? "" : `▼ ${score.toFixed(2).replace("-", "−")}`;
}

/** The cells of Table 4 in order of game and condition, then the paper's people in these games. */
function gameScores({ reader, study, backbone }: ReportInput): Score[] {
  const read = reader.read({ trials: gameTrials }, study);
  const exhibit = gamesExhibit(read.trials, backbone);
  const cells = exhibitRows(exhibit, read, { allowIncomplete: true });
  return exhibit.columns.flatMap((column) => {
    const shared = { game: column.name, isHard: / Hard/.test(column.name) };
    const played = cells.filter((cell) => cell.column === column && cell.row.by === "all").flatMap(({ row: { condition }, value, n }) => {
      const best = cells.find((cell) => cell.column === column && cell.row.by === "best" && cell.row.condition === condition);
      if (value === null || !best || best.value === null) return [];
      const scores = read.trials.filter((trial) => trial.condition === condition && column.has?.(trial)).flatMap((one) =>
        one.normalised ?? []
      );
      const sd = scores.length > 1 ? sampleStandardDeviation(scores) : 0;
      const ours = { n, mean: value, low: value - sd, high: value + sd, best3: best.value };
      return [{ ...shared, condition: conditionName(condition), ...ours, paper: best.paper }];
    });
    const people = played.length === 0 ? [] : PEOPLE.flatMap((condition) => {
      const printed = paperTable("arigraph_table4_textworld").find(({ method }) => method === condition)?.[column.csv ?? ""] ?? "";
      const none = { n: 0, mean: null, low: null, high: null, best3: null };
      return printed === "" ? [] : [{ ...shared, condition, ...none, paper: Number(printed) }];
    });
    return [...played, ...people];
  });
}

/** How many attempts stand behind a cell that has any. */
function attemptsText(cells: readonly Score[]): string {
  return countText(cells.flatMap(({ n }) => n > 0 ? n : []), "attempt");
}

/** How subtitle and caption name the paper's marks of some methods, and the triangles of some scores; "" where none is drawn. */
function markTexts(
  rows: readonly { readonly name: string; readonly paper: number | null; readonly below: string }[],
  score: string,
): Record<"subtitle" | "caption" | "triangle", string> {
  const people = rows.flatMap(({ name, paper }) => paper === null ? [] : name.startsWith("Human"));
  const marks = [
    ...people.includes(false) ? [["gpt-4", "gpt-4, mean of the best 3 of 5"]] : [],
    ...people.includes(true) ? [["people", "people: the best three plays, and all"]] : [],
  ];
  const text = (at: number): string => marks.map((mark) => mark[at]).join("; ");
  return {
    subtitle: marks.length > 0 ? `; marks: the paper (${text(0)})` : "",
    caption: marks.length > 0 ? `; black marks: the paper's (${text(1)})` : "",
    triangle: rows.some(({ below }) => below !== "") ? ` A triangle names ${score} below the axis.` : "",
  };
}

/** Figure 3's panels. */
const PANELS = { A: "methods in the basic games", B: "methods in the harder games", C: "AriGraph and the paper's people" };

function panelsOf({ condition, isHard, game }: Score): string[] {
  const isPeople = condition.startsWith("Human");
  return [
    ...isHard ? [`B  ${game}`] : isPeople ? [] : [`A  ${game}`],
    ...!isHard && (isPeople || condition === "AriGraph") ? [`C  ${game}`] : [],
  ];
}

/** Figure 3: the mean of all attempts with its standard deviation by game and condition; black marks: the paper's people. */
export function scoresFigure(input: ReportInput): Figure | undefined {
  const cells = gameScores(input);
  if (cells.length === 0) return undefined;
  // a bar is the mean of all attempts, the paper's number of a model that of the best 3 of 5: no mark stands on it
  const unmarked = cells.map((cell) => cell.condition.startsWith("Human") ? cell : { ...cell, paper: null });
  const rows = unmarked.flatMap((cell) => panelsOf(cell).map((panel) => ({ panel, ...cell, below: belowText(cell.mean) }))).sort((a, b) =>
    a.panel.charCodeAt(0) - b.panel.charCodeAt(0)
  ); // games stay in order
  const order = [...new Set(cells.map(({ condition }) => condition))];
  const y = scoreAxis("mean", 1.05);
  const x = nominal("condition", order, { axis: { labels: false, ticks: false } });
  const { color } = methodChannels("condition", order);
  const texts = markTexts(rows.map((row) => ({ ...row, name: row.condition })), "a mean");
  const panels = Object.entries(PANELS).filter(([letter]) => rows.some(({ panel }) => panel.startsWith(letter)));
  return figureOf({
    id: `arigraph-fig3-${input.backbone}`,
    title: "Scores by game",
    subtitle: `bars: ${playerName(input.backbone)}${texts.subtitle}`,
    caption: `Normalised scores (after Figure 3), model: ${playerName(input.backbone)}, n = ${attemptsText(cells)} a bar. ` +
      `${panels.map((named) => named.join(": ")).join(", ")}. ` +
      `Bars: mean of all attempts, error bars: standard deviation of the sample, as in the paper${texts.caption}.${texts.triangle}`,
    rows,
    fields: [
      ...[["text", "panel", "game", "condition"], ["integer", "n"]] as const,
      ...[["number", "mean", "low", "high", "best3", "paper"], ["text", "below"]] as const,
    ],
    facet: nominal("panel", [...new Set(rows.map(({ panel }) => panel))], { header: { labelAnchor: "start" } }),
    columns: 3,
    resolve: { scale: { x: "independent" } },
    spec: {
      width: 150,
      height: 100,
      layer: [
        ...barWithPaper({ x, y, color, low: "low", high: "high", paper: "paper" }),
        belowAxis({ x, keep: "true" }, { floor: 0.03, angle: 270 }),
      ],
    },
  });
}

/** Figure 1B: the mean of the best 3 attempts (of fewer, all), averaged over the games that every condition has completed; black marks: the paper's people. */
export function averageFigure(input: ReportInput): Figure | undefined {
  const { backbone } = input;
  const cells = gameScores(input);
  if (cells.length === 0) return undefined;
  const conditions = [...new Set(cells.map(({ condition }) => condition))].sort();
  const games = [...new Set(cells.map(({ game }) => game))].filter((game) =>
    conditions.every((name) => PEOPLE.includes(name) || cells.some((cell) => cell.game === game && cell.condition === name))
  );
  const shared = cells.filter(({ game }) => games.includes(game));
  const bars = (games.length === 0 ? [] : conditions).flatMap((method) => {
    const own = shared.filter(({ condition }) => condition === method);
    // the paper's means of models are of the best 3 of 5, whatever ours are of: only people have a mark
    const [score, paper] = (["best3", "paper"] as const).map((key) =>
      own.length < games.length || (key === "paper" && !PEOPLE.includes(method)) ? null : average(own.map((one) => one[key]))
    );
    return score === null && paper === null ? [] : [{ method, games: games.length, score, paper, below: belowText(score ?? null) }];
  }).sort((a, b) => (b.score ?? b.paper ?? 0) - (a.score ?? a.paper ?? 0) || (a.method < b.method ? -1 : 1));
  const x = quantitative("score", "normalised score, average over games", { scale: { domain: [FLOOR, 1.05], nice: false } });
  const names = bars.map(({ method }) => method);
  const texts = markTexts(bars.map((bar) => ({ ...bar, name: bar.method, paper: bar.paper ?? null })), "an average");
  const best = [...new Set(shared.flatMap(({ n }) => n > 0 ? bestText(n) : []))].join(" or ");
  const y = nominal("method", names);
  return figureOf({
    id: `arigraph-fig1b-${backbone}`,
    title: "Average over games",
    subtitle: `bars: ${playerName(backbone)}${texts.subtitle}`,
    caption:
      `Average over ${games.join(", ") || "no game that all methods completed"} (after Figure 1B), model: ${playerName(backbone)}, ` +
      `n = ${attemptsText(shared)} a game. ` +
      `Bars: mean of the ${best || "best"} attempts, averaged over the games that every method shown has completed` +
      `${texts.caption && `${texts.caption} over the same games`}. A mean of the best has no interval.${texts.triangle}`,
    rows: bars,
    fields: [["text", "method"], ["integer", "games"], ["number", "score", "paper"], ["text", "below"]],
    width: 380,
    height: { step: 14 },
    layer: [
      { mark: { type: "bar", clip: true }, encoding: { x, y, color: { ...methodChannels("method", names).color, legend: null } } },
      {
        transform: [{ filter: "isValid(datum.paper)" }],
        mark: { type: "tick", thickness: 2, color: "black" },
        encoding: { x: { ...x, field: "paper" }, y },
      },
      {
        transform: [{ filter: "datum.below !== ''" }],
        mark: { type: "text", fontSize: 7, align: "left", dx: 2 },
        encoding: { x: { datum: 0 }, y, text: { field: "below", type: "nominal" } },
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
  const all = scoreRows(attempts);
  const last = new Map(all.map((row) => [`${row.game}/${row.condition}`, row.score]));
  const rows = all.map((row, index) => {
    const falls = row.score < FLOOR && (all[index - 1]?.score ?? 0) >= FLOOR && row.step > 0;
    const end = last.get(`${row.game}/${row.condition}`) ?? 0;
    return { ...row, below: falls ? belowText(end) : "" };
  });
  const y = scoreAxis("score", 1);
  const planned = attempts.toSorted((a, b) => conditionOrder(a.condition) - conditionOrder(b.condition));
  const names = [...new Set(planned.map(({ condition }) => conditionName(condition)))];
  const { color, strokeDash } = methodChannels("condition", names, LINE_LEGEND);
  const x = quantitative("step", "step");
  const unneeded = attempts.some(({ pass }) => pass === null) ? ", and a trial after one that won is flat at its score" : "";
  return figureOf({
    id: `arigraph-fig14-${backbone}`,
    title: "Score over steps",
    subtitle: `model: ${playerName(backbone)}`,
    caption: `Score over the steps of a game (after Figure 14), model: ${playerName(backbone)}, ${sampleText(attempts, "line")}. ` +
      `Mean over all attempts of a condition${bandText(names.length, "band from the worst to the best attempt")}; an attempt that ended ` +
      `keeps its last score${unneeded}.` +
      (rows.some(({ below }) => below !== "") ? " A triangle names the last score of a line that falls below the axis." : ""),
    rows,
    fields: [["text", "game", "condition"], ["integer", "step", "attempts"], ["number", "score", "worst", "best"], ["text", "below"]],
    facet: nominal("game", [...new Set(rows.map(({ game }) => game))]),
    columns: 3,
    resolve: { scale: { x: "independent" } },
    spec: {
      width: 220,
      height: 170,
      layer: [
        ...bandLine({ x, y, low: "worst", high: "best", color, strokeDash, lines: names.length }),
        belowAxis({ x, keep: "datum.step === 0" }, { floor: FLOOR }),
      ],
    },
  });
}

/** Returns the completed attempts of which steps are recorded; a trial of Reflexion has the steps of its pass, one that
 * was not played, since an earlier one won, the score of that one at each of its steps. */
function attemptsOf(trials: readonly GameTrial[], steps: readonly StepRow[]): Attempt[] {
  const byEpisode = Map.groupBy(steps, ({ episode }) => episode);
  return trials.filter(({ status }) => status === "completed").flatMap((trial) => {
    const all = byEpisode.get(trial.episode) ?? [];
    const own = all.filter(({ pass }) => trial.pass === undefined || trial.pass === pass);
    const length = trial.pass === null && all.length > 0 ? (trial.steps ?? 0) + 1 : 0;
    const scores = Array.from({ length }, () => trial.normalised ?? 0);
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
