/**
 * A graph at any time, what changed between two times, and a graph as JSON.
 *
 * @module
 */

import { z } from "zod";
import { type GraphChange, KnowledgeGraph } from "./knowledge-graph.ts";
import { type Triplet, tripletKey } from "./triplet.ts";

/** What happened to a graph between two times. */
export interface GraphDiff {
  /** Standing after, not before; in order of addition. */
  readonly added: readonly Triplet[];
  /** Standing before, not after; in order of addition. */
  readonly removed: readonly Triplet[];
}

/** A graph with its whole history, JSON-able. */
export interface GraphJson {
  /** Version of this form. */
  readonly format: 1;
  /** `["+" or "-", subject, relation, object, time]`, in order. */
  readonly changes: readonly (readonly ["+" | "-", string, string, string, number])[];
  /** Episodic vertices in order: `time` is the agent's step, `text` the observation, `triplets` the hyper-edge. */
  readonly episodes: readonly { readonly time: number; readonly text: string; readonly triplets: readonly TripletJson[] }[];
}

/** `[subject, relation, object]`, in normal form. */
export type TripletJson = readonly [string, string, string];

/**
 * The triplets that stood after a step, in order of addition. Takes any record of changes in order of time, as a store keeps it too.
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
  const standing = new Map<string, Triplet>();
  for (const { op, triplet, time: at } of changes) {
    if (at > time) break;
    if (op === "add") standing.set(tripletKey(triplet), triplet);
    else standing.delete(tripletKey(triplet));
  }
  return [...standing.values()];
}

/**
 * What stands after one step and did not after another, and the reverse.
 *
 * @example
 * ```ts
 * import { diffBetween, KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * const [inLocker, carried] = ["locker", "inventory"].map((object) => ({ subject: "key", relation: "is in", object }));
 * graph.add(inLocker!, 1);
 * graph.remove(inLocker!, 2);
 * graph.add(carried!, 2);
 * assert.deepEqual(diffBetween(graph.changes, 1, 2), { added: [carried], removed: [inLocker] });
 * ```
 */
export function diffBetween(changes: readonly GraphChange[], before: number, after: number): GraphDiff {
  const [old, young] = [before, after].map((time) => new Map(snapshotAt(changes, time).map((triplet) => [tripletKey(triplet), triplet])));
  return {
    added: [...young ?? []].filter(([key]) => !old?.has(key)).map(([, triplet]) => triplet),
    removed: [...old ?? []].filter(([key]) => !young?.has(key)).map(([, triplet]) => triplet),
  };
}

/**
 * The graph as JSON: nothing is lost, the times of removed triplets included.
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
    changes: graph.changes.map(({ op, triplet, time }) => [op === "add" ? "+" : "-", ...toJson(triplet), time] as const),
    episodes: graph.episodes.map(({ time, text, triplets }) => ({ time, text, triplets: triplets.map(toJson) })),
  };
}

/**
 * The graph that `graphToJson` wrote.
 *
 * @throws {TypeError} if the value is no such thing.
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
      `cannot read the graph: ${issue?.message} at ${issue?.path.join(".") || "its top"}; it must be what graphToJson wrote`,
    );
  }
  const graph = new KnowledgeGraph();
  for (const [op, subject, relation, object, time] of parsed.data.changes) {
    if (op === "+") graph.add({ subject, relation, object }, time);
    else graph.remove({ subject, relation, object }, time);
  }
  for (const { time, text, triplets } of parsed.data.episodes) {
    graph.addEpisode({ time, text, triplets: triplets.map(([subject, relation, object]) => ({ subject, relation, object })) });
  }
  return graph;
}

const tripletSchema = z.tuple([z.string(), z.string(), z.string()]);
const graphSchema = z.strictObject({
  format: z.literal(1),
  changes: z.array(z.tuple([z.enum(["+", "-"]), z.string(), z.string(), z.string(), z.number()])),
  episodes: z.array(z.strictObject({ time: z.number(), text: z.string(), triplets: z.array(tripletSchema) })),
});

function toJson({ subject, relation, object }: Triplet): TripletJson {
  return [subject, relation, object];
}
