/** Maps of rooms for benchmarks: grids as in BabyAI, and grids with the errors of a model. */

import type {
  RoomObjectEdge,
  RoomObjectGraph,
  RoomObjectNode,
} from "../../core/graph/room-object-graph.ts";

/** Draws a number in [0, 1). */
export type Draw = () => number;

export const COLOURS = ["red", "green", "blue", "purple", "yellow", "grey"];
const TYPES = ["ball", "box", "key"];

/** A grid of side² rooms, doors of six colours, `density` objects a room of 18 labels. */
export function gridGraph(draw: Draw, side: number, density: number): RoomObjectGraph {
  const nodes: RoomObjectNode[] = [];
  const edges: RoomObjectEdge[] = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const id = `r${y * side + x}`;
      nodes.push({ id, kind: "room", label: "room" });
      if (x > 0 && draw() < 0.85) {
        edges.push({ a: id, b: `r${y * side + x - 1}`, label: pick(draw, COLOURS) });
      }
      if (y > 0 && draw() < 0.85) {
        edges.push({ a: id, b: `r${(y - 1) * side + x}`, label: pick(draw, COLOURS) });
      }
      for (let i = 0; i < density; i++) {
        nodes.push({ id: `${id}o${i}`, kind: "object", label: objectLabel(draw) });
        edges.push({ a: id, b: `${id}o${i}`, label: "contains" });
      }
    }
  }
  return { nodes, edges };
}

/** The graph with wrong rooms (double, merged, missing) and wrong objects, under new ids. */
export function corrupted(
  draw: Draw,
  graph: RoomObjectGraph,
  wrong: { readonly rooms: number; readonly objects: number },
): RoomObjectGraph {
  let nodes = [...graph.nodes];
  let edges = [...graph.edges];
  const kindOf = (id: string): string | undefined => nodes.find((node) => node.id === id)?.kind;
  const roomIds = (): string[] => nodes.filter(({ kind }) => kind === "room").map(({ id }) => id);
  const objectIds = (): string[] =>
    nodes.filter(({ kind }) => kind === "object").map(({ id }) => id);
  const drop = (gone: ReadonlySet<string>): void => {
    nodes = nodes.filter(({ id }) => !gone.has(id));
    edges = edges.filter(({ a, b }) => !gone.has(a) && !gone.has(b));
  };
  const other = ({ a, b }: RoomObjectEdge, id: string): string => a === id ? b : a;
  const incident = (id: string): RoomObjectEdge[] =>
    edges.filter(({ a, b }) => a === id || b === id);

  for (let i = 0; i < wrong.rooms; i++) {
    const room = pick(draw, roomIds());
    const kind = below(draw, 3);
    if (kind === 0) { // double: a second node for the room, with some of its doors and of its objects
      const copy = `${room}d${i}`;
      nodes.push({ id: copy, kind: "room", label: "room" });
      for (const edge of incident(room)) {
        if (draw() < 0.4) continue;
        const end = other(edge, room);
        if (kindOf(end) === "room") edges.push({ a: copy, b: end, label: edge.label });
        else {
          const object = `${end}d${i}`;
          nodes.push({
            id: object,
            kind: "object",
            label: nodes.find(({ id }) => id === end)?.label ?? "",
          });
          edges.push({ a: copy, b: object, label: edge.label });
        }
      }
    } else if (kind === 1) { // merged: a neighbour's doors and objects become the room's
      const next = incident(room).map((edge) => other(edge, room)).find((id) =>
        kindOf(id) === "room"
      );
      if (next === undefined) continue;
      const moved = incident(next).map((edge) => ({
        a: room,
        b: other(edge, next),
        label: edge.label,
      })).filter(({ b }) => b !== room);
      drop(new Set([next]));
      for (const edge of moved) {
        if (!incident(room).some((known) => other(known, room) === edge.b)) edges.push(edge);
      }
    } else if (roomIds().length > 1) { // missing, with what was in it
      drop(
        new Set([
          room,
          ...incident(room).map((edge) => other(edge, room)).filter((id) =>
            kindOf(id) === "object"
          ),
        ]),
      );
    }
  }
  for (let i = 0; i < wrong.objects && objectIds().length > 0; i++) {
    const object = pick(draw, objectIds());
    const label = objectLabel(draw);
    const kind = below(draw, 4);
    if (kind === 0) nodes = nodes.map((node) => node.id === object ? { ...node, label } : node);
    else if (kind === 1) {
      edges = edges.filter(({ a, b }) => a !== object && b !== object);
      edges.push({ a: pick(draw, roomIds()), b: object, label: "contains" });
    } else if (kind === 2) drop(new Set([object]));
    else {
      nodes.push({ id: `x${i}`, kind: "object", label });
      edges.push({ a: pick(draw, roomIds()), b: `x${i}`, label: "contains" });
    }
  }
  return renamed(draw, { nodes, edges });
}

/** The same graph under other ids, in another order, its edges turned round at random. */
export function renamed(draw: Draw, { nodes, edges }: RoomObjectGraph): RoomObjectGraph {
  const ids = new Map(shuffled(draw, nodes).map(({ id }, index) => [id, `n${index}`]));
  const name = (id: string): string => ids.get(id) ?? id;
  return {
    nodes: shuffled(draw, nodes).map((node) => ({ ...node, id: name(node.id) })),
    edges: shuffled(draw, edges).map(({ a, b, label }) =>
      draw() < 0.5 ? { a: name(a), b: name(b), label } : { a: name(b), b: name(a), label }
    ),
  };
}

/** A whole number in [0, limit). */
export function below(draw: Draw, limit: number): number {
  return Math.floor(draw() * limit);
}

/** One of the values, of which there must be one. */
export function pick<T>(draw: Draw, values: readonly T[]): T {
  return values[below(draw, values.length)] as T;
}

export function shuffled<T>(draw: Draw, values: readonly T[]): T[] {
  return values.map((value) => ({ value, key: draw() })).sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}

/** One of the 18 labels of objects. */
export function objectLabel(draw: Draw): string {
  return `${pick(draw, COLOURS)} ${pick(draw, TYPES)}`;
}
