/** What a paper reports of the differences in a phase diagram, and what the diagram's caption says where they lie on the other side of 0. */

import { listed } from "../../text/listed.ts";
import { type Advantage, type Advantages, isBetter } from "../advantage.ts";
import type { MeasureInfo } from "../experiment.ts";

/** A difference that a paper reports, at a place of the diagram. */
export interface ReportedAdvantage extends Pick<Advantage, "than" | "x" | "y" | "mean"> {
  /** Whether the paper says which is ahead and prints no number: `mean` has its sign alone, and is not drawn. @default {false} */
  readonly isUnprinted?: boolean;
}

/** Places of one memory that are named each; of more their number is told. */
const MOST_NAMED = 4;

/**
 * Says where the interval of a difference lies on the other side of 0 than what a paper reports of the same comparison, at the paper's place along x or
 * elsewhere. Where its models differ in their order at a place, it has none there.
 */
export function paperOrderText(
  { level, rows }: Advantages,
  along: string,
  reported: readonly ReportedAdvantage[],
  measure: MeasureInfo,
): string {
  const isThere = (paper: ReportedAdvantage, { than, x }: Pick<Advantage, "than" | "x">): boolean => paper.than === than && paper.x === x;
  const ordered = reported.filter((paper) => reported.every((other) => !isThere(other, paper) || other.mean * paper.mean > 0));
  const hasAhead = ({ mean }: ReportedAdvantage): boolean => isBetter(mean, measure);
  const denies = ({ than, lead }: Advantage, paper: ReportedAdvantage): boolean =>
    paper.than === than && lead !== "cannot tell" && (lead === "ahead") !== hasAhead(paper);
  const places = rows.filter((row) => ordered.some((paper) => isThere(paper, row)));
  const here = places.filter((row) => ordered.some((paper) => isThere(paper, row) && denies(row, paper)));
  const beyond = rows.filter((row) => !places.includes(row) && ordered.some((paper) => denies(row, paper)));
  const denied = ordered.filter((paper) => beyond.some((row) => denies(row, paper)));
  const asReported = [...Map.groupBy(denied, (paper) => `${hasAhead(paper) ? "ahead of" : "behind"} ${paper.than}`)]
    .map(([order, papers]) => `${order} at ${listed([...new Set(papers.map(({ x }) => String(x)))])}`);
  return [
    ...here.length > 0
      ? [` The paper's order is contradicted: ${level} is ${placesText(here, rows, along)}.`]
      : places.length > 0
      ? [" No interval contradicts the paper's order at its own places."]
      : [],
    ...beyond.length > 0 ? [` Elsewhere ${level} is ${placesText(beyond, rows, along)}. The paper has it ${asReported.join("; ")}.`] : [],
  ].join("");
}

function placesText(some: readonly Advantage[], all: readonly Advantage[], along: string): string {
  const orders = Map.groupBy(some, ({ lead, than }) => `${lead === "behind" ? "behind" : "ahead of"} ${than}`);
  return [...orders].map(([order, rows]) => {
    const among = all.filter(({ than }) => than === rows[0]?.than).length;
    const named = rows.map(({ x, y }) => `at ${x} (${along}) with ${y}`).join("; ");
    return `${order} ${rows.length > MOST_NAMED ? `in ${rows.length} of ${among} cells` : named}`;
  }).join("; ");
}
