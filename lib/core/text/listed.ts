/** Names as running text lists them: "a", "a and b", "a, b, and c". */
export function listed(names: Iterable<string>): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
