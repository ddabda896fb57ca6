/**
 * Questions over paragraphs as worlds of this process: official sets where a user has them, and an encyclopedia of our own.
 *
 * @module
 */
export { createEncyclopedia, type Encyclopedia, type EncyclopediaOptions, type EncyclopediaQuestion, type Page } from "./encyclopedia.ts";
export { fever } from "./fever.ts";
export { hotpotqa } from "./hotpotqa.ts";
export { musique } from "./musique.ts";
export type { OfficialFile } from "./data-folder.ts";
export type { OfficialSet } from "./official-set.ts";
export type { Paragraph, Question, QuestionSet } from "./question.ts";
export type { WikiPages } from "./wiki-index.ts";
export { createWikiPages } from "./wiki-pages.ts";
export { openWiki, type WikiTask, type WikiWorldOptions } from "./wiki.ts";
export { finish, openQuestion, type QuestionWorldOptions } from "./world.ts";
