/**
 * Memoised functions: of texts, since long prompts repeat most of their lines from one step to the
 * next, and of the last key alone.
 */

/**
 * Memoises a pure function of a text, within bounded memory: the texts of the latest calls are
 * kept, and those that are called for again.
 *
 * @param limit UTF-16 code units of kept texts; the memory holds at most twice as many
 */
export function memoize<T>(compute: (text: string) => T, limit = 1_000_000): (text: string) => T {
  let recent = new Map<string, Kept<T>>();
  let older = recent;
  let size = 0;
  return (text) => {
    const found = recent.get(text);
    if (found) return found.result;
    const kept = older.get(text) ?? keep(text, compute);
    size += text.length;
    if (size > limit) {
      [older, recent, size] = [recent, new Map(), text.length];
    }
    recent.set(kept.text, kept);
    return kept.result;
  };
}

interface Kept<T> {
  readonly text: string;
  readonly result: T;
}

function keep<T>(slice: string, compute: (text: string) => T): Kept<T> {
  const text: string = JSON.parse(JSON.stringify(slice)); // a copy: a slice keeps the whole text in memory
  return { text, result: compute(text) };
}
/**
 * A cache of one entry: returns the last value if the key is the same, and makes it otherwise. A
 * promise that rejects is forgotten.
 */
export function memoizeLast<T>(): (key: string, make: () => T) => T {
  let last: { readonly key: string; readonly value: T } | undefined;
  return (key, make) => {
    if (last?.key === key) return last.value;
    const entry = { key, value: make() };
    last = entry;
    if (entry.value instanceof Promise) {
      entry.value.catch(() => last === entry && (last = undefined));
    }
    return entry.value;
  };
}
