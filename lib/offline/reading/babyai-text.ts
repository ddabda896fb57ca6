/**
 * Reads BabyAI's view (a grid; the viewer is in the middle of the last row and faces the first) and
 * the notes of GraphMind's memory on rooms.
 */

export interface Sight {
  readonly name: string;
  readonly ahead: number;
  /** Cells to the viewer's right; negative to the left. */
  readonly right: number;
}

export interface GridView {
  /** Rows from the farthest to the viewer's own, in lower case. */
  readonly rows: readonly (readonly string[])[];
  /** Everything but walls, floor, the viewer and unseen cells, nearest first. */
  readonly sights: readonly Sight[];
  readonly facing?: Facing;
  cell(ahead: number, right: number): string;
}

export type Facing = "north" | "east" | "south" | "west";

const FACINGS: readonly Facing[] = ["north", "east", "south", "west"];
const PLAIN = ["unseen", "empty", "wall", "agent", ""];

export function readGridView(text: string): GridView | undefined {
  const rows = text.split("\n").filter((line) => line.includes(";"))
    .map((line) => line.split(";").map((cell) => cell.trim().toLowerCase().replaceAll("_", " ")));
  const near = rows.at(-1);
  const middle = near?.indexOf("agent") ?? -1;
  if (middle < 0) return undefined;
  const cell = (ahead: number, right: number): string =>
    rows[rows.length - 1 - ahead]?.[middle + right] ?? "unseen";
  const sights = rows.flatMap((row, index) =>
    row.flatMap((name, column): Sight[] =>
      PLAIN.includes(name) ? [] : [{ name, ahead: rows.length - 1 - index, right: column - middle }]
    )
  );
  sights.sort((a, b) => distance(a, HERE) - distance(b, HERE));
  const facing = text.match(/\bfacing (north|east|south|west)\b/i)?.[1]?.toLowerCase() as
    | Facing
    | undefined;
  return { rows, sights, cell, facing };
}

export const HERE = { ahead: 0, right: 0 } as const;

export function distance(
  a: Pick<Sight, "ahead" | "right">,
  b: Pick<Sight, "ahead" | "right">,
): number {
  return Math.abs(a.ahead - b.ahead) + Math.abs(a.right - b.right);
}

export function turned(facing: Facing, quarters: number): Facing {
  return FACINGS[(FACINGS.indexOf(facing) + quarters + 4) % 4] as Facing;
}

/** The compass direction of the wall that a door is in. */
export function wallOf({ cell, facing = "north" }: GridView, { ahead, right }: Sight): Facing {
  const across =
    [cell(ahead, right - 1), cell(ahead, right + 1)].filter((beside) => beside === "wall").length;
  const along =
    [cell(ahead - 1, right), cell(ahead + 1, right)].filter((beside) => beside === "wall").length;
  const isAcross = across === along ? ahead > Math.abs(right) : across > along;
  return turned(facing, isAcross ? 0 : right > 0 ? 1 : -1);
}

export function bearing({ facing = "north" }: GridView, { ahead, right }: Sight): string {
  const [north, east] = {
    north: [ahead, right],
    east: [-right, ahead],
    south: [-ahead, -right],
    west: [right, -ahead],
  }[facing] as [number, number];
  const upright = 2 * Math.abs(north) < Math.abs(east)
    ? ""
    : north > 0
    ? "north"
    : north < 0
    ? "south"
    : "";
  const sideways = 2 * Math.abs(east) < Math.abs(north)
    ? ""
    : east > 0
    ? "east"
    : east < 0
    ? "west"
    : "";
  return [upright, sideways].filter((word) => word !== "").join("-");
}

/** A name without state, number and article: `red closed door` → `red door`. */
export function kindOf(name: string): string {
  return name.toLowerCase().replaceAll("_", " ").replace(/\b(?:open|closed|locked) /, "").replace(
    / \d+$/,
    "",
  ).replace(/^(?:an?|the) /, "")
    .replace("gray", "grey").trim();
}

export interface KnownRoom {
  readonly number: number;
  readonly entities: readonly { readonly name: string; readonly direction?: string }[];
  readonly exits: readonly {
    readonly door: string;
    readonly direction?: string;
    readonly to: number;
  }[];
}

export function readRooms(text: string): KnownRoom[] {
  const lines = text.matchAll(
    /^Room (\d+)(?: \([^)]*\))? contains (.*?)\. Passed doors: (.*?)\./gm,
  );
  const rooms = new Map<number, KnownRoom>();
  for (const [, digits, things, doors] of lines) {
    const number = Number(digits);
    const entities = namesOf(things).map((part) => {
      const [, name = part, direction] = part.match(/^(.*?)(?: \((.*)\))?$/) ?? [];
      return { name, direction };
    });
    const exits = namesOf(doors).flatMap((part) => {
      const [, door, direction, to] = part.match(/^(.*? door)(?: \((\w+)\))? to room (\d+)$/) ?? [];
      return door ? [{ door, direction, to: Number(to) }] : [];
    });
    rooms.set(number, { number, entities, exits });
  }
  return [...rooms.values()];
}

export function namesOf(list = ""): string[] {
  return ["", "none", "none known"].includes(list) ? [] : list.split(", ");
}
