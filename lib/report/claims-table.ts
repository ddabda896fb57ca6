/** The claims of a paper as a table and as a forest plot. */

import { playerName } from "./caption-text.ts";
import type { TestedClaim } from "../lab/claims.ts";
import { type ClaimOutcome, LEAST_GAMES, sign } from "../lab/verdict.ts";
import { type Figure, figureOf } from "./figure.ts";
import { type Channel, nominal, quantitative } from "./marks.ts";
import { brokenText } from "./presets.ts";
import { counted } from "../core/text/amounts.ts";
import { type Cell, pCell, type Table } from "./table.ts";

/** How a claims table and its figure are named. */
interface Naming {
  /** How the paper's files begin, e.g. `wese-`. */
  readonly prefix: string;
  readonly backbone: string;
  /** The paper's name, e.g. `WESE`. */
  readonly paper: string;
}

/** How differences are made, for captions. */
const HOW =
  "Differences of score are of normalised scores, those of points in points, all others natural logarithms of ratios (0.1 is about 10 %). " +
  "95 % intervals: Student's over clusters (cases, or games and layouts), Welch's where two gains are compared. Where more than half of the clusters lie " +
  "within half a margin of their median, and no others on both sides of it, they also hold a share of clusters that none showed (Clopper and Pearson), of two gains combined by squares; " +
  "where all agree, measures without a bound have none.";

/** How verdicts are found, for captions. */
const VERDICTS =
  'Supported: the interval lies on the claim\'s side of 0 and the mean beyond the margin, the smallest difference that counts ("no less", "no more": above the loss ' +
  "that is allowed); negligible: the mean is below the margin. Contradicted: it lies on the other side of 0, or beyond the loss that is allowed. Tie: it holds 0 and lies within the margin on either side. " +
  "Where the other condition is within the margin of the best or the worst score (of the worst, for no loss), at a bound, only an interval on one side of 0 tells. " +
  "Baseline not reproduced: our 95 % interval of the other condition has nothing in common with the paper's. Not tested: not played to its end, or by one model where the claim is of two. " +
  "Fewer than six independent games tell nothing; any verdict needs p ≤ 0.05 after Holm's correction over all claims.";

/** The table `<paper>-claims-<backbone>`. */
export function claimsTable(claims: readonly TestedClaim[], { prefix, backbone, paper }: Naming): Table {
  const count = (verdict: string): number => claims.filter((claim) => claim.verdict === verdict).length;
  return {
    id: `${prefix}claims-${backbone}`,
    title: `${paper}: the paper's comparative claims, tested (${playerName(backbone)})`,
    caption: `Model: ${playerName(backbone)}. Of ${claims.length} claims, in our words, ${count("supported")} are supported, ` +
      `${count("supported, negligible")} with a negligible advantage, ${count("contradicted")} contradicted, ${count("tie")} ties, ` +
      `${count("not significant")} not significant, of ${count("baseline not reproduced")} the baseline is not reproduced, ${
        count("not tested")
      } are not tested. ${HOW} Pairs have the same game, seed and attempt. ${VERDICTS} p: two-sided, against the bound that decides, so corrected. "Clusters needed": with so many the interval would clear one of its bounds after that correction (Bonferroni's, which is no smaller), were ` +
      `difference and spread to stay; of two gains, whose clusters stand as a sum, on the side that has fewer. "4 of 12" pairs: the others have no value, such as steps of failures; where one is 0, its ratio would be, and nothing is told. Clusters of fewer games are attempts at the same ones, and speak of these ` +
      `alone. The tests speak of ${playerName(backbone)}, not of the paper's models.`,
    columns: ["Claim", "Source", "Wanted", "Pairs", "Clusters", "Difference", "p (Holm)", "Verdict", "Clusters needed"],
    rows: claims.map((claim): Cell[] => [
      claim.claim,
      claim.source,
      `${claim.measure}: ${claim.direction}, margin ${claim.margin}`,
      claim.valueless > 0 ? `${claim.pairs} of ${claim.pairs + claim.valueless}` : `${claim.pairs}`,
      clustersText(claim),
      claim.difference === undefined ? null : {
        value: claim.difference,
        low: claim.low,
        high: claim.high,
        n: claim.pairs,
        episodes: claim.episodes,
        digits: claim.measure === "points" ? 0 : 2,
      },
      pCell(claim.p),
      claim.why === undefined ? claim.verdict : `${claim.verdict}: ${claim.why}`,
      neededText(claim),
    ]),
  };
}

