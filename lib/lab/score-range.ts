/** The least and the greatest normalised score that a world can give, which intervals keep to. */

/** Worlds whose scores are never below 0. */
const AT_LEAST_0 =
  /^(alfworld|babyai|dialogues|questions|scienceworld|wiki)(\/|$)|^textworld\/((long-)?(hunt|cooking)|rl-benchmark)/;

/**
 * The least and the greatest score of a world. NetHack's points have no bound; those that its
 * scores are divided by are only about the most.
 */
export function scoresOf(world: string): readonly [number, number] {
  return world === "nethack" ? [0, Infinity] : [AT_LEAST_0.test(world) ? 0 : -Infinity, 1];
}

/** The least and the greatest score in the worlds of some rows. */
export function scoreRange(rows: readonly { readonly world: string }[]): readonly [number, number] {
  const ranges = [...new Set(rows.map(({ world }) => world))].map(scoresOf);
  return [Math.min(...ranges.map(([least]) => least)), Math.max(...ranges.map(([, most]) => most))];
}
