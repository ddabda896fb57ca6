/** The studies that the command line knows by id, and what `./lab reproduce` plays of each paper. */

import { parseRoleMap } from "../llm/role-map.ts";
import type { Study } from "../lab/study.ts";
import { entryOf } from "../text/registry.ts";
import { attributionStudy } from "./arigraph/attribution.ts";
import { nethackStudy } from "./arigraph/nethack.ts";
import { arigraphParts } from "./arigraph/report.ts";
import { arigraphQuestionsStudy } from "./arigraph/questions.ts";
import { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./arigraph/textworld-study.ts";
import { readerChoiceStudy } from "./evidence/reader-choice.ts";
import { carriedStudy } from "./evidence/carried.ts";
import { dialogueStudy } from "./evidence/dialogues.ts";
import { dungeonStudy } from "./evidence/dungeon.ts";
import { matrixStudy } from "./evidence/matrix.ts";
import { CALIBRATED, memoryLengthStudy, SIZED_WORLDS } from "./evidence/memory-length.ts";
import { evidenceParts } from "./evidence/report.ts";
import { roomSizesStudy } from "./evidence/room-sizes.ts";
import { stepStudy } from "./evidence/step-losses.ts";
import { worldModelStudy } from "./evidence/world-model.ts";
import { graphmindParts } from "./graphmind/report.ts";
import { graphmindStudy } from "./graphmind/study.ts";
import { reasonPlannerParts } from "./reasonplanner/report.ts";
import { lookAheadStudy, reasonPlannerStudy } from "./reasonplanner/study.ts";
import type { Part, PartChoices, StudyOptions } from "./study-options.ts";
import { weseParts } from "./wese/report.ts";
import { WEAK_MODELS, weseStudy } from "./wese/study.ts";

/**
 * A paper's parts, chosen by the options. A new paper is one file and one line. Where no models are named, the calibrated reader plays the quick
 * forms and `offline` the full ones. `evidence` is no paper: it is played where it is named, by readers of its own.
 */
export const PAPERS: Readonly<Record<string, (values: PartChoices) => Part[]>> = {
  arigraph: byReader(arigraphParts),
  graphmind: byReader(graphmindParts),
  reasonplanner: byReader(reasonPlannerParts),
  wese: (values) => (values.only?.includes(WEAK_MODELS) ? weseParts : byReader(weseParts))(values), // whose qualities are those of offline
  evidence: evidenceParts,
};

/** The parts of a paper, whose quick form the calibrated reader plays unless models are named. */
function byReader(partsOf: (values: PartChoices) => Part[]): (values: PartChoices) => Part[] {
  return ({ full, models = full ? undefined : parseRoleMap(CALIBRATED), ...values }) => partsOf({ ...values, full, models });
}

/** What `./lab reproduce` and `./lab paper` take where no name is given: the four papers. */
export const USUAL_PAPERS: readonly string[] = Object.keys(PAPERS).filter((paper) => paper !== "evidence");

/** Makes a study from what every study lets choose. */
export type CreateStudy = (options: StudyOptions) => Study;

/** All studies by id; each study's title says what it plays. A new one is one file and one line here. */
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
  ...Object.fromEntries(
    Object.keys(SIZED_WORLDS).map((name) => ({ name, create: (options: PartChoices) => memoryLengthStudy(options, name) }))
      .flatMap(({ name, create }) => [[`evidence-${name}-quick`, create], [`evidence-${name}-full`, full(create)]]),
  ),
  "reader-choice": readerChoiceStudy,
  "evidence-nethack-quick": dungeonStudy,
  "evidence-nethack-full": full(dungeonStudy),
  "evidence-reasonplanner-quick": worldModelStudy,
  "evidence-reasonplanner-full": full(worldModelStudy),
  "evidence-dialogues-quick": dialogueStudy,
  "evidence-dialogues-full": full(dialogueStudy),
  "evidence-matrix-quick": matrixStudy,
  "evidence-matrix-full": full(matrixStudy),
  "evidence-carried-quick": carriedStudy,
  "evidence-carried-full": full(carriedStudy),
  "evidence-rooms-quick": roomSizesStudy,
  "evidence-rooms-full": full(roomSizesStudy),
  "evidence-steps-quick": stepStudy,
  "evidence-steps-full": full(stepStudy),
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
