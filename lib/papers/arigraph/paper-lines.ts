/**
 * The place of the paper's lines in a table.
 *
 * @module
 */

/**
 * Groups the paper's lines by the condition that they stand under; those of methods that were not played stand under the last one.
 *
 * @param conditions the conditions of the table, in its order
 * @param lines the paper's method → the condition of ours that it is beside, in the paper's order
 */
export function linesUnder(
  conditions: readonly string[],
  lines: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, readonly string[]> {
  const known = Object.keys(lines).toSorted((a, b) => Number(lines[a] === undefined) - Number(lines[b] === undefined));
  return Map.groupBy(known, (method) => conditions.find((condition) => condition === lines[method]) ?? conditions.at(-1) ?? "");
}
