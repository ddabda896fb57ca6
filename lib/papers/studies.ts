/** The studies that the command line knows by id. */

import { parseRoleMap } from "../core/llm/role-map.ts";
import type { Study } from "../lab/study.ts";
import { entryOf } from "../core/text/registry.ts";
import { attributionStudy } from "./arigraph/attribution.ts";
import { nethackStudy } from "./arigraph/nethack.ts";
import { arigraphQuestionsStudy } from "./arigraph/questions.ts";
import { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./arigraph/textworld-study.ts";
import { graphmindStudy } from "./graphmind/study.ts";
import { lookAheadStudy, reasonPlannerStudy } from "./reasonplanner/study.ts";
import type { PartChoices, StudyOptions } from "./study-options.ts";
import { weseStudy } from "./wese/study.ts";

/** Makes a study from what every study lets choose. */
export type CreateStudy = (options: StudyOptions) => Study;

/**
 * All studies by id; each study's title says what it plays. A new one is one file and one line
 * here.
 */
export const STUDIES: Readonly<Record<string, CreateStudy>> = {
  "arigraph-quick": arigraphStudy,
  "arigraph-full": full(arigraphStudy),
  "arigraph-questions": arigraphQuestionsStudy,
  "arigraph-questions-full": full(arigraphQuestionsStudy),
  "attribution-arigraph": attributionStudy,
  "attribution-arigraph-full": full(attributionStudy),
  "arigraph-rl-benchmark": rlBenchmarkStudy,
  "arigraph-random-walk": randomWalkStudy,
  "arigraph-nethack": nethackStudy,
  "arigraph-nethack-full": full(nethackStudy),
  "graphmind-quick": graphmindStudy,
  "graphmind-full": full(graphmindStudy),
  "reasonplanner-quick": reasonPlannerStudy,
  "reasonplanner-full": full(reasonPlannerStudy),
  "reasonplanner-look-ahead-quick": lookAheadStudy,
  "reasonplanner-look-ahead-full": full(lookAheadStudy),
  "wese-quick": weseStudy,
  "wese-full": full(weseStudy),
};

/** The form of a study with the paper's numbers of trials. */
function full(create: (options: StudyOptions & Pick<PartChoices, "full">) => Study): CreateStudy {
  return (options) => create({ ...options, full: true });
}

/**
 * Makes a registered study, `<id>` or `<id>@<models>`.
 *
 * @throws {UsageError} if there is none of that id.
 *
 * @example
 * ```ts
 * import { findStudy } from "labyrinth/papers";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(findStudy("arigraph-quick@gpt-4o").models, { "*": "gpt-4o" });
 * assert.throws(() => findStudy("arigraph-slow"), /no study "arigraph-slow"/);
 * ```
 */
export function findStudy(id: string, options: StudyOptions = {}): Study {
  const [name = "", models] = id.split(/@(.*)/s, 2);
  const create = entryOf("study", STUDIES, name);
  return create(options.models || !models ? options : { ...options, models: parseRoleMap(models) });
}
