const CONJUNCTION = new Intl.ListFormat("en", { type: "conjunction" });

/** Names as running text lists them: "a", "a and b", "a, b, and c". */
export function listed(names: Iterable<string>): string {
  return CONJUNCTION.format(names);
}
