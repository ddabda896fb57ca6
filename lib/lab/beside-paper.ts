/** Our numbers next to the paper's, in one column of text. */

import { checkKeys } from "../core/text/did-you-mean.ts";
import { type DataFrame, polars, rowsOf } from "./frame-of.ts";
import { checkColumns } from "./means.ts";

/**
 * A frame of means with a further text column `ours ± arm | paper`: of `mean` and `arm`, as
 * `meanInterval` gives them, and of the column `paper`. Of fewer than six values, and where the
 * sides differ as shown, it has `ours [low, high] | paper`. A missing text is a dash. If values are
 * missing, the counts follow: `0.53 ± 0.13 (n = 7 of 9) | 0.79`.
 *
 * @example
 * ```ts
 * import { besidePaper, frameOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const columns = { mean: "number", arm: "number", paper: "number" } as const;
 * const frame = besidePaper(frameOf([{ mean: 0.5, arm: 0.1, paper: 0.79 }], columns));
 * assert.deepEqual(frame.getColumn("ours | paper").toArray(), ["0.50 ± 0.10 | 0.79"]);
 * ```
 */
export function besidePaper(
  frame: DataFrame,
  options: { readonly paper?: string; readonly name?: string; readonly digits?: number } = {},
): DataFrame {
  checkKeys("besidePaper()", options, ["paper", "name", "digits"]);
  const { paper = "paper", name = "ours | paper", digits = 2 } = options;
  checkColumns(frame, ["mean", paper]);
  const cells = rowsOf<Record<string, unknown>>(frame).map((row) => {
    const [n, missing] = [Number(row["n"] ?? 0), Number(row["missing"] ?? 0)];
    const some = missing > 0 ? ` (n = ${n} of ${n + missing})` : "";
    return `${meanText(row, digits)}${some} | ${fixed(row[paper], digits)}`;
  });
  const { Series, Utf8 } = polars();
  return frame.withColumn(Series(name, cells, Utf8));
}

/**
 * A mean with its 95 % interval as text, of a row as `meanInterval` and `pairedDifference` give it:
 * `0.50 ± 0.10`; of fewer than six values, and where the sides differ, `0.50 [0.21,
 * 0.98]`; without an interval only the mean, and without a mean a dash.
 *
 * @example
 * ```ts
 * import { meanText } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * assert.equal(meanText({ n: 9, mean: 0.5, low: 0.4, high: 0.6, arm: 0.1 }), "0.50 ± 0.10");
 * assert.equal(meanText({ n: 9, mean: 1, low: 0.7, high: 1, arm: 0.3 }, 1), "1.0 [0.7, 1.0]");
 * ```
 */
export function meanText(row: Readonly<Record<string, unknown>>, digits = 2): string {
  const [mean, low, high] = ["mean", "low", "high"].map((name) => fixed(row[name], digits));
  if (isLopsided(row, digits)) return `${mean} [${low}, ${high}]`;
  return `${mean}${typeof row["arm"] === "number" ? ` ± ${fixed(row["arm"], digits)}` : ""}`;
}

function fixed(value: unknown, digits: number): string {
  return typeof value === "number" ? value.toFixed(digits).replace(/^-(?=[0.]*$)/, "") : "–";
}

/** Whether ± would mislead: few values, or sides that differ as shown. */
function isLopsided(row: Readonly<Record<string, unknown>>, digits: number): boolean {
  const { n, mean, low, high } = row;
  if (typeof low !== "number" || typeof high !== "number" || typeof mean !== "number") return false;
  const difference = Math.abs(high + low - 2 * mean);
  return Number(n ?? 6) < 6 || difference >= 0.5 * 10 ** -digits;
}
