/**
 * The four papers: the list of their studies, what `./lab reproduce` plays of each, and what became
 * of their claims. What belongs to one paper alone is in `labyrinth/papers/<paper>`.
 *
 * @module
 */

export type { PaperClaims } from "./claim-cases.ts";
export { type PlannedClaim, plannedClaims, plannedClaimsText } from "./claim-plan.ts";
export { type PaperChoices, type PaperPart, PAPERS } from "./parts.ts";
export { type CreateStudy, findStudy, STUDIES } from "./studies.ts";
export type { PartChoices, StudyOptions } from "./study-options.ts";
export { verdicts, VERDICTS_COLUMNS, type VerdictsOptions } from "./verdicts.ts";
