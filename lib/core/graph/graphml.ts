/** Export to GraphML, the format that Gephi, yEd, Cytoscape and networkx read. graphology-graphml has only a reader. */

import { safeText } from "../foreign-text.ts";
import type { KnowledgeGraph } from "./knowledge-graph.ts";
import type { Triplet } from "./triplet.ts";

/** Options of the export. */
export interface GraphmlOptions {
  /** The triplets to write. @default the current ones */
  readonly triplets?: readonly Triplet[];
  /** Whether to add episodic vertices and their hyper-edges, as edges from the episode to each entity. @default {false} */
  readonly episodes?: boolean;
}

/**
 * Writes a graph as GraphML 1.0 (UTF-8): vertices carry `label` and `kind` (`entity` or `episode`), edges `label`.
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, toGraphml } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "key", relation: "opens", object: "locker" }, 1);
 * assert.match(toGraphml(graph), /<edge id="e0" source="n0" target="n1"><data key="relation">opens<\/data><\/edge>/);
 * ```
 */
export function toGraphml(graph: KnowledgeGraph, options: GraphmlOptions = {}): string {
  const { triplets = graph.triplets(), episodes = false } = options;
  const vertices: string[] = [];
  const edges: string[] = [];
  const ids = new Map<string, string>();

  for (const { subject, relation, object } of triplets) edges.push(edge(edges.length, vertex(subject), vertex(object), relation));
  if (episodes) {
    for (const episode of graph.episodes) {
      const id = write("episode", `${episode.time}`, episode.text);
      const entities = new Set(episode.triplets.flatMap(({ subject, object }) => [subject, object]));
      for (const entity of entities) edges.push(edge(edges.length, id, vertex(entity), "observed"));
    }
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '<key id="label" for="node" attr.name="label" attr.type="string"/>',
    '<key id="kind" for="node" attr.name="kind" attr.type="string"/>',
    '<key id="text" for="node" attr.name="text" attr.type="string"/>',
    '<key id="relation" for="edge" attr.name="label" attr.type="string"/>',
    '<graph edgedefault="directed">',
    ...vertices,
    ...edges,
    "</graph>",
    "</graphml>",
    "",
  ].join("\n");

  function vertex(entity: string): string {
    let id = ids.get(entity);
    if (id === undefined) ids.set(entity, id = write("entity", entity));
    return id;
  }

  function write(kind: string, label: string, text?: string): string {
    const id = `n${vertices.length}`;
    const body = data("label", label) + data("kind", kind) + (text === undefined ? "" : data("text", text));
    vertices.push(`<node id="${id}">${body}</node>`);
    return id;
  }
}

function edge(index: number, source: string, target: string, relation: string): string {
  return `<edge id="e${index}" source="${source}" target="${target}">${data("relation", relation)}</edge>`;
}

function data(key: string, value: string): string {
  return `<data key="${key}">${escape(value)}</data>`;
}

/** Escapes XML 1.0 text; what XML cannot represent becomes U+FFFD. */
function escape(text: string): string {
  return safeText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
