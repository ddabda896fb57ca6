/** The state of a graph at any time, the difference between two times, and its JSON form. */

import { z } from "zod";
import { type EpisodicVertex, type GraphChange, KnowledgeGraph } from "./knowledge-graph.ts";
import { type Triplet, tripletKey } from "./triplet.ts";

export interface GraphDiff {
  readonly added: readonly Triplet[];
  readonly removed: readonly Triplet[];
}

/** A graph with its whole history, as JSON. */
export interface GraphJson {
  /** Version of the format. */
  readonly format: 1;
  /** `["+" or "-", subject, relation, object, time]`, in order. */
  readonly changes: readonly (readonly ["+" | "-", string, string, string, number])[];
  /**
   * Episodic vertices in order: `time` is the agent's step, `text` the observation, `triplets` the
   * hyper-edge as `[subject, relation, object]`.
   */
  readonly episodes: readonly (Omit<EpisodicVertex, "triplets"> & {
    readonly triplets: readonly (readonly [string, string, string])[];
  })[];
}

/**
 * The triplets that were current after a step, in order of addition. `changes` is any record in
 * order of time, such as that of a store.
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, snapshotAt } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * const key = { subject: "key", relation: "is in", object: "locker" };
 * graph.add(key, 1);
 * graph.remove(key, 4);
 * assert.deepEqual(snapshotAt(graph.changes, 3), [key]);
 * assert.deepEqual(snapshotAt(graph.changes, 4), []);
 * ```
 */
export function snapshotAt(changes: readonly GraphChange[], time: number): Triplet[] {
  const current = new Map<string, Triplet>();
  for (const { op, triplet, time: at } of changes) {
    if (at > time) break;
    if (op === "add") current.set(tripletKey(triplet), triplet);
    else current.delete(tripletKey(triplet));
  }
  return [...current.values()];
}

export function diffBetween(
  changes: readonly GraphChange[],
  before: number,
  after: number,
): GraphDiff {
  const [old, young] = [before, after].map((time) =>
    new Map(snapshotAt(changes, time).map((triplet) => [tripletKey(triplet), triplet]))
  );
  return {
    added: [...young ?? []].filter(([key]) => !old?.has(key)).map(([, triplet]) => triplet),
    removed: [...old ?? []].filter(([key]) => !young?.has(key)).map(([, triplet]) => triplet),
  };
}

/**
 * The triplets of a graph at a step, each with its state there: `added` or `removed` by the step,
 * or
 * `known` from before. What `graphPicture` draws.
 *
 * @example
 * ```ts
 * import { changesOf, KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * const [inLocker, carried] = ["locker", "inventory"].map((object) => ({ subject: "key", relation: "is in", object }));
 * graph.add(inLocker!, 1);
 * graph.remove(inLocker!, 2);
 * graph.add(carried!, 2);
 * assert.deepEqual(changesOf(graph, 2).map(({ object, state }) => [object, state]), [["locker", "removed"], ["inventory", "added"]]);
 * ```
 */
export function changesOf(
  { changes }: Pick<KnowledgeGraph, "changes">,
  step: number,
): (Triplet & { readonly state: "known" | "added" | "removed" })[] {
  const { added, removed } = diffBetween(changes, step - 1, step);
  const fresh = new Set(added.map(tripletKey));
  const standing = snapshotAt(changes, step).map((
    triplet,
  ) => ({ ...triplet, state: fresh.has(tripletKey(triplet)) ? "added" : "known" } as const));
  return [...removed.map((triplet) => ({ ...triplet, state: "removed" } as const)), ...standing];
}

/**
 * Converts a graph to JSON without loss; the times of removed triplets are included.
 *
 * @example
 * ```ts
 * import { graphToJson, KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "key", relation: "is in", object: "locker" }, 1);
 * assert.deepEqual(graphToJson(graph), { format: 1, changes: [["+", "key", "is in", "locker", 1]], episodes: [] });
 * ```
 */
export function graphToJson(graph: KnowledgeGraph): GraphJson {
  return {
    format: 1,
    changes: graph.changes.map(({ op, triplet, time }) =>
      [op === "add" ? "+" : "-", ...toJson(triplet), time] as const
    ),
    episodes: graph.episodes.map(({ time, text, triplets }) => ({
      time,
      text,
      triplets: triplets.map(toJson),
    })),
  };
}

/**
 * Restores a graph from the JSON of `graphToJson`.
 *
 * @throws {TypeError} if the value does not have that form; the message names the field.
 *
 * @example
 * ```ts
 * import { graphFromJson, graphToJson, KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "key", relation: "is in", object: "locker" }, 1);
 * const json = JSON.stringify(graphToJson(graph));
 * assert.deepEqual(graphFromJson(JSON.parse(json)).changes, graph.changes);
 * assert.throws(() => graphFromJson({ nodes: [] }), TypeError);
 * ```
 */
export function graphFromJson(value: unknown): KnowledgeGraph {
  const parsed = graphSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new TypeError(
      `cannot read the graph: ${issue?.message} at ${
        issue?.path.join(".") || "its top"
      }; it must be what graphToJson wrote`,
    );
  }
  const graph = new KnowledgeGraph();
  for (const [op, subject, relation, object, time] of parsed.data.changes) {
    if (op === "+") graph.add({ subject, relation, object }, time);
    else graph.remove({ subject, relation, object }, time);
  }
  for (const { time, text, triplets } of parsed.data.episodes) {
    graph.addEpisode({
      time,
      text,
      triplets: triplets.map(([subject, relation, object]) => ({ subject, relation, object })),
    });
  }
  return graph;
}

const graphSchema = z.strictObject({
  format: z.literal(1),
  changes: z.array(z.tuple([z.enum(["+", "-"]), z.string(), z.string(), z.string(), z.number()])),
  episodes: z.array(
    z.strictObject({
      time: z.number(),
      text: z.string(),
      triplets: z.array(z.tuple([z.string(), z.string(), z.string()])),
    }),
  ),
});

function toJson({ subject, relation, object }: Triplet): [string, string, string] {
  return [subject, relation, object];
}
