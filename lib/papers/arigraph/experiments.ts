/**
 * The experiments of the AriGraph paper that episodes belong to.
 *
 * @module
 */

/**
 * The experiment of an episode as an SQL expression over columns of `episodes`: Table 2's questions, Table 1's NetHack, Figure 4's RL benchmark,
 * Figure 6's random walk, or Table 4's text games with any game of a user's.
 */
export const EXPERIMENT = `case
  when world = 'nethack' then 'nethack'
  when world like 'questions/%' then 'questions'
  when label glob 'rl-[1-4]-*' then 'rl-benchmark'
  when method = 'random-walk' then 'random-walk'
  else 'games' end`;
