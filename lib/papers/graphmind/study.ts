/**
 * GraphMind's missions in BabyAI (Shin et al. 2026, §4, App. C, D and F): Tables 2 to 8 and the figures.
 *
 * | paper | here |
 * |---|---|
 * | KG, SM, w/o Memory (Table 2) | the conditions `kg`, `sm`, `none` |
 * | Bot, LLM (Table 3) | `kg`, `kg-llm-actor` |
 * | text with and without image (Table 7) | `kg`, `kg-text` |
 * | dynamic, static memory (Table 8) | `kg`, `kg-static` |
 * | 5 layouts × 2 densities × 3 trials a mission and size = 30 | `layouts`, `attempts` |
 * | 4 × 4 and 7 × 7 rooms, 36 trials, at most 400 steps (Table 4) | 6 layouts × 2 densities × 3 trials; steps are read as decision steps |
 * | oracle (Figs. 10, 11) | `oracle`: the way of minigrid's own bot, recorded with each layout |
 *
 * Beside them the floor `random-dsl`: instructions drawn from those that make sense in the room.
 *
 * @module
 */

import { createGoldWalk } from "../../agent/gold-walk.ts";
import { UsageError } from "../../errors.ts";
import { ROLE_MAPS } from "../../llm/roles.ts";
import type { CustomMethod, Lane, Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { paperStudy, type StudyOptions } from "../study-options.ts";

/** Which form of the study. */
export interface GraphMindStudyOptions extends StudyOptions {
  /** The paper's design; else one trial on one layout of each size and density. @default {false} */
  readonly full?: boolean;
  /** Names of missions (`put-next-to`, `open-door`), sizes (`2x2`, …), layouts or conditions to keep. */
  readonly only?: readonly string[];
  /** Trials of each layout, ≥ 1. @default 1 in the quick form, 3 in the full one */
  readonly attempts?: number;
  /** Whether the world hands out pictures. @default false with the offline backbone, which reads text alone; else true */
  readonly images?: boolean;
}

interface Condition {
  readonly name: string;
  readonly method: string | CustomMethod;
  readonly memory?: string;
  readonly options?: { readonly method?: Options; readonly memory?: Options };
  /** Whether it is one of an ablation, which the paper plays on PutNextTo alone, 2 × 2 and 3 × 3. */
  readonly ablation?: true;
  /** Never shown a picture; left out where no condition is. */
  readonly textOnly?: true;
  /** Played once a layout: it has no chance in it. */
  readonly once?: true;
}

/** The way that each layout was solved with when it was drawn. */
const ORACLE: CustomMethod = { id: "oracle", version: "1", create: createGoldWalk };

const CONDITIONS: readonly Condition[] = [
  { name: "kg", method: "graphmind", memory: "room-graph" },
  { name: "sm", method: "graphmind", memory: "stacked" },
  { name: "none", method: "graphmind", memory: "none" },
  { name: "kg-static", method: "graphmind", memory: "room-graph", options: { memory: { access: "static" } }, ablation: true },
  { name: "kg-llm-actor", method: "graphmind", memory: "room-graph", options: { method: { actor: "llm" } }, ablation: true },
  { name: "kg-text", method: "graphmind", memory: "room-graph", ablation: true, textOnly: true },
  { name: "random-dsl", method: "random" },
  { name: "oracle", method: ORACLE, once: true },
];

const MISSIONS = ["put-next-to", "open-door"] as const;

interface Size {
  readonly rooms: string;
  readonly missions: readonly string[];
  /** Layouts of each density: in the quick form, in the full one. */
  readonly layouts: { readonly quick: number; readonly full: number };
  readonly ablations: boolean;
}

const SIZES: readonly Size[] = [
  { rooms: "2x2", missions: MISSIONS, layouts: { quick: 1, full: 5 }, ablations: true },
  { rooms: "3x3", missions: MISSIONS, layouts: { quick: 1, full: 5 }, ablations: true },
  { rooms: "4x4", missions: ["put-next-to"], layouts: { quick: 1, full: 6 }, ablations: false },
  { rooms: "7x7", missions: ["put-next-to"], layouts: { quick: 1, full: 6 }, ablations: false },
];

/** Things a room. */
const DENSITIES = [1, 3];
const TRIALS = { quick: 1, full: 3 } as const;
/** Most decision steps: 400 on large maps (§4.1); on small ones the world's limit of primitive steps is to end a trial. The quick form is ours. */
const MOST_DECISIONS = { quick: 150, full: 400 } as const;
/** Beyond any oracle's way: the limit counts calls, and an oracle takes primitives. */
const ORACLE_LIMIT = 10_000;

/**
 * The study, as data. Its id tells its form and backbone apart.
 *
 * @throws {UsageError} if `only` names something that there is not.
 *
 * @example
 * ```ts
 * import { graphmindStudy } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * assert.equal(graphmindStudy().id, "graphmind-quick@offline");
 * const cell = graphmindStudy({ full: true, only: ["kg", "put-next-to", "3x3"] });
 * assert.equal(cell.lanes.length, 30);
 * ```
 */
export function graphmindStudy(options: GraphMindStudyOptions = {}): Study {
  const { full = false, only = [], models = ROLE_MAPS.offline } = options;
  const form = full ? "full" : "quick";
  const { attempts = TRIALS[form], images = Object.values(models).some((binding) => binding !== "offline") } = options;
  const chosen = choose(only, form);
  const lanes: Lane[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    for (const { size, mission, layout } of chosen.games) {
      for (const condition of chosen.conditions) {
        if (
          (condition.ablation && !(size.ablations && mission === "put-next-to")) || (condition.once && attempt > 1) ||
          (condition.textOnly && !images)
        ) continue;
        lanes.push(laneOf({ mission, layout, condition, attempt, images, most: MOST_DECISIONS[form] }));
      }
    }
  }
  if (lanes.length === 0) {
    const why = !images && chosen.conditions.every(({ textOnly }) => textOnly)
      ? "these models read text alone, as which kg is played"
      : "the paper has no such cell";
    throw new UsageError(`--only ${only.join(",")} leaves no episode: ${why}`);
  }
  return paperStudy(`graphmind-${form}`, options, TRIALS[form], {
    title: "GraphMind, Tables 2 to 8: missions in BabyAI with a room graph, a stacked memory and none",
    lanes,
    truth: true, // the graph edit distance and the maps are made from it
  });
}

interface Game {
  readonly size: Size;
  readonly mission: string;
  readonly layout: string;
}

/** What `only` keeps of everything: names of one kind are alternatives, those of different kinds hold together. */
function choose(
  only: readonly string[],
  form: "quick" | "full",
): { readonly games: readonly Game[]; readonly conditions: readonly Condition[] } {
  const layoutsOf = ({ rooms, layouts }: Size, kind: "quick" | "full"): string[] =>
    DENSITIES.flatMap((density) => Array.from({ length: layouts[kind] }, (_, number) => `${rooms}-d${density}-${number}`));
  const known = {
    missions: [...MISSIONS] as string[],
    sizes: SIZES.map(({ rooms }) => rooms),
    layouts: SIZES.flatMap((size) => layoutsOf(size, "full")),
    conditions: CONDITIONS.map(({ name }) => name),
  };
  const named = Object.fromEntries(
    Object.entries(known).map(([kind, names]) => [kind, names.filter((name) => only.includes(name))]),
  ) as typeof known;
  const unknown = only.find((name) => !Object.values(known).flat().includes(name));
  if (unknown !== undefined) {
    const names = [...known.missions, ...known.sizes, ...known.conditions].join(", ");
    throw new UsageError(
      `--only ${unknown} names no mission, size, layout or condition of this study; there are ${names}, and layouts such as 3x3-d1-0`,
    );
  }
  const games = SIZES.filter(({ rooms }) => named.sizes.length === 0 || named.sizes.includes(rooms)).flatMap((size) => {
    const layouts = named.layouts.length > 0 ? layoutsOf(size, "full").filter((id) => named.layouts.includes(id)) : layoutsOf(size, form);
    return size.missions.filter((mission) => named.missions.length === 0 || named.missions.includes(mission)).flatMap((mission) =>
      layouts.map((layout): Game => ({ size, mission, layout }))
    );
  });
  return { games, conditions: CONDITIONS.filter(({ name }) => named.conditions.length === 0 || named.conditions.includes(name)) };
}

function laneOf({ mission, layout, condition, attempt, images, most }: {
  readonly mission: string;
  readonly layout: string;
  readonly condition: Condition;
  readonly attempt: number;
  readonly images: boolean;
  readonly most: number;
}): Lane {
  const { name, method, memory, options, textOnly = false } = condition;
  const label = `${mission}/${layout}`;
  const own = typeof method !== "string";
  const episode: PlannedEpisode = {
    world: "babyai",
    params: { layout, mission, image: images && !textOnly && memory !== undefined, ...(own ? { stepLimit: ORACLE_LIMIT } : {}) },
    label,
    method,
    ...(memory === undefined ? {} : { memory }),
    ...(own ? {} : { options: { ...options, method: { maxSteps: most, ...options?.method } } }),
    condition: name,
    attempt,
    seed: attempt,
  };
  return { id: `${label}|${name}|${attempt}`, episodes: [episode], ...(own ? { gold: "world" as const } : {}) };
}
