/** What a paper reports of the differences in a phase diagram, and what the diagram's caption says where they lie on the other side of 0. */

import { listed } from "../../text/listed.ts";
import { type Advantage, type Advantages, isBetter } from "../advantage.ts";
import type { MeasureInfo } from "../experiment.ts";

/** A difference that a paper reports, at a place of the diagram. */
export interface ReportedAdvantage extends Pick<Advantage, "than" | "x" | "y" | "mean"> {
  /** Whether the paper says which is ahead and prints no number: `mean` has its sign alone, and is not drawn. @default {false} */
  readonly isUnprinted?: boolean;
  /** The rows of the diagram that are played as in the paper: elsewhere it has no order. @default all */
  readonly of?: readonly string[];
}

/** Places of one memory that are named each; of more their number is told. */
const MOST_NAMED = 4;

/**
 * Says where the interval of a difference lies on the other side of 0 than what a paper reports of the same comparison, at the paper's place along x or
 * elsewhere. Where a paper's models differ in their order at a place, it has none there; where it has other orders at other places, none elsewhere.
 */
export function paperOrderText(
  { level, rows }: Advantages,
  along: string,
  reported: readonly ReportedAdvantage[],
  measure: MeasureInfo,
): string {
  const isOf = (paper: ReportedAdvantage, { than, y }: Pick<Advantage, "than" | "y">): boolean =>
    paper.than === than && (paper.of === undefined || paper.of.includes(y));
  const orderOf = (papers: readonly ReportedAdvantage[]): "ahead" | "behind" | null => {
    const [order, ...others] = new Set(papers.map(({ mean }) => mean === 0 ? null : isBetter(mean, measure) ? "ahead" : "behind"));
    return others.length > 0 ? null : order ?? null;
  };
  const judged = rows.flatMap((row) => {
    const papers = reported.filter((paper) => isOf(paper, row));
    const there = papers.filter(({ x }) => x === row.x);
    const order = orderOf(there.length > 0 ? there : papers);
    const denies = order !== null && row.lead !== "cannot tell" && row.lead !== order;
    return order === null ? [] : [{ row, order, papers, isThere: there.length > 0, denies }];
  });
  type Judged = typeof judged[number];
  const namesOf = (some: readonly Judged[]): string => placesText(some.map(({ row }) => row), along);
  const [there, elsewhere] = [judged.filter(({ isThere }) => isThere), judged.filter(({ isThere }) => !isThere)];
  const [here, beyond] = [there.filter(({ denies }) => denies), elsewhere.filter(({ denies }) => denies)];
  const asReported = [...Map.groupBy(beyond, ({ order, row }) => leadText(order, row.than))].map(([text, some]) => {
    const places = new Set(some.flatMap(({ papers }) => papers.map(({ x }) => String(x))));
    return `${text} at ${listed([...places])}`;
  });
  return [
    ...here.length > 0
      ? [` The paper's order is contradicted: ${level} is ${namesOf(here)}.`]
      : there.length > 0
      ? [" No interval contradicts the paper's order at its own places."]
      : [],
    ...beyond.length > 0 ? [` Elsewhere ${level} is ${namesOf(beyond)}. The paper has it ${asReported.join("; ")}.`] : [],
  ].join("");
}

function leadText(lead: "ahead" | "behind", than: string): string {
  return `${lead === "behind" ? "behind" : "ahead of"} ${than}`;
}

function placesText(rows: readonly Advantage[], along: string): string {
  const orders = Map.groupBy(rows, ({ lead, than }) => leadText(lead === "behind" ? "behind" : "ahead", than));
  return [...orders].map(([order, some]) => {
    const named = some.map(({ x, y }) => `at ${x} (${along}) with ${y}`).join("; ");
    return `${order} ${some.length > MOST_NAMED ? `at ${some.length} places` : named}`;
  }).join("; ");
}
