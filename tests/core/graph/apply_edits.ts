/** Application of edit scripts, by which the tests check what `graphEditDistance` returns. */

import { edgeKey, type GraphEdit } from "../../../lib/core/graph/edit-script.ts";
import {
  checkRoomObjectGraph,
  type RoomObjectEdge,
  type RoomObjectGraph,
  type RoomObjectNode,
} from "../../../lib/core/graph/room-object-graph.ts";

/**
 * Applies the edits in order and returns the edited graph. A script must delete the edges of a node
 * before the node.
 *
 * @throws {RangeError} at the first edit that does not fit the graph.
 * @throws {TypeError} if the result is no graph of rooms and objects.
 */
export function applyEdits(graph: RoomObjectGraph, edits: readonly GraphEdit[]): RoomObjectGraph {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = new Map(graph.edges.map((edge) => [edgeKey(edge), edge]));
  for (const [index, edit] of edits.entries()) {
    const fits = apply(nodes, edges, edit);
    if (!fits) {
      throw new RangeError(
        `cannot apply edit ${index} ${
          JSON.stringify(edit)
        }: it does not fit the graph as it then is`,
      );
    }
  }
  const edited = { nodes: [...nodes.values()], edges: [...edges.values()] };
  checkRoomObjectGraph(edited);
  return edited;
}

/** Applies one edit; `false` if it does not fit the graph. */
function apply(
  nodes: Map<string, RoomObjectNode>,
  edges: Map<string, RoomObjectEdge>,
  edit: GraphEdit,
): boolean {
  switch (edit.op) {
    case "delete-edge":
      return edges.get(edgeKey(edit))?.label === edit.label && edges.delete(edgeKey(edit));
    case "delete-node": {
      const bare = ![...edges.values()].some(({ a, b }) => a === edit.id || b === edit.id);
      return bare && nodes.get(edit.id)?.label === edit.label && nodes.delete(edit.id);
    }
    case "relabel-node": {
      const node = nodes.get(edit.id);
      if (node?.label !== edit.from) return false;
      nodes.set(edit.id, { ...node, label: edit.to });
      return true;
    }
    case "relabel-edge": {
      const edge = edges.get(edgeKey(edit));
      if (edge?.label !== edit.from) return false;
      edges.set(edgeKey(edit), { ...edge, label: edit.to });
      return true;
    }
    case "insert-node":
      if (nodes.has(edit.id)) return false;
      nodes.set(edit.id, { id: edit.id, kind: edit.kind, label: edit.label });
      return true;
    case "insert-edge":
      if (edges.has(edgeKey(edit))) return false;
      edges.set(edgeKey(edit), { a: edit.a, b: edit.b, label: edit.label });
      return true;
  }
}
