/** A cache of one entry, for what is dear to make and shared by the many tasks of a study. */

/** A function that returns the value that it returned last if the key is the same, and makes it otherwise. A promise that rejects is forgotten. */
export function memoizeLast<T>(): (key: string, make: () => T) => T {
  let last: { readonly key: string; readonly value: T } | undefined;
  return (key, make) => {
    if (last?.key === key) return last.value;
    const entry = { key, value: make() };
    last = entry;
    if (entry.value instanceof Promise) entry.value.catch(() => last === entry && (last = undefined));
    return entry.value;
  };
}
