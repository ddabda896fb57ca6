/**
 * Compares triplets of a memory with the recorded truths of an episode.
 *
 * | word | meaning |
 * |---|---|
 * | right | the world says the same after this step |
 * | stale | the world does not say it now, and did after an earlier step of the episode |
 * | wrong | the world never said it |
 * | beside | the world reports nothing about it, or its map is too large; not counted |
 * | missing | true, about what the agent has seen, and not in the memory |
 * | unseen | true of what the agent has not come across; not counted |
 *
 * precision = right / (right + stale + wrong), recall = right / (right + missing), both over
 * triplets; the edit distance is the exact one of
 * `graphEditDistance`, between the two as graphs of rooms and objects.
 */

import { asBabyAiTruth, type BabyAiTruth } from "../../core/graph/babyai-truth.ts";
import type { Store } from "../store/open.ts";
import { listTruths, type TurnRow } from "../store/turns.ts";
import type { Judgement, Row } from "./claims.ts";
import { judgeRooms } from "./rooms.ts";
import { asTextTruth, judgeText, type TruthAt } from "./text.ts";

/** A recorded truth with its step and the places that the agent came through on its way there. */
export interface RecordedTruth extends ReturnType<typeof formOf>, Pick<TruthAt, "places"> {
  readonly pass: number;
  readonly step: number;
}

/** Lists the truths recorded with the turns of an episode, in their order. */
export function recordedTruths(
  store: Store,
  episode: string,
  turns: readonly TurnRow[],
): RecordedTruth[] {
  const truths = new Map(
    listTruths(store, episode).map(({ pass, step, truth }) => [`${pass}.${step}`, truth]),
  );
  return turns.flatMap(({ pass, step, frames, sections }) => {
    const truth = truths.get(`${pass}.${step}`);
    const places = [...frames, { sections }].flatMap(({ sections }) =>
      sections?.["location"] ?? []
    );
    return truth ? [{ pass, step, ...formOf(truth), places }] : [];
  });
}

/** A recorded truth in the one form that it has; all are absent of a world without a map. */
export function formOf(truth: unknown): {
  readonly map: BabyAiTruth | undefined;
  readonly game: TruthAt["truth"] | undefined;
} {
  return { map: asBabyAiTruth(truth), game: asTextTruth(truth) };
}

/** Compares triplets with the truths of a pass up to a step; `undefined` without a map. */
export function judge(
  memory: readonly Row[],
  truths: readonly RecordedTruth[],
): Judgement | undefined {
  const now = truths.at(-1);
  if (now?.map) return judgeRooms(memory, truths.flatMap(({ map }) => map ?? []));
  return now?.game &&
    judgeText(memory, truths.flatMap(({ game, places }) => game ? [{ truth: game, places }] : []));
}
