/**
 * What a study can tell of a paper's claims, before it is played: the independent games that it
 * plans against those that would decide.
 */

import { bindingOf, modelIdOf } from "../core/llm/roles.ts";
import { conditionOf, type PlannedEpisode, type Study } from "../lab/study.ts";
import { episodesNeeded } from "../core/stats/paired.ts";
import { gapIn, type Played, sideOf } from "./claim-cases.ts";
import { sharedModel } from "./claims.ts";
import { paperTable } from "../lab/paper-numbers.ts";
import { MIN_GAMES } from "../lab/verdict.ts";

/** A claim that a study plays both conditions of. */
export interface PlannedClaim {
  /** Its id in the file, e.g. `G1`. */
  readonly id: string;
  /** The claim in words. */
  readonly claim: string;
  /** Independent games that are planned, of two gains on the side that has fewer. */
  readonly games: number;
  /** Games that the paper's condition has; absent where more can always be played. */
  readonly existing?: number;
  /**
   * Games with which a difference as large as the margin, the smallest that counts, would be told
   * from 0; absent where the paper prints no spread.
   */
  readonly needed?: number;
  /**
   * Games with which a difference as large as the paper's would be; absent where that is not
   * printed, or below the margin.
   */
  readonly neededAsPrinted?: number;
  /** Why the claim cannot be tested, however many are played. */
  readonly untested?: string;
}

/**
 * The claims of `data/papers/<file>.csv` that a study plays. The spread between games is that of
 * the paper: its `sd`, or of shares p and q the root of p(1 − p) + q(1 − q); the level is
 * Bonferroni's for the claims that the study can test.
 */
export function plannedClaims(
  file: string,
  { chains, models }: Pick<Study, "chains" | "models">,
): PlannedClaim[] {
  const planned = chains.flatMap(({ episodes }) => episodes.map(asPlayed));
  const found = paperTable(file).flatMap((row) => {
    const gaps = sideOf(row).map((where) => gapIn(planned, row, where));
    if (gaps.some((gap) => gap.planned === 0)) return [];
    const untested = sharedModel(row, (role) => [modelIdOf(bindingOf(models, role))]);
    return [{
      row,
      untested,
      games: Math.min(...gaps.map(({ plannedClusters }) => plannedClusters)),
    }];
  });
  const alpha = 0.05 / Math.max(1, found.filter(({ untested }) => untested === undefined).length);
  return found.map(({ row, untested, games }): PlannedClaim => {
    const { id = "", claim = "", margin = "", exist = "" } = row;
    const sd = spreadOf(row);
    const neededFor = (halfWidth: number): number | undefined =>
      sd === undefined
        ? undefined
        : Math.max(MIN_GAMES, episodesNeeded({ sd, halfWidth, level: 1 - alpha }));
    const printed = printedDifference(row);
    return {
      ...{ id, claim, games, untested },
      existing: exist === "" ? undefined : Number(exist),
      needed: neededFor(Number(margin)),
      neededAsPrinted: printed > Number(margin) ? neededFor(printed) : undefined,
    };
  });
}

/**
 * The standard deviation of a claim's difference between games, as far as the paper's numbers tell
 * it.
 */
function spreadOf(
  { sd = "", measure, paper_a = "", paper_b = "" }: Readonly<Record<string, string>>,
): number | undefined {
  if (sd !== "") return Number(sd);
  if (measure !== "score" || paper_a === "" || paper_b === "") return undefined;
  const shares = [paper_a, paper_b].flatMap((cell) => cell.split("|").map(Number));
  return Math.sqrt(shares.reduce((sum, share) => sum + share * (1 - share), 0)) || undefined;
}

/**
 * How far apart the paper's two conditions are, or its two gains, as their means are printed; NaN
 * where they are not.
 */
function printedDifference(
  { paper_a = "", paper_b = "" }: Readonly<Record<string, string>>,
): number {
  if (paper_a === "" || paper_b === "") return NaN;
  const [ones, others] = [paper_a, paper_b].map((cell) => cell.split("|").map(Number)) as [
    number[],
    number[],
  ];
  const [gain = NaN, other = 0] = ones.map((one, side) => one - (others[side] ?? NaN));
  return Math.abs(gain - other);
}

/** A planned episode, as claims see one. */
function asPlayed(episode: PlannedEpisode, index: number): Played {
  const { world, label: game = world, params = {}, seed, attempt } = episode;
  const place = JSON.stringify([
    game,
    params["index"] ?? params["game"] ?? params["layout"] ?? params["variation"] ?? "",
    params["seed"],
  ]);
  const key = JSON.stringify([place, seed, attempt]);
  return {
    ...{ episode: `${index}`, study: "", condition: conditionOf(episode), game, world, place, key },
    ...{ status: "planned", models: {}, values: {} },
  };
}

/**
 * The claims in words, a line each.
 */
export function plannedClaimsText(claims: readonly PlannedClaim[]): string[] {
  if (claims.length === 0) return [];
  const isDecided = ({ untested, games, needed }: PlannedClaim): boolean =>
    !untested && needed !== undefined && games >= needed;
  const width = Math.max(...claims.map(({ id }) => id.length));
  return [
    `claims    games enough to decide ${
      claims.filter(isDecided).length
    } of ${claims.length}, if spreads are the paper's:`,
    ...claims.map((claim) =>
      `          ${claim.id.padEnd(width)}  ${neededText(claim)}: ${claim.claim}`
    ),
  ];
}

function neededText({ games, needed, neededAsPrinted, existing, untested }: PlannedClaim): string {
  if (untested !== undefined) return `not tested, ${untested}`;
  const planned = `${games} ${games === 1 ? "game" : "games"}`;
  if ((existing ?? Infinity) < (needed ?? MIN_GAMES)) {
    return `${planned}, the ${existing} there are do not decide`;
  }
  if (needed === undefined) {
    return `${planned}, ${MIN_GAMES} at least (the paper prints no spread)`;
  }
  return `${planned}, about ${needed} decide${
    neededAsPrinted === undefined ? "" : ` (${neededAsPrinted} where the difference is the paper's)`
  }`;
}
