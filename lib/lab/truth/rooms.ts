/**
 * Compares a memory of BabyAI's rooms with the map. The memory numbers rooms in its own order: each
 * is the room of the map with which the fewest edits turn one graph into the other. Directions,
 * distances and states of doors are not compared.
 */

import { type BabyAiTruth, babyAiTruthGraph } from "../../core/graph/babyai-truth.ts";
import { roomObjectGraphOf } from "../../core/graph/room-graph.ts";
import type {
  RoomObjectEdge,
  RoomObjectGraph,
  RoomObjectNode,
} from "../../core/graph/room-object-graph.ts";
import { memoizeLast } from "../../core/text/memoize.ts";
import { editsBetween, type Judgement, type Knowledge, type Row, type Verdict } from "./claims.ts";
import { readGrowing } from "./growing.ts";

/** Most partial maps that the search looks at: 3 × 3 rooms are proved within it. */
const NODE_LIMIT = 500;

/** Compares triplets of rooms with the maps so far; the last of `truths` is the present one. */
export function judgeRooms(memory: readonly Row[], truths: readonly BabyAiTruth[]): Judgement {
  const now = truths.at(-1) as BabyAiTruth;
  const built = indexed(
    roomObjectGraphOf(memory.map(([subject, relation, object]) => ({ subject, relation, object }))),
  );
  const [seen, whole] = [
    indexed(babyAiTruthGraph(now)),
    indexed(babyAiTruthGraph(now, { scope: "whole" })),
  ];
  const { edited, matches } = lastEdits(
    JSON.stringify([built.nodes, built.edges, seen.nodes, seen.edges]),
    () => editsBetween(built, seen, NODE_LIMIT),
  );
  const counterparts = new Map(matches.map(({ a, b }) => [b, a]));
  const rooms = roomNames(built, whole, counterparts);
  const sameObjects = new Set(
    matches.filter(({ a, b }) => {
      const [ours, theirs] = [built.byId.get(a), seen.byId.get(b)];
      return theirs?.kind === "object" && ours?.label === theirs.label &&
        built.homes.get(a) === rooms.get(seen.homes.get(b) ?? "");
    }).map(({ a }) => a),
  );
  const doorsNow = doorLabels(seen, rooms);
  const before = edited.distance
    ? saidIn(truths as readonly [BabyAiTruth, ...BabyAiTruth[]])
    : new Set();
  const ofMap = new Map([...rooms].map(([id, name]) => [name, id]));
  const here = rooms.get(`room ${now.agent.room}`);

  function verdictOf([subject, relation, object]: Row): Verdict {
    if (!edited.distance) return "beside";
    if (subject === "agent") {
      return here === undefined ? "beside" : here === object ? "right" : "wrong";
    }
    const ends = endsKey(subject, object);
    const isWay = relation.startsWith("is_connected_with");
    if (!isWay && relation !== "contains") return "beside";
    const label = isWay ? built.doors.get(ends) : built.byId.get(object)?.label;
    if (isWay ? label === doorsNow.get(ends) : sameObjects.has(object)) return "right";
    const place = ofMap.get(subject) ?? "";
    return before.has(`${isWay ? endsKey(place, ofMap.get(object) ?? "") : place}\n${label}`)
      ? "stale"
      : "wrong";
  }

  const isSeen = new Set(seen.edges.map(({ a, b }) => endsKey(a, b)));
  const knowledgeOf = ({ a, b, label }: RoomObjectEdge): Knowledge => {
    if (!edited.distance) return "beside";
    if (seen.byId.get(b)?.kind === "object") {
      return sameObjects.has(counterparts.get(b) ?? "") ? "right" : "missing";
    }
    return built.doors.get(endsKey(rooms.get(a) ?? "", rooms.get(b) ?? "")) === label
      ? "right"
      : "missing";
  };
  const leaves = leafNames(
    seen,
    whole,
    rooms,
    (id) => sameObjects.has(counterparts.get(id) ?? "") ? counterparts.get(id) : undefined,
  );
  const world = [
    ...seen.edges.map((edge) => ({ edge, verdict: knowledgeOf(edge) })),
    ...whole.edges.filter(({ a, b }) => !isSeen.has(endsKey(a, b))).map((edge) => ({
      edge,
      verdict: "unseen" as const,
    })),
  ].flatMap(({ edge, verdict }) =>
    rowsOf(edge, rooms, leaves, now).map((row) => ({ row, verdict }))
  );
  return { memory: memory.map((row) => ({ row, verdict: verdictOf(row) })), world, edited };
}

