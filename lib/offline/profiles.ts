/**
 * Profiles of simulated players: how likely each is to use a fact that its prompt states, as
 * measured for language models by NoLiMa (Modarressi et al. 2025, arXiv 2502.05167). A profile is a
 * row of `data/papers/nolima_scores.csv`: base score, and accuracy by text length in tokens. A
 * player is named by its rounded base score; `docs/explanation/stand-in.md` has the table.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { UsageError } from "../core/errors.ts";
import { checkoutRoot } from "../core/platform.ts";
import { nearestName } from "../core/text/did-you-mean.ts";

/** How likely a player is to use a fact, in [0, 1]. */
export interface PlayerProfile {
  /** The chance of a fact that shares words with the question. */
  readonly base: number;
  /** The chance of other facts by prompt length, shortest first; empty if it is always `base`. */
  readonly curve: readonly { readonly tokens: number; readonly chance: number }[];
}

/** The player that uses every fact of its window, like `offline`. */
export const PERFECT = "perfect";

/** The context in tokens that each model claims at least (NoLiMa, abstract). */
export const CLAIMED_CONTEXT = 128_000;

let table:
  | { readonly profiles: ReadonlyMap<string, PlayerProfile>; readonly hash: string }
  | undefined;

/**
 * Reads the profiles by name: `perfect`, and base scores in percent (`99`, `77`, …).
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
 * First 8 hex digits of the table's SHA-256: part of the identity of a simulated player's episodes.
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
 * The chance that a player uses a fact: the base score if fact and question share words; else the
 * accuracy at the prompt's length, interpolated in log tokens and flat beyond the table.
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
