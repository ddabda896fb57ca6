import type { EditCosts, GraphPair, NodeMap } from "./edit-costs.ts";
import { at } from "./assignment.ts";
import type { RoomObjectEdge, RoomObjectGraph, RoomObjectNode } from "./room-object-graph.ts";

/**
 * One edit; ids are those of the edited graph. An inserted node keeps its id of the other graph,
 * with primes added if that is taken.
 */
export type GraphEdit =
  | {
    readonly op: "delete-edge" | "insert-edge";
    readonly a: string;
    readonly b: string;
    readonly label: string;
  }
  | {
    readonly op: "delete-node" | "insert-node";
    readonly id: string;
    readonly kind: RoomObjectNode["kind"];
    readonly label: string;
  }
  | { readonly op: "relabel-node"; readonly id: string; readonly from: string; readonly to: string }
  | {
    readonly op: "relabel-edge";
    readonly a: string;
    readonly b: string;
    readonly from: string;
    readonly to: string;
  };

/** A pair of corresponding nodes. */
export interface NodeMatch {
  /** Id in the edited graph; of an inserted node the id in its edit. */
  readonly a: string;
  /** Id in the target graph. */
  readonly b: string;
}

export function editsOf(
  { from, to, costs }: GraphPair,
  map: NodeMap,
  a: RoomObjectGraph,
  b: RoomObjectGraph,
): {
  readonly edits: readonly GraphEdit[];
  readonly cost: number;
  readonly matches: readonly NodeMatch[];
} {
  const imageOf = new Map<string, RoomObjectNode>(); // id in a → node of b
  const idOf = new Map<string, string>(); // id in b → id in a
  for (const kind of ["rooms", "objects"] as const) {
    for (const [index, { id }] of from[kind].entries()) {
      const image = to[kind][at(map[kind], index)]; // none at `NONE`
      if (!image) continue;
      imageOf.set(id, image);
      idOf.set(image.id, id);
    }
  }
  const taken = new Set(a.nodes.map(({ id }) => id));
  const inserted: GraphEdit[] = [];
  for (const { id, kind, label } of b.nodes) {
    if (idOf.has(id)) continue;
    let free = id;
    while (taken.has(free)) free += "'";
    taken.add(free);
    idOf.set(id, free);
    inserted.push({ op: "insert-node", id: free, kind, label });
  }

  const wanted = new Map<string, RoomObjectEdge>();
  for (const edge of b.edges) {
    const moved = { a: idOf.get(edge.a) ?? "", b: idOf.get(edge.b) ?? "", label: edge.label };
    wanted.set(edgeKey(moved), moved);
  }
  const keepable = costs.relabelEdge <= costs.deleteEdge + costs.insertEdge;
  const deletedEdges: GraphEdit[] = [];
  const relabelledEdges: GraphEdit[] = [];
  for (const edge of a.edges) {
    const goal = wanted.get(edgeKey(edge));
    if (goal && (goal.label === edge.label || keepable)) {
      wanted.delete(edgeKey(edge));
      if (goal.label !== edge.label) {
        relabelledEdges.push({
          op: "relabel-edge",
          a: edge.a,
          b: edge.b,
          from: edge.label,
          to: goal.label,
        });
      }
    } else deletedEdges.push({ op: "delete-edge", ...edge });
  }
  const edits: GraphEdit[] = [
    ...deletedEdges,
    ...a.nodes.filter(({ id }) => !imageOf.has(id)).map((node): GraphEdit => ({
      op: "delete-node",
      ...node,
    })),
    ...a.nodes.flatMap(({ id, label }): GraphEdit[] => {
      const image = imageOf.get(id);
      return image && image.label !== label
        ? [{ op: "relabel-node", id, from: label, to: image.label }]
        : [];
    }),
    ...relabelledEdges,
    ...inserted,
    ...[...wanted.values()].map((edge): GraphEdit => ({ op: "insert-edge", ...edge })),
  ];
  const cost = edits.reduce((sum, edit) => sum + costs[COST_OF[edit.op]], 0);
  return { edits, cost, matches: b.nodes.map(({ id }) => ({ a: idOf.get(id) ?? "", b: id })) };
}

const COST_OF: Readonly<Record<GraphEdit["op"], keyof EditCosts>> = {
  "delete-edge": "deleteEdge",
  "delete-node": "deleteNode",
  "relabel-node": "relabelNode",
  "relabel-edge": "relabelEdge",
  "insert-node": "insertNode",
  "insert-edge": "insertEdge",
};

export function edgeKey({ a, b }: { readonly a: string; readonly b: string }): string {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}
