/**
 * The four papers: their studies, what `./lab reproduce` plays of each, and verdicts on their
 * claims. The parts of one paper are in `labyrinth/papers/<paper>`.
 *
 * @module
 */

export type { PaperClaims } from "./claim-cases.ts";
export { type PaperChoices, type PaperPart, PAPERS } from "./parts.ts";
export { type CreateStudy, findStudy, STUDIES } from "./studies.ts";
export type { PartChoices, StudyOptions } from "./study-options.ts";
export { verdicts, VERDICTS_COLUMNS, type VerdictsOptions } from "./verdicts.ts";
