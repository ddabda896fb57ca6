/** The world's own graph next to the memory's; see `lib/lab/truth/judge.ts`. */

import { judge, recordedTruths } from "../../lab/truth/judge.ts";
import type { Judgement, Knowledge, Row, Verdict } from "../../lab/truth/claims.ts";
import type { EpisodeRecord } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { listTurns } from "../../lab/store/turns.ts";
import { readGraph } from "./graph.ts";
import type { StepPlace } from "./record.ts";
import { momentAt } from "./timeline.ts";

/** The judgement after a step, with the number of triplets of each verdict. */
export interface TruthView extends Judgement {
  readonly counts: Readonly<Record<Verdict | Knowledge, number>>;
  /** In [0, 1]; absent if no triplet of the memory can be compared with the world. */
  readonly precision?: number;
  /** In [0, 1]; absent where nothing has been seen. */
  readonly recall?: number;
  /** Number of triplets of the world that are left out of `world`, which holds at most 5000. */
  readonly omitted: number;
}

/** Triplets of a world that are shown: more would stop the page. */
const MOST = 5000;

/** Creates the function that compares the memory after a step with the recorded truth, if any. */
export function truthReader(
  store: Store,
  episode: EpisodeRecord,
): (place: StepPlace) => TruthView | null {
  const turns = listTurns(store, episode.id);
  const graph = readGraph(store, episode);
  const recorded = recordedTruths(store, episode.id, turns);
  return (place) => {
    const now = recorded.findLast(({ pass, step }) => pass === place.pass && step === place.step);
    if (!now) return null;
    const index = turns.findIndex(({ pass, step }) => pass === place.pass && step === place.step);
    const memory = [...momentAt(graph, turns, index).standing].map((at) =>
      graph.triplets[at] as Row
    );
    const judged = judge(
      memory,
      recorded.filter(({ pass, step }) => pass === place.pass && step <= place.step),
    );
    return judged ? withCounts(judged) : null;
  };
}

function withCounts(judged: Judgement): TruthView {
  const counts = { right: 0, stale: 0, wrong: 0, beside: 0, missing: 0, unseen: 0 };
  for (const { verdict } of judged.memory) counts[verdict]++;
  const known = judged.world.filter(({ verdict }) => verdict === "right").length;
  for (const { verdict } of judged.world) {
    if (verdict === "missing" || verdict === "unseen") counts[verdict]++;
  }
  const share = (part: number, rest: number): number | undefined =>
    part + rest === 0 ? undefined : part / (part + rest);
  return {
    ...judged,
    world: judged.world.slice(0, MOST),
    omitted: Math.max(0, judged.world.length - MOST),
    counts,
    precision: share(counts.right, counts.stale + counts.wrong),
    recall: share(known, counts.missing),
  };
}
