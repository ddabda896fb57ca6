/** What the lab rebuilds of the GraphMind paper from one study's trials, and what `./lab reproduce` plays. */

import type { TableOptions } from "../../report/exhibit-table.ts";
import { type Report, reportOf, type StudyReport } from "../../report/study-report.ts";
import type { Store } from "../../store/open.ts";
import { graphmindCases } from "./cases.ts";
import { GRAPHMIND_LEDGER, GRAPHMIND_TABLES, inStudy } from "./exhibits.ts";
import { gedFigure, graphmindGrowthFigure, successByGedFigure, successBySizeFigure } from "./figures/distributions.ts";
import type { Part, PartChoices } from "../study-options.ts";
import { graphmindStudy } from "./study.ts";
import { graphmindTrials } from "./trials.ts";

/** Tables 2 to 8, Appendix C, verdicts, repeated prompts, tokens of trajectories; Figures 1 and 3 to 11, success, growth; and the ledger. */
export const GRAPHMIND_REPORT: StudyReport = {
  exhibits: ({ reader, study }) => {
    const { trials } = reader.read({ trials: graphmindTrials }, study);
    return GRAPHMIND_TABLES.map((exhibit) => inStudy(exhibit, trials));
  },
  figures: (input) => {
    const { trials } = input.reader.read({ trials: graphmindTrials }, input.study);
    return [
      ...graphmindCases(input.store, trials, input),
      gedFigure(trials, input),
      successByGedFigure(trials, input),
      successBySizeFigure(input),
      graphmindGrowthFigure(input),
    ].filter((figure) => figure !== undefined);
  },
  ledger: GRAPHMIND_LEDGER,
};

/**
 * Makes the tables, figures and ledger of a study of GraphMind.
 *
 * @param options `allowIncomplete` shows means where planned trials are missing; else such cells say `incomplete`
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @example
 * ```ts
 * import { graphmindReport } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => graphmindReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function graphmindReport(store: Store, study: string, options: TableOptions = {}): Report {
  return reportOf(GRAPHMIND_REPORT, store, study, options);
}

/** The one study, of what `--only` names, or of a user's layouts (`--games`). @throws {UsageError} for a name or an option that it cannot take. */
export function graphmindParts(values: PartChoices): Part[] {
  return [{ study: graphmindStudy(values), report: GRAPHMIND_REPORT, ordinary: "graphmind-quick" }];
}
