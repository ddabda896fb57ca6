/**
 * The methods of AriGraph's text games (Anokhin et al. 2024, arXiv 2407.04363, §4, §5 and Table 4), as conditions of a study. The tenth row of
 * the table, human players, is played with `./lab play`.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import type { Options, PlannedEpisode } from "../../lab/study.ts";

/** A row of the table, and how it is played but for the limit of steps. */
export interface NamedCondition {
  /** What `--only` calls it; the condition's label. */
  readonly name: string;
  readonly method: string;
  readonly memory?: string;
  readonly memoryOptions?: Options;
  readonly methodOptions?: Options;
  /** Played only where it is named. */
  readonly onRequest?: true;
}

/** All of them, in the paper's order of methods. */
export const ARIGRAPH_CONDITIONS: readonly NamedCondition[] = [
  { name: "arigraph", method: "ariadne", memory: "arigraph" },
  { name: "full-history", method: "ariadne", memory: "full-history" },
  { name: "summary", method: "ariadne", memory: "summary" },
  { name: "rag", method: "ariadne", memory: "rag" },
  { name: "reflexion", method: "reflexion", memory: "rag" },
  { name: "simulacra", method: "ariadne", memory: "simulacra" },
  { name: "arigraph-without-exploration", method: "ariadne", memory: "arigraph", memoryOptions: { exploration: false } },
  { name: "arigraph-without-episodic", method: "ariadne", memory: "arigraph", memoryOptions: { episodic: false } },
  { name: "random", method: "random" },
  {
    // D1, D10, D11 and D18: what the authors' code does otherwise than their paper and does not depend on their embedder
    name: "arigraph-authors",
    method: "ariadne",
    memory: "arigraph",
    memoryOptions: { outdateFilter: true, episodicScore: "authors", episodicFilter: "none" },
    methodOptions: { reAsks: 0 },
    onRequest: true,
  },
  {
    // D6, D18, D31 and D34: their published code is older than that of the other baselines
    name: "simulacra-authors",
    method: "ariadne",
    memory: "simulacra",
    memoryOptions: { reflections: false, nPrev: 0 },
    methodOptions: { nPrev: 0, reAsks: 0, temperature: 0.2 },
    onRequest: true,
  },
];

/** Names of several conditions at once. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  ablations: ["arigraph", "arigraph-without-exploration", "arigraph-without-episodic", "arigraph-authors"],
  authors: ["arigraph-authors", "simulacra-authors"],
  baselines: ["full-history", "summary", "rag", "reflexion", "simulacra", "random"],
};

/** What a condition is in a study, with its limit of agent steps. */
export function conditionOfStudy(
  { name, method, memory, memoryOptions, methodOptions }: NamedCondition,
  steps: number,
): Pick<PlannedEpisode, "method" | "memory" | "options" | "condition"> {
  const options = { method: { ...methodOptions, maxSteps: steps }, ...(memoryOptions ? { memory: memoryOptions } : {}) };
  return { method, memory, options, condition: name === memory ? undefined : name };
}

/**
 * The games and conditions that `only` names, each all of its kind where it names none.
 *
 * @param from the games, of which those with `onRequest` are kept only where they are named, and the names of the conditions that are played unless told
 * @throws {UsageError} if a name is neither.
 */
export function chooseGamesAndConditions<Game extends { readonly name: string; readonly onRequest?: boolean }>(
  only: readonly string[],
  from: { readonly games: readonly Game[]; readonly usual?: readonly string[] },
): { readonly games: readonly Game[]; readonly conditions: readonly NamedCondition[] } {
  const { games, usual = ARIGRAPH_CONDITIONS.filter(({ onRequest }) => !onRequest).map(({ name }) => name) } = from;
  const names = ARIGRAPH_CONDITIONS.map(({ name }) => name);
  const known = [...games.map(({ name }) => name), ...names, ...Object.keys(GROUPS)];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown} names neither a game nor a method of this study; there are ${known.join(", ")}`);
  }
  const wantedGames = games.filter(({ name }) => only.includes(name));
  const named = new Set(only.flatMap((name) => GROUPS[name] ?? names.filter((one) => one === name)));
  const wanted = named.size > 0 ? named : new Set(usual);
  return {
    games: wantedGames.length > 0 ? wantedGames : games.filter(({ onRequest }) => !onRequest),
    conditions: ARIGRAPH_CONDITIONS.filter(({ name }) => wanted.has(name)),
  };
}
