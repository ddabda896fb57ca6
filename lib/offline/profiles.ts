/**
 * Profiles of simulated players: how likely each is to use a fact that its prompt states, by
 * published measurements of language models.
 *
 * NoLiMa (Modarressi et al. 2025, arXiv 2502.05167) hides one fact in a text of a given length and
 * asks for it in other words; a profile is a row of its results table,
 * `data/papers/nolima_scores.csv`: the base score, and the accuracy by the length of the text in
 * tokens. A player is named by its base score, rounded; `docs/offline.md` has the table.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { UsageError } from "../core/errors.ts";
import { checkoutRoot } from "../core/platform.ts";
import { nearestName } from "../core/text/did-you-mean.ts";

/** How likely a player is to use a fact. Chances lie in [0, 1]. */
export interface PlayerProfile {
  /** The chance of a fact that shares words with the question. */
  readonly base: number;
  /**
   * The chance of any other fact by the length of the prompt, shortest first; empty where it is
   * `base` at every length.
   */
  readonly curve: readonly { readonly tokens: number; readonly chance: number }[];
}

/** The name of the player that uses every fact of its window, which is that of `offline`. */
export const PERFECT = "perfect";

/**
 * The context in tokens that each model of the table claims at least (NoLiMa, abstract): the
 * reading window of its profile.
 */
export const CLAIMED_CONTEXT = 128_000;

let table:
  | { readonly profiles: ReadonlyMap<string, PlayerProfile>; readonly hash: string }
  | undefined;

/**
 * Reads the profiles by name: `perfect`, and the base score of a row of NoLiMa's table in percent
 * (`99`, `77`, …).
 *
 * @example
 * ```ts
 * import { simulatedPlayers } from "labyrinth/offline";
 * import assert from "node:assert/strict";
 *
 * assert.equal(simulatedPlayers().get("99")?.base, 0.993);
 * assert.deepEqual(simulatedPlayers().get("perfect"), { base: 1, curve: [] });
 * ```
 */
export function simulatedPlayers(): ReadonlyMap<string, PlayerProfile> {
  return readTable().profiles;
}

/**
 * The first 8 hex digits of the SHA-256 of the table: part of the identity of every episode that a
 * simulated player plays.
 */
export function profilesHash(): string {
  return readTable().hash;
}

function readTable(): NonNullable<typeof table> {
  if (table) return table;
  const text = readFileSync(`${checkoutRoot()}data/papers/nolima_scores.csv`, "utf8");
  const [header = [], ...rows] = text.trim().split("\n").filter((line) => !line.startsWith("#"))
    .map((line) => line.split(","));
  const lengths = header.slice(2).map(Number);
  const profiles = rows.map(([, base, ...scores]): [string, PlayerProfile] => [
    `${Math.round(Number(base))}`,
    {
      base: Number(base) / 100,
      curve: lengths.map((tokens, i) => ({ tokens, chance: Number(scores[i]) / 100 })),
    },
  ]);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return table = { profiles: new Map([[PERFECT, { base: 1, curve: [] }], ...profiles]), hash };
}

export function profileNamed(name: string): PlayerProfile {
  const profiles = simulatedPlayers();
  const profile = profiles.get(name);
  if (profile) return profile;
  const near = nearestName(name, profiles.keys());
  const meant = near === undefined ? "" : `; did you mean sim:${near}?`;
  throw new UsageError(
    `there is no simulated player "${name}"${meant}; there are ${[...profiles.keys()].join(", ")}`,
  );
}

/**
 * The chance that a player uses a fact: its base score where fact and question share words;
 * elsewhere the accuracy at the prompt's length, interpolated in the logarithm of tokens, and flat
 * beyond the ends of the table.
 */
export function chanceOfUse(
  { base, curve }: PlayerProfile,
  tokens: number,
  sharesWords: boolean,
): number {
  const last = curve.at(-1);
  if (sharesWords || last === undefined) return base;
  const above = curve.findIndex((point) => point.tokens >= tokens);
  const [low, high] = above < 0
    ? [last, last]
    : [curve[Math.max(0, above - 1)] ?? last, curve[above] ?? last];
  if (low.tokens === high.tokens) return high.chance;
  const share = Math.log(tokens / low.tokens) / Math.log(high.tokens / low.tokens);
  return low.chance + share * (high.chance - low.chance);
}
