/** What a memory and its world say, claim against claim. */

import { graphEditDistance } from "../graph/edit-distance.ts";
import type { GraphEdit } from "../graph/edit-script.ts";
import type { RoomObjectGraph } from "../graph/room-object-graph.ts";

/** A triplet as three texts. */
export type Row = readonly [subject: string, relation: string, object: string];

/** How a triplet of the memory stands to the world. */
export type Verdict = "right" | "stale" | "wrong" | "beside";

/** How a triplet of the world stands to the memory. */
export type Knowledge = "right" | "missing" | "unseen";

/** A memory held against the world. */
export interface Judgement {
  readonly memory: readonly { readonly row: Row; readonly verdict: Verdict }[];
  /** The world's own graph in the memory's words. */
  readonly world: readonly { readonly row: Row; readonly verdict: Knowledge }[];
  /** Edits from the memory to what was seen of the world, searched for when they are first read; they differ where the search was cut off. */
  readonly distance: { readonly lower: number; readonly upper: number };
  readonly edits: readonly GraphEdit[];
}

/** A triplet, and what it claims in a form that is equal where a memory and its world say the same; no claim where they cannot be compared. */
interface Claimed {
  readonly row: Row;
  readonly key?: string;
}

/** What is compared. */
interface Sides {
  readonly memory: readonly Claimed[];
  /** What holds now; `isSeen` is whether the agent has come across it. */
  readonly world: readonly (Claimed & { readonly isSeen: boolean })[];
  /** What held at any recorded step. */
  readonly before: ReadonlySet<string>;
  readonly built: RoomObjectGraph;
  /** What the agent has come across of the world. */
  readonly seen: RoomObjectGraph;
}

/** Most partial maps that the search for the distance looks at: names tell rooms apart, so that few are needed. */
const NODE_LIMIT = 100;

/** Compares the claims of a memory with those of its world. */
export function judgeClaims({ memory, world, before, built, seen }: Sides): Judgement {
  const isTrue = new Set(world.map(({ key }) => key));
  const isKnown = new Set(memory.map(({ key }) => key));
  let found: ReturnType<typeof graphEditDistance> | undefined;
  const edited = (): NonNullable<typeof found> => found ??= graphEditDistance(built, seen, { nodeLimit: NODE_LIMIT });
  return {
    memory: memory.map(({ row, key }) => (
      { row, verdict: key === undefined ? "beside" : isTrue.has(key) ? "right" : before.has(key) ? "stale" : "wrong" }
    )),
    world: world.map(({ row, key, isSeen }) => ({ row, verdict: isKnown.has(key) ? "right" : isSeen ? "missing" : "unseen" })),
    get distance() {
      const { lower, upper } = edited();
      return { lower, upper };
    },
    get edits() {
      return edited().edits;
    },
  };
}
