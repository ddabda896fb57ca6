/**
 * The methods of AriGraph's text games (Anokhin et al. 2024, arXiv 2407.04363, §4, §5 and Table 4)
 * as conditions of a study. The tenth row of Table 4, human players, is played with `./lab play`.
 */

import type { Options, PlannedEpisode } from "../../lab/study.ts";
import { checkNames, namedOr } from "../study-options.ts";

/** A row of the table, and how it is played, without the step limit. */
export interface NamedCondition {
  /** Its name for `--only`, and the condition's label. */
  readonly name: string;
  readonly method: string;
  readonly memory?: string;
  readonly memoryOptions?: Options;
  readonly methodOptions?: Options;
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
  {
    name: "arigraph-without-exploration",
    method: "ariadne",
    memory: "arigraph",
    memoryOptions: { exploration: false },
  },
  {
    name: "arigraph-without-episodic",
    method: "ariadne",
    memory: "arigraph",
    memoryOptions: { episodic: false },
  },
  { name: "random", method: "random" },
  {
    // D60 and D61: the same agent with prompts that a server can cache
    name: "arigraph-cacheable",
    method: "ariadne",
    memory: "arigraph",
    memoryOptions: { order: "cacheable" },
    methodOptions: { order: "cacheable" },
    onRequest: true,
  },
  {
    // D38: what the authors' code does otherwise than their paper and does not depend on their
    // embedder
    name: "arigraph-authors",
    method: "ariadne",
    memory: "arigraph",
    memoryOptions: { variant: "authors" },
    methodOptions: { variant: "authors" },
    onRequest: true,
  },
  {
    // D6, D22, D31, D34 and D38: their published code is older than that of the other baselines
    name: "simulacra-authors",
    method: "ariadne",
    memory: "simulacra",
    memoryOptions: { reflections: false },
    methodOptions: { variant: "authors", nPrev: 0, temperature: 0.2 },
    onRequest: true,
  },
];

/** Names of several conditions at once. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  ablations: [
    "arigraph",
    "arigraph-without-exploration",
    "arigraph-without-episodic",
    "arigraph-cacheable",
    "arigraph-authors",
  ],
  authors: ["arigraph-authors", "simulacra-authors"],
  baselines: ["full-history", "summary", "rag", "reflexion", "simulacra", "random"],
};

/** A condition as a study plans it, with its limit of agent steps. */
export function conditionOfStudy(
  { name, method, memory, memoryOptions, methodOptions }: NamedCondition,
  steps: number,
): Pick<PlannedEpisode, "method" | "memory" | "options" | "condition"> {
  const options = {
    method: { ...methodOptions, maxSteps: steps },
    ...(memoryOptions ? { memory: memoryOptions } : {}),
  };
  return { method, memory, options, condition: name === memory ? undefined : name };
}

/**
 * The games and conditions that `only` names (@throws {UsageError} if a name is neither); by
 * default the usual ones of each kind.
 */
export function chooseGamesAndConditions<
  Game extends { readonly name: string; readonly onRequest?: boolean },
>(
  only: readonly string[],
  from: { readonly games: readonly Game[]; readonly usual?: readonly string[] },
): { readonly games: readonly Game[]; readonly conditions: readonly NamedCondition[] } {
  const { games, usual } = from;
  const known = [...games, ...ARIGRAPH_CONDITIONS].map(({ name }) => name);
  checkNames(only, [...known, ...Object.keys(GROUPS)], "neither a game nor a method of this study");
  const isUsual = ({ name, onRequest }: NamedCondition): boolean =>
    usual?.includes(name) ?? !onRequest;
  return {
    games: namedOr(games, only, games.filter(({ onRequest }) => !onRequest)),
    conditions: namedOr(
      ARIGRAPH_CONDITIONS,
      only.flatMap((name) => GROUPS[name] ?? [name]),
      ARIGRAPH_CONDITIONS.filter(isUsual),
    ),
  };
}
