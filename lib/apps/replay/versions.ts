/** The rules by which the versions of the published runs of AriGraph (arXiv 2407.04363) differ. */

import type { LoggedAttempt } from "./log.ts";

/** The versions of the authors' program, latest first. */
type LogVersion = "newest" | "middle" | "graph" | "dated" | "oldest";

export interface VersionRules {
  readonly version: LogVersion;
  /** The fields that every whole step has. */
  readonly fields: readonly string[];
  /** Whether stale triplets are deleted from the graph. */
  readonly deletes: boolean;
  /** Whether a macro also adds the triplets that connect its ends. */
  readonly passagesAfterMacro: boolean;
  /** Stale triplets are looked for on `new` triplets, or on all `extracted` ones. */
  readonly staleAgainst: "new" | "extracted";
  /**
   * Recall by `search` (invariants are checked), `rewritten` by a model (unchecked), `touching`
   * the items, or in two `passes` (both repeated exactly).
   */
  readonly recall: "search" | "rewritten" | "touching" | "passes";
  /** The least age of recalled episodes in steps, and whether all possible ones are recalled. */
  readonly episodes?: { readonly back: number; readonly all: boolean };
}

/** The fields that all versions print. */
const COMMON = ["Observation", "Crucial items", "New triplets", "Outdated triplets"].concat(
  ["Associated triplets", "Plan0", "Action"],
);

function rules(
  version: LogVersion,
  fields: readonly string[],
  recall: VersionRules["recall"],
  more: Partial<VersionRules>,
): VersionRules {
  const usual = { deletes: true, staleAgainst: "new", passagesAfterMacro: false } as const;
  return { version, fields: [...COMMON, ...fields], recall, ...usual, ...more };
}

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

/** Returns the version that wrote an attempt, by the fields of its steps. */
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
