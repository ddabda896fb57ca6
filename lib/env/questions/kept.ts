/**
 * What is made once for many tasks.
 *
 * @module
 */

/** The one made last of each kind is kept: a study asks many tasks of it. */
const latest = new Map<string, { readonly key: string; readonly made: unknown }>();

/** What was made last of a kind where it was for the same key; else it is made. */
export function kept<T>(kind: string, key: string, make: () => T): T {
  const known = latest.get(kind);
  if (known?.key === key) return known.made as T;
  const made = make();
  latest.set(kind, { key, made });
  // what could not be read may be mended by the next time
  if (made instanceof Promise) made.catch(() => latest.get(kind)?.made === made && latest.delete(kind));
  return made;
}