/** The clusters of a claim, and whether there are more of them in the paper's condition. */
function clustersText({ clusters, games, existing, isPartial }: TestedClaim): string {
  const ofGames = games < clusters.reduce((a, b) => a + b, 0) ? ` (of ${counted(games, "game")})` : "";
  return `${clusters.join(" + ") || "0"}${ofGames}${isPartial ? `, part of the ${existing} there are` : ""}`;
}

/** The clusters that a claim needs, or that the paper's condition has too few. */
function neededText({ needed, existing = Infinity }: TestedClaim): string | null {
  if (existing < Math.max(LEAST_GAMES, needed ?? 0)) return `more than the ${existing} there are`;
  return needed === undefined ? null : `${needed}`;
}

/** Verdict → colour. */
const COLOURS: Readonly<Partial<Record<ClaimOutcome, string>>> = {
  supported: "#0072b2",
  "supported, negligible": "#56b4e9",
  contradicted: "#d55e00",
  tie: "#009e73",
  "not significant": "#888888",
  "baseline not reproduced": "#cccccc",
};

/** A forest plot: the interval of each claim in margins, so that claims of different units stand on one axis; `undefined` where none has one. */
export function claimsFigure(claims: readonly TestedClaim[], { prefix, backbone, paper }: Naming): Figure | undefined {
  const rows = claims.flatMap(({ id, claim, direction, margin, difference, low, high, verdict }) => {
    if (difference === undefined || low === undefined || high === undefined || !(verdict in COLOURS)) return [];
    const way = sign({ direction });
    const [least, most] = way < 0 ? [-high, -low] : [low, high];
    const cut = (value: number): number => Math.max(-LONGEST, Math.min(LONGEST, value / margin));
    const label = brokenText(`${id}  ${claim}`, 250, 7.5).join("\n");
    return [{ claim: label, value: cut(way * difference), low: cut(least), high: cut(most), verdict, direction }];
  });
  if (rows.length === 0) return undefined;
  const arrow = rows.some(({ low, high }) => low === -LONGEST || high === LONGEST) ? `; cut at ${LONGEST} margins (arrows)` : "";
  const bounds = rows.some(({ direction }) => direction.startsWith("no ")) ? [-1, 1] : [1];
  const lines = Math.max(2, ...rows.map(({ claim }) => claim.split("\n").length));
  const y = nominal("claim", rows.map(({ claim }) => claim), { axis: { labelExpr: "split(datum.label, '\\n')" } });
  const color = { field: "verdict", type: "nominal", title: null, scale: { domain: Object.keys(COLOURS), range: Object.values(COLOURS) } };
  const x = (field: string): Channel => quantitative(field, "advantage that the paper claims, in margins");
  const arrowAt = (field: "low" | "high", end: number): object => ({
    transform: [{ filter: `datum.${field} === ${end}` }],
    mark: { type: "point", filled: true, size: 40, opacity: 1, shape: end < 0 ? "triangle-left" : "triangle-right" },
    encoding: { y, x: { datum: end }, color },
  });
  const ruleAt = (datum: number, style: object): object => (
    { data: { values: [{}] }, mark: { type: "rule", ...style }, encoding: { x: { datum } } } // once, not for every claim
  );
  return figureOf({
    id: `${prefix}claims-forest-${backbone}`,
    isWide: true,
    title: `${paper}: claims, tested`,
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `${paper}'s comparative claims, model: ${
        playerName(backbone)
      }: the difference in the direction of the claim with its 95 % interval, in margins (right ` +
      `of 0 the claim's direction, right of 1 an advantage that counts${
        bounds.includes(-1) ? ", right of −1 what a claim of no less or no more needs" : ""
      })${arrow}. ${VERDICTS} ${HOW} ${rows.length} of ${claims.length} claims have ` +
      `an interval; pairs, clusters and seeds stand in the table beside it.`,
    rows,
    fields: [["text", "claim"], ["number", "value", "low", "high"], ["text", "verdict"]],
    width: 320,
    height: { step: 11 * lines },
    layer: [
      ruleAt(0, { color: "#888" }),
      ...bounds.map((datum) => ruleAt(datum, { color: "#aaa", strokeDash: [3, 3] })),
      { mark: { type: "rule", strokeWidth: 2 }, encoding: { y, x: x("low"), x2: { field: "high" }, color } },
      { mark: { type: "point", filled: true, size: 45, opacity: 1 }, encoding: { y, x: x("value"), color } },
      ...(arrow ? [arrowAt("low", -LONGEST), arrowAt("high", LONGEST)] : []),
    ],
  });
}

/** Margins to which intervals are drawn. */
const LONGEST = 15;
