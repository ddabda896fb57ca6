/**
 * Times of a fact on two lines (Zep: Rasmussen et al. 2025, arXiv 2501.13956, §2.1 and §2.2.3).
 *
 * | paper | here |
 * |---|---|
 * | t_valid, t_invalid ∈ T | `validAt`, `invalidAt`: the fact holds in the world from the one to before the other |
 * | t′_created, t′_expired ∈ T′ | `createdAt`, `expiredAt`: the memory believes it from the one to before the other |
 *
 * All are agent steps. Deviations are numbered in `docs/explanation/deviations/memories.md`.
 */

/** The times of a fact; an absent one lies ahead. */
export interface BiTemporal {
  readonly validAt: number;
  invalidAt?: number;
  readonly createdAt: number;
  expiredAt?: number;
}

/**
 * Settles that a new fact contradicts a known one: the one that began earlier ends where the other
 * begins, and the memory gives it up `now`; of two that began at once the known one goes (D315).
 * Facts whose times do not meet stay.
 */
export function settleContradiction(fresh: BiTemporal, known: BiTemporal, now: number): void {
  const { invalidAt: freshEnd = Infinity } = fresh;
  const { invalidAt: knownEnd = Infinity } = known;
  if (knownEnd <= fresh.validAt || freshEnd <= known.validAt) return;
  const [earlier, later] = known.validAt <= fresh.validAt ? [known, fresh] : [fresh, known];
  earlier.invalidAt = later.validAt;
  earlier.expiredAt ??= now;
}
