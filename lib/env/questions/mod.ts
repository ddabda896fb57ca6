/**
 * Questions over paragraphs as worlds of this process: official sets where a user has them, and an encyclopedia of our own.
 *
 * @module
 */
export { createEncyclopedia, type Encyclopedia, type EncyclopediaOptions, type EncyclopediaQuestion, type Page } from "./encyclopedia.ts";
export { hotpotqa } from "./hotpotqa.ts";
export { musique } from "./musique.ts";
export type { Paragraph, Question, QuestionSet } from "./question.ts";
export { finish, openQuestion, type QuestionWorldOptions } from "./world.ts";
