/**
 * A memory of NetHack's levels held against what the world keeps of them: its areas, the exits of
 * each by their coordinates, and its depth. What lies in an area is not reported, and from which
 * area another was come to is no fact of the world: both stand beside the comparison.
 */

import { z } from "zod";
import type { RoomObjectGraph } from "../../core/graph/room-object-graph.ts";
import { judgeClaims, type Judgement, type Row } from "./claims.ts";

/**
 * What NetHack's world reports of the levels that were visited; an exit is its x and y in cells.
 */
const dungeonTruth = z.object({
  levels: z.array(z.object({
    depth: z.int(),
    rooms: z.array(z.object({ name: z.string(), exits: z.array(z.tuple([z.int(), z.int()])) })),
  })),
});

/** An area of a level; x and y of an exit in cells. */
interface Area {
  readonly name: string;
  readonly depth: number;
  readonly exits: readonly (readonly [x: number, y: number])[];
}

/** Reads the areas of all levels that were visited; `undefined` for the truth of another world. */
export function asDungeon(truth: unknown): Area[] | undefined {
  return dungeonTruth.safeParse(truth).data?.levels.flatMap(({ depth, rooms }) =>
    rooms.map(({ name, exits }) => ({ name, depth, exits }))
  );
}

/**
 * Holds triplets against the areas of each recorded step; the last of `dungeons` is the present
 * one.
 */
export function judgeDungeon(
  memory: readonly Row[],
  dungeons: readonly (readonly Area[])[],
): Judgement {
  const names = new Map(
    memory.flatMap(([, , object]) =>
      exitOf(object) === undefined ? [] : [[exitOf(object), object]]
    ),
  );
  const world = rowsOf(dungeons.at(-1) ?? []).map((
    [area, relation, object],
  ): Row => [area, relation, names.get(exitOf(object)) ?? object]);
  return judgeClaims({
    memory: memory.map((row) => ({ row, key: claimOf(row) })),
    world: world.map((row) => ({ row, key: claimOf(row), isSeen: true })), // the world keeps what was come across
    before: new Set(
      dungeons.flatMap((areas) => rowsOf(areas).flatMap((row) => claimOf(row) ?? [])),
    ),
    built: graphOf(memory),
    seen: graphOf(world),
  });
}

function exitOf(name: string): string | undefined {
  return name.match(/^(?:door|doorway|exit) (\d+ \d+)$/)?.[1];
}

function claimOf([subject, relation, object]: Row): string | undefined {
  if (!/^(?:room|corridor) \d+$/.test(subject)) return undefined;
  const exit = exitOf(object);
  if (exit !== undefined && /^has (?:exit|passage)$/.test(relation)) {
    return `${subject} exit ${exit}`;
  }
  return relation === "is at" && object.startsWith("depth ") ? `${subject} ${object}` : undefined;
}

function rowsOf(areas: readonly Area[]): Row[] {
  return areas.flatMap(({ name, depth, exits }): Row[] => [
    [name, "is at", `depth ${depth}`],
    ...exits.map(([x, y]): Row => [name, "has exit", `exit ${x} ${y}`]),
  ]);
}

function graphOf(rows: readonly Row[]): RoomObjectGraph {
  const claims = rows.filter((row) => claimOf(row) !== undefined);
  const exits = new Map(claims.flatMap(([area, , object]) => {
    const [exit, id] = [exitOf(object), `exit ${exitOf(object)} of ${area}`];
    return exit === undefined ? [] : [[id, { id, area, label: `exit ${exit}` }] as const];
  }));
  return {
    nodes: [
      ...[...new Set(claims.map(([area]) => area))].map((id) => ({
        id,
        kind: "room" as const,
        label: id,
      })),
      ...[...exits.values()].map(({ id, label }) => ({ id, kind: "object" as const, label })),
    ],
    edges: [...exits.values()].map(({ id, area }) => ({ a: area, b: id, label: "contains" })),
  };
}
