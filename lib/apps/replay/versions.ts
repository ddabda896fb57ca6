/**
 * The rules by which the versions of the published runs of AriGraph (arXiv 2407.04363) differ, and
 * how an attempt's text tells its version.
 */

import type { LoggedAttempt } from "./log.ts";

/** The versions of the authors' program, latest first. */
type LogVersion = "newest" | "middle" | "graph" | "dated" | "oldest";

/** The rules of one version. */
export interface VersionRules {
  readonly version: LogVersion;
  /** The fields that every whole step has. */
  readonly fields: readonly string[];
  /**
   * Whether stale triplets are deleted from the graph, and whether a macro also adds the triplets
   * that connect its ends.
   */
  readonly deletes: boolean;
  readonly passagesAfterMacro: boolean;
  /**
   * The triplets for which known ones may be stale: those that the graph lacked, or all extracted
   * ones, which "New triplets" then lists.
   */
  readonly staleAgainst: "new" | "extracted";
  /**
   * How triplets were recalled: by `search` with an embedder (its invariants are checked),
   * `rewritten` by a model (nothing can be checked), by
   * `touching` the items, or in two `passes` over the graph (both are checked exactly).
   */
  readonly recall: "search" | "rewritten" | "touching" | "passes";
  /**
   * The recalled episodes, where they are logged: how many steps back they lie at least, and
   * whether there are always as many as possible.
   */
  readonly episodes?: { readonly back: number; readonly all: boolean };
}

/**
 * Completes the rules of a version; `fields` are those beside the fields that all versions print.
 */
function rules(
  version: LogVersion,
  fields: readonly string[],
  recall: VersionRules["recall"],
  more: Partial<VersionRules>,
): VersionRules {
  const common = [
    "Observation",
    "Crucial items",
    "New triplets",
    "Outdated triplets",
    "Associated triplets",
    "Plan0",
    "Action",
  ];
  return {
    version,
    fields: [...common, ...fields],
    recall,
    deletes: true,
    staleAgainst: "new",
    passagesAfterMacro: false,
    ...more,
  };
}

/** Version → its rules. */
export const VERSIONS: Readonly<Record<LogVersion, VersionRules>> = {
  newest: rules("newest", ["Episodic memory", "If explore"], "search", {
    episodes: { back: 1, all: true },
  }),
  middle: rules("middle", ["Episodic memory", "Actions that isn't tried"], "search", {
    episodes: { back: 4, all: false },
  }),
  graph: rules("graph", ["Inventory", "Episodic memory", "Graph"], "rewritten", {
    episodes: { back: 5, all: false },
  }),
  dated: rules("dated", ["Inventory", "Actions that isn't tried"], "touching", {
    deletes: false,
    passagesAfterMacro: true,
  }),
  oldest: rules("oldest", ["Inventory", "Subjective perception"], "passes", {
    staleAgainst: "extracted",
  }),
};

/**
 * Tells the version that wrote an attempt by the fields of its steps; it is `undefined` where none
 * did.
 */
export function versionOf(attempt: LoggedAttempt): LogVersion | undefined {
  const first = attempt.steps[0]?.fields;
  if (!first?.has("New triplets")) return undefined;
  if (first.has("Subjective perception")) return "oldest";
  if (first.has("Graph")) return "graph";
  if (
    attempt.steps.some(({ fields }) =>
      /^[[(]['"]Step \d+: /.test(fields.get("Associated triplets")?.text ?? "")
    )
  ) return "dated";
  if (first.has("Actions that isn't tried")) return "middle"; // the ablation without exploration prints no "If explore"
  return first.has("If explore") ? "newest" : undefined;
}
