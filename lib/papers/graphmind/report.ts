/** What the lab rebuilds of the GraphMind paper from one study's trials, and what `./lab reproduce` plays. */

import { type MakeReport, makeReport, type StudyReport } from "../../report/study-report.ts";
import { graphmindCases } from "./cases.ts";
import { GRAPHMIND_LEDGER, GRAPHMIND_TABLES, inStudy } from "./exhibits.ts";
import { gedFigure, graphmindGrowthFigure, successByGedFigure, successBySizeFigure } from "./figures/distributions.ts";
import type { Part, PartChoices } from "../study-options.ts";
import { planTables } from "./plans.ts";
import { graphmindStudy } from "./study.ts";
import { graphmindTrials } from "./trials.ts";

/** Tables 2 to 8, Appendix C, verdicts, repeated prompts, tokens of trajectories; Figures 1 and 3 to 11 (4(b), the plans' text, as a table), success, growth; and the ledger. */
export const GRAPHMIND_REPORT: StudyReport = {
  exhibits: ({ reader, study }) => {
    const { trials } = reader.read({ trials: graphmindTrials }, study);
    return GRAPHMIND_TABLES.map((exhibit) => inStudy(exhibit, trials));
  },
  tables: planTables,
  figures: [graphmindCases, gedFigure, successByGedFigure, successBySizeFigure, graphmindGrowthFigure],
  ledger: GRAPHMIND_LEDGER,
};

/** Makes Tables 2 to 8, Figures 1 and 3 to 11, what else is in `GRAPHMIND_REPORT`, and the ledger. */
export const graphmindReport: MakeReport = makeReport(() => GRAPHMIND_REPORT);

/** The one study, of what `--only` names, or of a user's layouts (`--games`). @throws {UsageError} for a name or an option that it cannot take. */
export function graphmindParts(values: PartChoices): Part[] {
  return [{ study: graphmindStudy(values), report: GRAPHMIND_REPORT, ordinary: "graphmind-quick" }];
}
