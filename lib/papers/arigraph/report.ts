/** What the lab rebuilds of the AriGraph paper, and the parts that `./lab reproduce` plays. */

import { missingFile } from "../../core/env/questions/data-folder.ts";
import { hotpotqa, musique } from "../../core/env/questions/official-sets.ts";
import { UsageError } from "../../core/errors.ts";
import type { Study } from "../../lab/study.ts";
import { EPISODE_COLUMNS, episodeRows, frameOf } from "../../report/frame.ts";
import { type MakeReport, makeReport, type StudyReport } from "../../report/study-report.ts";
import { comparisonsTable } from "../../report/tables/comparisons.ts";
import type { Part, PartChoices } from "../study-options.ts";
import { ATTRIBUTION_REPORT, attributionStudy } from "./attribution.ts";
import { ARIGRAPH_PARTS } from "./conditions.ts";
import { COSTS_LEDGER, costsExhibit, costTrials } from "./costs.ts";
import { gameMaps, graphGrowthFigure, memoryFigure, randomWalkFigure } from "./figures/graphs.ts";
import { dungeonStripFigure, nethackGrowthFigure, nethackProgressFigure } from "./figures/nethack.ts";
import { averageFigure, scoresFigure, scoreStepsFigure } from "./figures/scores.ts";
import { GAMES_LEDGER, gamesExhibit, gameTrials } from "./games.ts";
import { nethackExhibit, nethackStudy, nethackTrials } from "./nethack.ts";
import { arigraphQuestionsStudy, QUESTIONS_LEDGER, questionsExhibit, questionTrials } from "./questions.ts";
import { RL_LEDGER, rlBenchmarkFigure, rlExhibit, rlTrials } from "./rl-benchmark.ts";
import { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./textworld-study.ts";

/** Everything that is made of a study of AriGraph, whichever experiments it has. */
export const ARIGRAPH_REPORT: StudyReport = {
  exhibits: ({ reader, study, backbone }) => [
    gamesExhibit(reader.read({ trials: gameTrials }, study).trials, backbone),
    nethackExhibit(reader.read({ trials: nethackTrials }, study).trials),
    questionsExhibit(reader.read({ trials: questionTrials }, study).trials, backbone),
    ...(["step", "task"] as const).map((unit) => costsExhibit(reader.read({ trials: costTrials }, study).trials, { unit, backbone })),
    rlExhibit(reader.read({ trials: rlTrials }, study).trials, backbone),
  ],
  tables: ({ store, study, backbone, reader, allowIncomplete }) => {
    const own = new Set(reader.read({ trials: gameTrials }, study).trials.map(({ episode }) => episode));
    const rows = episodeRows(store, study).filter(({ episode }) => own.has(episode));
    if (new Set(rows.map(({ condition }) => condition)).size < 2) return [];
    return [comparisonsTable(frameOf(rows, EPISODE_COLUMNS), { backbone, allowIncomplete })];
  },
  figures: [
    ...[averageFigure, scoresFigure, scoreStepsFigure, graphGrowthFigure, memoryFigure, rlBenchmarkFigure, randomWalkFigure],
    ...[nethackProgressFigure, nethackGrowthFigure, dungeonStripFigure],
  ],
  maps: [gameMaps],
  ledger: {
    prefix: "arigraph-",
    ofEveryForm: ["arigraph-rl-benchmark", "arigraph-random-walk"],
    title: "AriGraph: the paper's numbers and ours",
    claims: { file: "arigraph_claims" },
    exhibits: [nethackExhibit(), QUESTIONS_LEDGER, COSTS_LEDGER, GAMES_LEDGER, RL_LEDGER],
  },
};

/**
 * Makes of text games Tables 3 and 4, Figures 1B, 3, 5 and 14, paired comparisons, a memory graph and maps (after Figures 7 to 12); of questions
 * Table 2; of NetHack Table 1 and Figure 13; of the RL benchmark Figure 4; of random walks Figure 6; and the ledger.
 */
export const arigraphReport: MakeReport = makeReport(() => ARIGRAPH_REPORT);

/** The parts besides the games of Table 4, by the name that `--only` takes; a part `refuses` options that it cannot take, with `refusal`. */
const PARTS: Readonly<Record<(typeof ARIGRAPH_PARTS)[number], PartForm>> = {
  "rl-benchmark": { create: rlBenchmarkStudy },
  "random-walk": {
    create: randomWalkStudy,
    refuses: ["games", "only"],
    refusal: "--only random-walk walks through Cleaning: leave out --games and other names",
  },
  nethack: { create: nethackStudy, refuses: ["games"], refusal: "--only nethack plays NetHack's own games: leave out --games" },
  questions: {
    create: arigraphQuestionsStudy,
    refuses: ["games", "attempts"],
    refusal: "--only questions plays no games and asks each question once: leave out --games and --attempts",
  },
  attribution: {
    create: attributionStudy,
    refuses: ["games", "attempts"],
    refusal: "--only attribution plays no games and asks each question once: leave out --games and --attempts",
    report: ATTRIBUTION_REPORT,
    ordinary: "attribution-arigraph",
  },
};

interface PartForm {
  readonly create: (values: PartChoices) => Study;
  readonly refuses?: readonly (keyof PartChoices)[];
  readonly refusal?: string;
  /** A report of its own; then the part is played where it is named alone. */
  readonly report?: StudyReport;
  readonly ordinary?: string;
}

/** The parts that `--only` names, or all; other names in it, and `--games`, choose among the games of Table 4. @throws {UsageError} what a part refuses. */
export function arigraphParts(values: PartChoices): Part[] {
  const { only = [], full, games } = values;
  const chosen = { ...values, only: only.filter((name) => !Object.hasOwn(PARTS, name)) };
  const named = ARIGRAPH_PARTS.filter((name) => only.includes(name));
  if (named.length > 0) return named.map((name) => partOf(name, chosen)); // a part that is named is never played with other questions in its place
  const first: Part = { study: arigraphStudy(chosen), report: ARIGRAPH_REPORT, ordinary: "arigraph-quick" };
  if (values.only !== undefined || games !== undefined) return [first];
  const others = ARIGRAPH_PARTS.filter((name) => !PARTS[name].report).map((name) => ({
    name,
    part: partOf(name, { ...values, attempts: undefined }),
  }));
  return [first, ...others.map(({ name, part }): Part => full && name === "questions" ? questionsAtHand(values, part) : part)];
}

/** The official sets of questions, which are files that a user may lack; or as many questions of our own. */
function questionsAtHand(values: PartChoices, official: Part): Part {
  if ([musique, hotpotqa].some(({ file }) => missingFile(file) === undefined)) return { ...official, optional: true };
  return { ...official, study: arigraphQuestionsStudy({ ...values, only: ["encyclopedia"] }) };
}

function partOf(name: keyof typeof PARTS, values: PartChoices): Part {
  const { create, refuses = [], refusal, report = ARIGRAPH_REPORT, ordinary = `arigraph-${name}` } = PARTS[name];
  if (refuses.some((option) => values[option] !== undefined && values[option]?.toString() !== "")) throw new UsageError(`${refusal}`);
  return { study: create(values), report, ordinary };
}
