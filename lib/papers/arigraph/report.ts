/** The tables and figures of AriGraph's questions and of NetHack. Those of its text games are made in the notebooks 01 and 03. */

import { type MakeReport, makeReport, type StudyReport } from "../../report/study-report.ts";
import { dungeonStripFigure, nethackGrowthFigure, nethackProgressFigure } from "./figures/nethack.ts";
import { nethackExhibit, nethackTrials } from "./nethack.ts";
import { QUESTIONS_LEDGER, questionsExhibit, questionTrials } from "./questions.ts";

const ARIGRAPH_REPORT: StudyReport = {
  exhibits: ({ reader, study, backbone }) => [
    nethackExhibit(reader.read({ trials: nethackTrials }, study).trials),
    questionsExhibit(reader.read({ trials: questionTrials }, study).trials, backbone),
  ],
  figures: [nethackProgressFigure, nethackGrowthFigure, dungeonStripFigure],
  ledger: {
    prefix: "arigraph-",
    title: "AriGraph: the paper's numbers and ours",
    claims: { file: "arigraph_claims" },
    exhibits: [nethackExhibit(), QUESTIONS_LEDGER],
  },
};

/** Makes Table 2 of questions; of NetHack Table 1 and figures after Figure 13; and the ledger. */
export const arigraphReport: MakeReport = makeReport(() => ARIGRAPH_REPORT);
