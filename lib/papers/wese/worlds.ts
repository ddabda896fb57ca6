/**
 * The worlds and methods of the WESE paper, and its tables' rows.
 *
 * @module
 */

import { paperTable } from "../../report/paper.ts";
import type { WeseTrial } from "./trials.ts";

/** A world as the paper has it. */
export interface WeseWorld {
  /** As in `WeseTrial`. */
  readonly id: string;
  readonly name: string;
  /** What of Labyrinth's own is played in its place, by default. */
  readonly own?: string;
  /** The paper's table; absent where the paper has no such world. */
  readonly paper?: {
    readonly table: number;
    /** Name of the file of its numbers in `data/papers/`. */
    readonly numbers: string;
    /** Tasks in the paper. */
    readonly tasks: number;
  };
}

/** The paper's worlds, in its order, then those that it does not have: households drawn anew, and MuSiQue. */
export const WESE_WORLDS: readonly WeseWorld[] = [
  { id: "alfworld", name: "ALFWorld", own: "households", paper: { table: 1, numbers: "wese_table1_alfworld", tasks: 134 } },
  { id: "scienceworld", name: "ScienceWorld", paper: { table: 2, numbers: "wese_table2_scienceworld", tasks: 296 } },
  { id: "hotpotqa", name: "HotpotQA", own: "questions", paper: { table: 3, numbers: "wese_table3_hotpotqa", tasks: 500 } },
  { id: "fever", name: "FEVER", own: "claims", paper: { table: 4, numbers: "wese_table4_fever", tasks: 500 } },
  { id: "fresh", name: "ALFWorld", own: "fresh households" },
  { id: "musique", name: "MuSiQue" },
];

/** Where `WeseTrial.source` says that a task is Labyrinth's own. */
const OWN_SOURCES: readonly string[] = ["alfworld households", "alfworld fresh", "wiki/encyclopedia"];

/** What a world is called in titles, which say so where the tasks are not the paper's: `our questions (for HotpotQA)`. */
export function weseWorldName(id: string, trials: readonly Pick<WeseTrial, "world" | "source">[]): string {
  const { name, own } = WESE_WORLDS.find((world) => world.id === id) ?? { name: id };
  const ours = id === "fresh" || trials.some(({ world, source }) => world === id && OWN_SOURCES.includes(source));
  return ours && own !== undefined ? `our ${own} (for ${name})` : name;
}

/** A method as a row of the paper's tables. */
export interface WeseMethod {
  /** Label of the study's row. */
  readonly condition: string;
  /** The paper's name of it. */
  readonly name: string;
  /** The method that it is built on. */
  readonly base?: string;
  /** How the base method is played. */
  readonly variant: WeseVariant;
}

/** How a base method is played: alone, with WESE, with SESE. */
export const WESE_VARIANTS = ["alone", "WESE", "SESE"] as const;

/** One of them. */
export type WeseVariant = (typeof WESE_VARIANTS)[number];

/** The methods in the order of rows. */
export const WESE_METHODS: readonly WeseMethod[] = [
  { condition: "cot", name: "CoT", variant: "alone" },
  ...[["act", "Act"], ["react", "ReAct"]].flatMap(([base = "", name = ""]): WeseMethod[] => [
    { condition: base, name, variant: "alone" },
    { condition: `${base}-wese`, name: `${name}-WESE`, base, variant: "WESE" },
    { condition: `${base}-sese`, name: `${name}-SESE`, base, variant: "SESE" },
  ]),
  { condition: "random", name: "Random actions", variant: "alone" },
];

/** The method of a condition. */
export function weseMethod(condition: string): WeseMethod | undefined {
  return WESE_METHODS.find((method) => method.condition === condition);
}

/** What the paper's table prints of a method in a world: column → text. */
export function wesePaperRow(world: WeseWorld, method: Pick<WeseMethod, "name">): Readonly<Record<string, string>> {
  return world.paper ? paperTable(world.paper.numbers).find((row) => row.method === method.name) ?? {} : {};
}
