/**
 * The four papers: the list of their studies, and what `./lab reproduce` plays of each. What
 * belongs to one paper alone is in
 * `labyrinth/papers/<paper>`.
 *
 * @module
 */

export { type PlannedClaim, plannedClaims, plannedClaimsText } from "./claim-plan.ts";
export { type PaperChoices, type PaperPart, PAPERS } from "./parts.ts";
export { type CreateStudy, findStudy, STUDIES } from "./studies.ts";
export type { PartChoices, StudyOptions } from "./study-options.ts";
