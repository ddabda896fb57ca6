/** Trials read as those of a study, without a store. */

import type { Trial } from "../../../lib/report/estimate.ts";
import type { StudyRead } from "../../../lib/report/exhibit.ts";

export function readOf<T extends Trial>(trials: readonly T[], backbone = "offline"): StudyRead<T> {
  return { study: "s", backbone, embedder: "", trials, costs: new Map() };
}
