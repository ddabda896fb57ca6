/**
 * What `./lab reproduce` plays of each paper.
 *
 * @module
 */

import { arigraphParts } from "./arigraph/parts.ts";
import { graphmindParts } from "./graphmind/parts.ts";
import type { Part, PartChoices } from "./study-options.ts";
import { reasonPlannerParts } from "./reasonplanner/report.ts";
import { weseParts } from "./wese/report.ts";

/** A paper's parts, chosen by the options. A new paper is one file and one line. */
export const PAPERS: Readonly<Record<string, (values: PartChoices) => Part[]>> = {
  arigraph: arigraphParts,
  graphmind: graphmindParts,
  reasonplanner: reasonPlannerParts,
  wese: weseParts,
};
