/**
 * What differs between the versions of the published runs (AriGraph, arXiv 2407.04363): one table of rules, and how a version is told by the
 * attempt's own text.
 *
 * @module
 */

import type { LoggedAttempt } from "./log.ts";

/** The versions, youngest first. */
export type LogVersion = "newest" | "middle" | "graph" | "dated" | "oldest";

/** What one version did otherwise than the others. */
export interface VersionRules {
  readonly version: LogVersion;
  /** Fields that every whole step has. */
  readonly fields: readonly string[];
  /** Whether stale triplets are taken out of the graph. */
  readonly deletes: boolean;
  /** What known triplets were compared with, and whether "New triplets" lists all that were extracted or only what the graph lacked. */
  readonly staleAgainst: "new" | "extracted";
  /** Whether a macro, too, adds the triplets that tell how its ends lie. */
  readonly passagesAfterMacro: boolean;
  /**
   * How triplets were recalled: by `search` with an embedder (its invariants are held), `rewritten` by a model (nothing can be held), by
   * `touching` the items or in two `passes` over the graph (both held exactly).
   */
  readonly recall: "search" | "rewritten" | "touching" | "passes";
  /** Recalled episodes, where they are logged: the fewest steps back, and whether there are always as many as there can be. */
  readonly episodes?: { readonly back: number; readonly all: boolean };
}

const COMMON = ["Observation", "Crucial items", "New triplets", "Outdated triplets", "Associated triplets", "Plan0", "Action"];

/** The table. */
export const VERSIONS: Readonly<Record<LogVersion, VersionRules>> = {
  newest: {
    version: "newest",
    fields: [...COMMON, "Episodic memory", "If explore"],
    deletes: true,
    staleAgainst: "new",
    passagesAfterMacro: false,
    recall: "search",
    episodes: { back: 1, all: true },
  },
  middle: {
    version: "middle",
    fields: [...COMMON, "Episodic memory", "Actions that isn't tried"],
    deletes: true,
    staleAgainst: "new",
    passagesAfterMacro: false,
    recall: "search",
    episodes: { back: 4, all: false },
  },
  graph: {
    version: "graph",
    fields: [...COMMON, "Inventory", "Episodic memory", "Graph"],
    deletes: true,
    staleAgainst: "new",
    passagesAfterMacro: false,
    recall: "rewritten",
    episodes: { back: 5, all: false },
  },
  dated: {
    version: "dated",
    fields: [...COMMON, "Inventory", "Actions that isn't tried"],
    deletes: false,
    staleAgainst: "new",
    passagesAfterMacro: true,
    recall: "touching",
  },
  oldest: {
    version: "oldest",
    fields: [...COMMON, "Inventory", "Subjective perception"],
    deletes: true,
    staleAgainst: "extracted",
    passagesAfterMacro: false,
    recall: "passes",
  },
};

/** The version that wrote an attempt, by the fields of its first steps; `undefined` where none did. */
export function versionOf(attempt: LoggedAttempt): LogVersion | undefined {
  const first = attempt.steps[0]?.fields;
  if (!first?.has("New triplets")) return undefined;
  if (first.has("Subjective perception")) return "oldest";
  if (first.has("Graph")) return "graph";
  if (attempt.steps.some(({ fields }) => /^[[(]['"]Step \d+: /.test(fields.get("Associated triplets")?.text ?? ""))) return "dated";
  if (first.has("Actions that isn't tried")) return "middle"; // the ablation without exploration prints no "If explore"
  return first.has("If explore") ? "newest" : undefined;
}
