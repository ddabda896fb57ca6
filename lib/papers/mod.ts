/**
 * The four papers: the list of their studies, and what `./lab reproduce` plays of each. What belongs to one paper alone is in
 * `labyrinth/papers/<paper>`.
 *
 * @module
 */
import "../offline/mod.ts"; // studies play offline unless told otherwise

export type { Part, PartChoices } from "./part.ts";
export { PAPERS } from "./parts.ts";
export { findStudy, STUDIES, type StudyChoices, type StudyEntry } from "./studies.ts";
export type { StudyOptions } from "./study-options.ts";
