/**
 * Questions over paragraphs as worlds of this process: official sets where a user has them, and an encyclopedia of our own.
 *
 * @module
 */
export type { Dialogue, DialogueQuestion, DialogueScore, DialogueTurn, DialogueWorldOptions } from "./dialogue.ts";
export { createEncyclopedia, type Encyclopedia, type EncyclopediaOptions, type EncyclopediaQuestion } from "./encyclopedia.ts";
export type { OfficialFile } from "./data-folder.ts";
export { fever, hotpotqa, musique, type OfficialSet } from "./official-sets.ts";
export type { Evidence, Paragraph, Question, QuestionSet } from "./question.ts";
export type { WikiPages } from "./wiki-index.ts";
export type { WikiPage } from "./wiki-record.ts";
export type { SupportingPage, WikiTask, WikiWorldOptions } from "./wiki.ts";
export { finish, openQuestion, type QuestionWorldOptions } from "./world.ts";
