/**
 * Reads BabyAI's view, a grid of cells: what is where, as seen by a viewer in the middle of the last row who faces the first one.
 *
 * @module
 */

/** Something in view. */
export interface Sight {
  /** In lower case with spaces: `red closed door`. */
  readonly name: string;
  /** Cells ahead of the viewer, ≥ 0. */
  readonly ahead: number;
  /** Cells to the viewer's right; negative to the left. */
  readonly right: number;
}

/** A view, read. */
export interface GridView {
  /** Rows from the farthest to the viewer's own, each cell in lower case with spaces. */
  readonly rows: readonly (readonly string[])[];
  /** Everything but walls, floor, the viewer and unseen cells, the nearest first. */
  readonly sights: readonly Sight[];
  /** The direction that the viewer faces, where the text says it. */
  readonly facing?: Facing;
  /** The cell at a distance ahead and to the right; `unseen` outside the view. */
  cell(ahead: number, right: number): string;
}

/** A compass direction. */
export type Facing = "north" | "east" | "south" | "west";

const FACINGS: readonly Facing[] = ["north", "east", "south", "west"];
const PLAIN = ["unseen", "empty", "wall", "agent", ""];

/** Reads the grid in a text and the line that says where the viewer faces; `undefined` where there is no grid with a viewer. */
export function readGridView(text: string): GridView | undefined {
  const rows = text.split("\n").filter((line) => line.includes(";"))
    .map((line) => line.split(";").map((cell) => cell.trim().toLowerCase().replaceAll("_", " ")));
  const near = rows.at(-1);
  const middle = near?.indexOf("agent") ?? -1;
  if (middle < 0) return undefined;
  const cell = (ahead: number, right: number): string => rows[rows.length - 1 - ahead]?.[middle + right] ?? "unseen";
  const sights = rows.flatMap((row, index) =>
    row.flatMap((name, column): Sight[] => PLAIN.includes(name) ? [] : [{ name, ahead: rows.length - 1 - index, right: column - middle }])
  );
  sights.sort((a, b) => distance(a, HERE) - distance(b, HERE));
  const facing = text.match(/\bfacing (north|east|south|west)\b/i)?.[1]?.toLowerCase() as Facing | undefined;
  return { rows, sights, cell, facing };
}

/** Where the viewer stands. */
export const HERE = { ahead: 0, right: 0 } as const;

/** The Manhattan distance between two cells. */
export function distance(a: Pick<Sight, "ahead" | "right">, b: Pick<Sight, "ahead" | "right">): number {
  return Math.abs(a.ahead - b.ahead) + Math.abs(a.right - b.right);
}

/** The facing after a number of quarter turns to the right. */
export function turned(facing: Facing, quarters: number): Facing {
  return FACINGS[(FACINGS.indexOf(facing) + quarters + 4) % 4] as Facing;
}

/** The compass direction of the wall that a door is in: the wall continues beside it, across the view or along it. */
export function wallOf({ cell, facing = "north" }: GridView, { ahead, right }: Sight): Facing {
  const across = [cell(ahead, right - 1), cell(ahead, right + 1)].filter((beside) => beside === "wall").length;
  const along = [cell(ahead - 1, right), cell(ahead + 1, right)].filter((beside) => beside === "wall").length;
  const isAcross = across === along ? ahead > Math.abs(right) : across > along;
  return turned(facing, isAcross ? 0 : right > 0 ? 1 : -1);
}

/** The compass direction of something from the viewer, as one word or two. */
export function bearing({ facing = "north" }: GridView, { ahead, right }: Sight): string {
  const [north, east] = {
    north: [ahead, right],
    east: [-right, ahead],
    south: [-ahead, -right],
    west: [right, -ahead],
  }[facing] as [number, number];
  const upright = 2 * Math.abs(north) < Math.abs(east) ? "" : north > 0 ? "north" : north < 0 ? "south" : "";
  const sideways = 2 * Math.abs(east) < Math.abs(north) ? "" : east > 0 ? "east" : east < 0 ? "west" : "";
  return [upright, sideways].filter((word) => word !== "").join("-");
}

/** A name without state, number and article: `red closed door` → `red door`, `grey ball 2` → `grey ball`. */
export function kindOf(name: string): string {
  return name.toLowerCase().replaceAll("_", " ").replace(/\b(?:open|closed|locked) /, "").replace(/ \d+$/, "").replace(/^(?:an?|the) /, "")
    .replace("gray", "grey").trim();
}
