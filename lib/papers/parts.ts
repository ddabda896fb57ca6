/**
 * What `./lab reproduce` plays of each paper, and the notebooks that make its tables and figures of
 * it.
 */

import type { Study } from "../lab/study.ts";
import { nethackStudy } from "./arigraph/nethack.ts";
import { arigraphQuestionsStudy, questionSetsAtHand } from "./arigraph/questions.ts";
import { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./arigraph/textworld-study.ts";
import { graphmindStudy } from "./graphmind/study.ts";
import { lookAheadStudy, reasonPlannerStudy } from "./reasonplanner/study.ts";
import type { PartChoices, StudyOptions } from "./study-options.ts";
import { weseStudy } from "./wese/study.ts";

/** A study of a paper, and the notebooks that show it. */
export interface PaperPart {
  /** What is played. */
  readonly study: Study;
  /** Their names, e.g. `04_graphmind_babyai`. */
  readonly notebooks: readonly string[];
}

/** What is chosen of a paper: who plays it, and whether it is played as often as the paper did. */
export type PaperChoices = StudyOptions & Pick<PartChoices, "full">;

/** The parts of each paper, in the order of its notebooks. A new paper is one line. */
export const PAPERS: Readonly<Record<string, (choices: PaperChoices) => PaperPart[]>> = {
  arigraph: (choices) => [
    {
      study: arigraphStudy(choices),
      notebooks: ["01_arigraph_textworld", "03_arigraph_ablations"],
    },
    ...[rlBenchmarkStudy, randomWalkStudy].map((make) => ({
      study: make(choices),
      notebooks: ["01_arigraph_textworld"],
    })),
    {
      study: arigraphQuestionsStudy({ ...choices, only: questionSetsAtHand(choices) }),
      notebooks: ["02_arigraph_questions"],
    },
    { study: nethackStudy(choices), notebooks: ["07_nethack"] },
  ],
  graphmind: (choices) => [{
    study: graphmindStudy(choices),
    notebooks: ["04_graphmind_babyai", "04b_graphmind_results"],
  }],
  reasonplanner: (choices) =>
    [reasonPlannerStudy, lookAheadStudy]
      .map((make) => ({ study: make(choices), notebooks: ["05_reasonplanner_scienceworld"] })),
  wese: (choices) => [{ study: weseStudy(choices), notebooks: ["06_wese"] }],
};
