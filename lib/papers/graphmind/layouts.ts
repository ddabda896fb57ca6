/** The layouts of GraphMind's study: those of the paper's design, or a user's. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { UsageError } from "../../core/errors.ts";

const MISSIONS = ["put-next-to", "open-door"] as const;

/**
 * Sizes with their missions, and the number of layouts of each density in the full form; the quick
 * form has the first of each.
 */
const SIZES = [["2x2", MISSIONS, 5], ["3x3", MISSIONS, 5], ["4x4", ["put-next-to"], 6], ["7x7", [
  "put-next-to",
], 6]] as const;
/** Things a room. */
const DENSITIES = [1, 3];

/** A mission on a layout. */
export interface Game extends Readonly<Record<"rooms" | "mission", string>> {
  /** The name of the layout, which begins with its size: `3x3-d1-0`. */
  readonly name: string;
  /** The world's parameter: the id of a frozen layout, or a file. */
  readonly layout: string;
  readonly isQuick: boolean;
  /** Whether the layout says how an oracle solved it. */
  readonly hasOracle: boolean;
}

/** The games of the paper's design. */
export function paperGames(): Game[] {
  return SIZES.flatMap(([rooms, missions, count]) => {
    const layouts = DENSITIES.flatMap((density) =>
      Array.from({ length: count }, (_, number) => `${rooms}-d${density}-${number}`)
    );
    return missions.flatMap((mission) =>
      layouts.map((name): Game => ({
        rooms,
        mission,
        name,
        layout: name,
        isQuick: name.endsWith("-0"),
        hasOracle: true,
      }))
    );
  });
}

const layoutFile = z.object({
  id: z.string(),
  size: z.int(),
  missions: z.partialRecord(z.enum(MISSIONS), z.object({ oracle: z.string().default("") })),
});

/** The games of a user's layout file, or of every one in a folder, by name of the file. */
export function usersGames(path: string): Game[] {
  const files = listLayouts(resolve(path));
  return files.flatMap((layout) => {
    let read: z.output<typeof layoutFile>;
    try {
      read = layoutFile.parse(JSON.parse(readFileSync(layout, "utf8")));
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      throw new UsageError(`cannot read the layout ${layout}: ${why}`);
    }
    const rooms = `${read.size}x${read.size}`;
    const name = read.id.startsWith(`${rooms}-`) ? read.id : `${rooms}-${read.id}`;
    return MISSIONS.flatMap((mission): Game[] => {
      const solved = read.missions[mission];
      return solved
        ? [{ rooms, mission, name, layout, isQuick: true, hasOracle: solved.oracle !== "" }]
        : [];
    });
  });
}

function listLayouts(path: string): string[] {
  const state = statSync(path, { throwIfNoEntry: false });
  const files = state?.isDirectory()
    ? readdirSync(path).filter((name) => name.endsWith(".json")).sort().map((name) =>
      join(path, name)
    )
    : [path];
  if (state && files.length > 0) return files;
  throw new UsageError(
    `--games ${path} has no layout: name a layout file or a folder of them (NxN-….json); python -m labyrinth_envs.babyai draw prints new ones`,
  );
}
