/** Plans of GraphMind's planner and the names in them. */

export type Planned =
  | {
    readonly kind: "plan";
    readonly target: string;
    readonly why: string;
    readonly instructions: readonly string[];
  }
  | { readonly kind: "call"; readonly name: string; readonly arguments: Record<string, unknown> };

export interface Target {
  readonly doors: readonly string[];
  readonly name: string;
}

export const COLOURS: readonly string[] = [
  "blue",
  "green",
  "grey",
  "purple",
  "red",
  "yellow",
  "brown",
  "white",
];

export function instruct(
  target: string,
  why: string,
  doors: readonly string[],
  ...instructions: readonly string[]
): Planned {
  return {
    kind: "plan",
    target,
    why,
    instructions: [...doors.map((door) => `pass_door(${door})`), ...instructions],
  };
}

export function keyOf(door: string): string {
  return door.replace(/ door$/, " key");
}

/** The doors in "Doors to pass from room 1: red door (east) to room 2, …". */
export function doorsIn(answer: string): string[] {
  const legs = answer.match(/Doors to pass from room \d+: (.*)\./)?.[1]?.split(", ") ?? [];
  return legs.map((leg) => leg.replace(/(?: \(\w+\))? to room \d+$/, ""));
}
