/** The episodes of a benchmark as they were played, each with everything that the protocol measures. */

import type { Trial } from "../report/estimate.ts";
import { readExperiment } from "../report/experiment.ts";
import { listEpisodes } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { listEvents } from "../store/events.ts";
import { listStudies } from "../store/studies.ts";
import { type Belief, type Beliefs, beliefsOf } from "../report/truth/beliefs.ts";
import type { Bench, BenchStudy } from "./plan.ts";
import { PROTOCOL } from "./protocol.ts";

/** What is measured of an episode. */
export type BenchMeasure = "score" | "precision" | "recall" | "stale" | "needed" | "tokens" | "cut" | "dollars" | "seconds" | "kilobytes";

/** An episode of a benchmark. */
export interface BenchTrial extends Trial {
  readonly study: string;
  readonly memory: string;
  readonly reader: string;
  /** The last stage that the perfect reader was given; absent in the play that is measured. */
  readonly stage?: string;
  readonly world: string;
  readonly range: string;
  /** The seed that drew the game. */
  readonly game: number;
  /** The trial's values, or why there is none; empty unless the episode is completed. */
  readonly values: Readonly<Partial<Record<BenchMeasure, Belief>>>;
  /** Precision and recall by agent step. */
  readonly steps: Beliefs["steps"];
}

/** The worlds whose truth tells the next right action. */
const TELLING = new Set(PROTOCOL.worlds.flatMap(({ name, tellsNext }) => tellsNext ? [name] : []));

/** Reads the trials of a benchmark, planned ones included; a study that the store does not hold has none. */
export function benchTrials(store: Store, { studies }: Pick<Bench, "studies">): BenchTrial[] {
  const held = new Set(listStudies(store));
  return studies.filter(({ id }) => held.has(id)).flatMap((one) => trialsOf(store, one));
}

function trialsOf(store: Store, { id: study, memory, reader, stage }: BenchStudy): BenchTrial[] {
  const records = new Map(listEpisodes(store, { study }).map((record) => [record.id, record]));
  const size = store.prepare("select length(body) as bytes from artefacts where hash = ?");
  return readExperiment(store, study).rows.map(({ factors, values, ...row }): BenchTrial => {
    const trial = {
      ...{ episode: row.episode, condition: row.condition, status: row.status, seed: row.seed, study, memory, reader, stage },
      ...{ world: String(factors["world"]), range: String(factors["range"]), game: Number(factors["game"]) },
    };
    if (row.status !== "completed") return { ...trial, values: {}, steps: [] };
    const score = values.score ?? "the world has no greatest score";
    if (stage !== undefined) return { ...trial, values: { score }, steps: [] };
    const { steps, ...beliefs } = beliefsOf(store, row.episode, { tellsNext: TELLING.has(trial.world) });
    const { artefactOut, startedAt, finishedAt } = records.get(row.episode) ?? {};
    const n = values.steps ?? 0;
    const perStep = (total: number | null, none: string): Belief => total === null ? none : n === 0 ? "it took no step" : total / n;
    const bytes = artefactOut === undefined ? undefined : size.get(artefactOut)?.["bytes"];
    const time = startedAt === undefined || finishedAt === undefined ? null : (finishedAt - startedAt) / 1000;
    return {
      ...trial,
      steps,
      values: {
        score,
        ...beliefs,
        tokens: perStep(values.tokens, "its tokens are not on record"),
        cut: n === 0 ? "it took no step" : cutSteps(store, row.episode) / n,
        dollars: perStep(values.dollars, "its model has no price"),
        seconds: perStep(time, "its time is not on record"),
        kilobytes: typeof bytes === "number" ? bytes / 1000 : "it saves nothing",
      },
    };
  });
}

/** The number of steps at which the recollection was cut to the protocol's limit. */
function cutSteps(store: Store, episode: string): number {
  const cuts = listEvents(store, episode).filter(({ kind }) => kind === "cut-recollection");
  return new Set(cuts.map(({ pass, step }) => `${pass}.${step}`)).size;
}
