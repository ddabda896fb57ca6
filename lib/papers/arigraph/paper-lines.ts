/**
 * Where the paper's lines stand in a table.
 *
 * @module
 */

/**
 * Groups the paper's lines by the condition of ours that they stand under; those of methods that were not played stand under the last one.
 *
 * @param conditions those of the table, in its order
 */
export function linesUnder<Line>(
  conditions: readonly string[],
  lines: readonly Line[],
  conditionOf: (line: Line) => string | undefined,
): ReadonlyMap<string, readonly Line[]> {
  const own = (line: Line): string => {
    const condition = conditionOf(line) ?? "";
    return conditions.includes(condition) ? condition : conditions.at(-1) ?? "";
  };
  return Map.groupBy(lines.toSorted((a, b) => Number(conditionOf(a) === undefined) - Number(conditionOf(b) === undefined)), own);
}
