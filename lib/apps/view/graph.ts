/** The graph of an episode over its steps, in a form from which a page draws any step. */

import { type Triplet, tripletKey } from "../../core/graph/triplet.ts";
import { brief } from "./brief.ts";
import type { EpisodeRecord } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { type GraphChangeRow, listGraphChanges } from "../../lab/store/turns.ts";

/** Every triplet that an episode ever held, and when each came and went. */
export interface GraphView {
  readonly triplets: readonly (readonly [subject: string, relation: string, object: string])[];
  /** Indices of the triplets that the episode was given by the one before it in its chain. */
  readonly inherited: readonly number[];
  readonly changes: readonly {
    readonly pass: number;
    readonly step: number;
    readonly op: "add" | "remove";
    readonly triplet: number;
  }[];
}

/** Reads the graph of an episode over its steps; it is empty where the memory has no graph. */
export function readGraph(store: Store, episode: EpisodeRecord): GraphView {
  const { triplets, indexOf } = tripletIndex();
  const inherited = current(
    episodesBefore(store, episode).flatMap((id) => listGraphChanges(store, id)),
    indexOf,
  );
  const changes = listGraphChanges(store, episode.id).map((change) => ({
    ...{ pass: change.pass, step: change.step, op: change.op },
    triplet: indexOf(change),
  }));
  return { triplets, inherited, changes };
}

/** Creates a list of distinct triplets and the function that adds one and returns its index. */
export function tripletIndex(): {
  readonly triplets: GraphView["triplets"];
  readonly indexOf: (triplet: Triplet) => number;
} {
  const indices = new Map<string, number>();
  const triplets: GraphView["triplets"][number][] = [];
  const indexOf = (triplet: Triplet): number =>
    indices.getOrInsertComputed(
      tripletKey(triplet),
      () =>
        triplets.push([brief(triplet.subject), brief(triplet.relation), brief(triplet.object)]) - 1,
    );
  return { triplets, indexOf };
}

/** The episodes whose artefacts led to this one's, first one first. */
function episodesBefore(store: Store, { study, id, artefactIn }: EpisodeRecord): string[] {
  const before: string[] = [];
  let wanted = artefactIn ?? null;
  while (wanted !== null) {
    const from = store.prepare(
      "select id, artefact_in from episodes where study = ? and artefact_out = ? and id <> ? limit 1",
    )
      .get(study, wanted, id);
    if (!from || before.includes(String(from.id))) break;
    before.unshift(String(from.id));
    wanted = from.artefact_in === null ? null : String(from.artefact_in);
  }
  return before;
}

function current(
  changes: readonly GraphChangeRow[],
  indexOf: (triplet: Triplet) => number,
): number[] {
  const held = new Set<number>();
  for (const change of changes) {
    if (change.op === "add") held.add(indexOf(change));
    else held.delete(indexOf(change));
  }
  return [...held];
}
