/**
 * Questions over paragraphs as worlds of this process: official sets where a user has them, and an
 * encyclopedia of our own.
 *
 * @module
 */
export {
  createEncyclopedia,
  type Encyclopedia,
  type EncyclopediaOptions,
  type EncyclopediaQuestion,
} from "./encyclopedia.ts";
export type { OfficialFile } from "./data-folder.ts";
export { fever, hotpotqa, musique, type OfficialSet } from "./official-sets.ts";
export type { Evidence, Paragraph, Question, QuestionSet } from "./question.ts";
export { finish, openQuestion, type QuestionWorldOptions } from "./world.ts";
