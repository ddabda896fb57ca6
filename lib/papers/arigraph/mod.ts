/**
 * AriGraph and Ariadne (Anokhin et al. 2024, arXiv 2407.04363): its studies, and the measures that
 * only it has.
 *
 * @module
 */

export {
  type AttributionOptions,
  attributionStudy,
  PUBLISHED_ANSWERS_COLUMNS,
  publishedAnswers,
} from "./attribution.ts";
export {
  type ArigraphQuestionsOptions,
  arigraphQuestionsStudy,
  QUESTION_ANSWERS_COLUMNS,
  questionAnswers,
  questionSetsAtHand,
} from "./questions.ts";
export { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./textworld-study.ts";
export {
  NETHACK_GAMES_COLUMNS,
  NETHACK_STEPS_COLUMNS,
  nethackGames,
  nethackSteps,
  nethackStudy,
  type NetHackStudyOptions,
} from "./nethack.ts";
