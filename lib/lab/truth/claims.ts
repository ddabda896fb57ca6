/** What a memory and its world say, claim against claim. */

import { graphEditDistance } from "../../core/graph/edit-distance.ts";
import type { GraphEdit, NodeMatch } from "../../core/graph/edit-script.ts";
import type { RoomObjectGraph } from "../../core/graph/room-object-graph.ts";

export type Row = readonly [subject: string, relation: string, object: string];

export type Verdict = "right" | "stale" | "wrong" | "beside";

/** How a triplet of the world stands to the memory; `beside` where the two cannot be compared. */
export type Knowledge = "right" | "missing" | "unseen" | "beside";

export interface Edited {
  /** They differ where the search was cut off; absent where graphs are not compared. */
  readonly distance?: { readonly lower: number; readonly upper: number };
  readonly edits: readonly GraphEdit[];
  /** Why the two cannot be compared, as where a map is too large or damaged. */
  readonly problem?: string;
}

export interface Judgement {
  readonly memory: readonly { readonly row: Row; readonly verdict: Verdict }[];
  /** The world's own graph in the memory's words. */
  readonly world: readonly { readonly row: Row; readonly verdict: Knowledge }[];
  readonly edited: Edited;
}

/** A triplet and what it claims, in a form equal for a memory and its world. */
interface Claimed {
  readonly row: Row;
  readonly key?: string;
}

interface Sides {
  readonly memory: readonly Claimed[];
  /** What holds now; `isSeen` is whether the agent has come across it. */
  readonly world: readonly (Claimed & { readonly isSeen: boolean })[];
  readonly before: ReadonlySet<string>;
}

/** Compares the claims of a memory with those of its world; edits of graphs are not counted. */
export function judgeClaims({ memory, world, before }: Sides): Judgement {
  const isTrue = new Set(world.map(({ key }) => key));
  const isKnown = new Set(memory.map(({ key }) => key));
  return {
    memory: memory.map(({ row, key }) => (
      {
        row,
        verdict: key === undefined
          ? "beside"
          : isTrue.has(key)
          ? "right"
          : before.has(key)
          ? "stale"
          : "wrong",
      }
    )),
    world: world.map(({ row, key, isSeen }) => ({
      row,
      verdict: isKnown.has(key) ? "right" : isSeen ? "missing" : "unseen",
    })),
    edited: { edits: [] },
  };
}

/** Edits from one graph to another and equal nodes; a `problem` for a graph that is too large. */
export function editsBetween(
  built: RoomObjectGraph,
  seen: RoomObjectGraph,
  nodeLimit: number,
): { readonly edited: Edited; readonly matches: readonly NodeMatch[] } {
  try {
    const { lower, upper, edits, matches } = graphEditDistance(built, seen, { nodeLimit });
    return { edited: { distance: { lower, upper }, edits }, matches };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return { edited: { edits: [], problem: error.message }, matches: [] };
  }
}
