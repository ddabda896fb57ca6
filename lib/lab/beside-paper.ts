/** Our numbers next to the paper's, in one column of text. */

import { checkKeys } from "../core/text/did-you-mean.ts";
import { type DataFrame, polars, rowsOf } from "./frame-of.ts";
import { checkColumns } from "./means.ts";

/**
 * A frame of means with a further text column `ours ± arm | paper`: of `mean` and `arm`, as
 * `meanInterval` gives them, and of the column `paper`. What is not there is a dash; where values
 * are missing, their number is told: `0.53 ± 0.13 (n = 3 of 5) | 0.79`.
 *
 * @example
 * ```ts
 * import { besidePaper } from "labyrinth/lab";
 * import { frameOf } from "labyrinth/lab";
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
  const text = (value: unknown): string => typeof value === "number" ? value.toFixed(digits) : "–";
  const cells = rowsOf<Record<string, unknown>>(frame).map((row) => {
    const [n, missing] = [Number(row["n"] ?? 0), Number(row["missing"] ?? 0)];
    const arm = typeof row["arm"] === "number" ? ` ± ${text(row["arm"])}` : "";
    const some = missing > 0 ? ` (n = ${n} of ${n + missing})` : "";
    return `${text(row["mean"])}${arm}${some} | ${text(row[paper])}`;
  });
  const { Series, Utf8 } = polars();
  return frame.withColumn(Series(name, cells, Utf8));
}