/** The edits of the step before: on most steps neither graph changes. */
const lastEdits = memoizeLast<ReturnType<typeof editsBetween>>();

interface Indexed extends RoomObjectGraph {
  readonly byId: ReadonlyMap<string, RoomObjectNode>;
  /** Object → its room. */
  readonly homes: ReadonlyMap<string, string>;
  /** Ends → the door between two rooms. */
  readonly doors: ReadonlyMap<string, string>;
}

function indexed({ nodes, edges }: RoomObjectGraph): Indexed {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const [homes, doors] = [new Map<string, string>(), new Map<string, string>()];
  for (const { a, b, label } of edges) {
    if (byId.get(b)?.kind === "object") homes.set(b, a);
    else doors.set(endsKey(a, b), label);
  }
  return { nodes, edges, byId, homes, doors };
}

function endsKey(a: string, b: string): string {
  return [a, b].sort().join("\n");
}

function roomNames(
  built: Indexed,
  whole: Indexed,
  counterparts: ReadonlyMap<string, string>,
): Map<string, string> {
  let last = built.nodes.reduce(
    (most, { id }) => Math.max(most, Number(id.match(/^room (\d+)$/)?.[1] ?? 0)),
    0,
  );
  return new Map(
    whole.nodes.filter(({ kind }) => kind === "room").map(({ id }) => {
      const counterpart = counterparts.get(id);
      return [
        id,
        counterpart !== undefined && built.byId.has(counterpart) ? counterpart : `room ${++last}`,
      ];
    }),
  );
}

function doorLabels(graph: Indexed, rooms: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    graph.edges.filter(({ b }) => graph.byId.get(b)?.kind === "room")
      .map(({ a, b, label }) => [endsKey(rooms.get(a) ?? "", rooms.get(b) ?? ""), label]),
  );
}

/** What maps have said so far: things by their rooms, and doors by those that they join. */
const saidIn = readGrowing<BabyAiTruth, Set<string>>({
  create: () => new Set(),
  takeIn: (said, truth) => {
    const { homes, byId, doors } = indexed(babyAiTruthGraph(truth));
    for (const [id, room] of homes) said.add(`${room}\n${byId.get(id)?.label}`);
    for (const [ends, label] of doors) said.add(`${ends}\n${label}`);
  },
  keyOf: (truth) => truth,
});

/** Names for the map's things: the memory's, else label and room, numbered where taken. */
function leafNames(
  seen: Indexed,
  whole: Indexed,
  rooms: ReadonlyMap<string, string>,
  known: (id: string) => string | undefined,
): Map<string, string> {
  const homes = new Map([...whole.homes, ...seen.homes]);
  const names = new Map(
    [...homes.keys()].flatMap((id) => known(id) === undefined ? [] : [[id, known(id) as string]]),
  );
  const taken = new Set(names.values());
  for (const [id, home] of homes) {
    if (names.has(id)) continue;
    const label = seen.byId.get(id)?.label ?? whole.byId.get(id)?.label;
    let name = `${label} (${rooms.get(home)})`;
    for (let number = 2; taken.has(name); number++) {
      name = `${label} ${number} (${rooms.get(home)})`;
    }
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** The triplets of an edge in the memory's words; a door also says on which side it leads. */
function rowsOf(
  { a, b, label }: RoomObjectEdge,
  rooms: ReadonlyMap<string, string>,
  leaves: ReadonlyMap<string, string>,
  { grid: { size }, doors }: BabyAiTruth,
): Row[] {
  const [room, other] = [rooms.get(a) ?? "", rooms.get(b)];
  if (other === undefined) return [[room, "contains", leaves.get(b) ?? ""]];
  const [from, to] = [a, b].map((id) => Number(id.slice("room ".length))) as [number, number];
  const side = doors.find((door) => door.a === from && door.b === to)?.direction ??
    (to - from === size ? "south" : "east");
  return [[room, `is_connected_with ${label} door, to the ${side}`, other]];
}
