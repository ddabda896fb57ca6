/**
 * The experiments of the AriGraph paper that episodes belong to.
 *
 * @module
 */

/** Table 4's text games (and any game of a user's), Table 2's questions, Table 1's NetHack, Figure 4's RL benchmark, Figure 6's random walk. */
export type Experiment = "games" | "questions" | "nethack" | "rl-benchmark" | "random-walk";

/** The experiment of an episode as an SQL expression over columns of `episodes`. */
export const EXPERIMENT = `case
  when world = 'nethack' then 'nethack'
  when world like 'questions/%' then 'questions'
  when label glob 'rl-[1-4]-*' then 'rl-benchmark'
  when method = 'random-walk' then 'random-walk'
  else 'games' end`;
