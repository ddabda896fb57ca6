/**
 * GraphMind's missions in BabyAI (Shin et al. 2026, §4, App. C, D and F): Tables 2 to 8 and the
 * figures.
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
 * Ours: `kg-global-map`, whose localiser is shown the whole map, and the floor
 * `random-dsl`: instructions drawn from those that make sense in the room.
 */

import { UsageError } from "../../core/errors.ts";
import { bindingsOf, ROLE_MAPS, type RoleMap, takesImages } from "../../core/llm/roles.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import type { EpisodeChain, PlannedEpisode, Study } from "../../lab/study.ts";
import { ORACLE, paperStudy, type PartChoices } from "../study-options.ts";
import { type Game, paperGames, usersGames } from "./layouts.ts";

/**
 * Role → its name in the paper's Tables 5 and 6, in their order; `Execute` is the model as actor,
 * which they leave out.
 */
export const GRAPHMIND_MODULES: Readonly<Record<string, string>> = {
  "graphmind/verify-transition": "Verify Node Transition",
  "graphmind/locate": "Determine the Current Node",
  "graphmind/extract": "Extract Information",
  "graphmind/plan": "Plan with DSLs",
  "graphmind/verify-completion": "Verify Completion",
  "graphmind/update-entities": "Update Entity Information",
  "graphmind/execute": "Execute",
};

/**
 * Which form of the study; `games` is a layout file or a folder of them, in place of the layouts of
 * the paper's design.
 */
export interface GraphMindStudyOptions extends PartChoices {
  /** Whether the world gives pictures. @default true if a model takes them, see `takesImages` */
  readonly images?: boolean;
  /**
   * Where trials start: `layout`, all where the layout says; `moved`, each after the first
   * elsewhere in the same room.
   * @default {"layout"}
   */
  readonly starts?: "layout" | "moved";
}

interface Condition extends Pick<PlannedEpisode, "method" | "options"> {
  readonly name: string;
  readonly memory?: string;
  /** Whether it is an ablation, which is played on PutNextTo alone, 2 × 2 and 3 × 3. */
  readonly ablation?: true;
  /** Whether it is never shown a picture; it is left out where no condition is. */
  readonly textOnly?: true;
  /** Whether it is played once a layout, because nothing in it is random. */
  readonly once?: true;
}

const CONDITIONS: readonly Condition[] = [
  { name: "kg", method: "graphmind", memory: "room-graph" },
  { name: "sm", method: "graphmind", memory: "stacked" },
  { name: "none", method: "graphmind", memory: "none" },
  {
    name: "kg-static",
    method: "graphmind",
    memory: "room-graph",
    options: { memory: { access: "static" } },
    ablation: true,
  },
  {
    name: "kg-global-map",
    method: "graphmind",
    memory: "room-graph",
    options: { memory: { locator: "global-map" } },
    ablation: true,
  },
  {
    name: "kg-llm-actor",
    method: "graphmind",
    memory: "room-graph",
    options: { method: { actor: "llm" } },
    ablation: true,
  },
  { name: "kg-text", method: "graphmind", memory: "room-graph", ablation: true, textOnly: true },
  { name: "random-dsl", method: "random" },
  { name: "oracle", method: ORACLE, once: true },
];

const TRIALS = { quick: 1, full: 3 } as const;
/** Most decision steps (§4.1); preset quick, ours, takes minutes. */
const MAX_DECISIONS = { quick: 150, full: 400 } as const;
/** A limit beyond any oracle's path: the world counts calls, and an oracle takes primitives. */
const ORACLE_LIMIT = 10_000;

/**
 * The study, as data. Its id names preset and model.
 *
 * @throws {UsageError} if `only` names something that there is not, or `games` no layouts.
 *
 * @example
 * ```ts
 * import { graphmindStudy } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * assert.equal(graphmindStudy().id, "graphmind-quick@offline");
 * const cell = graphmindStudy({ full: true, only: ["kg", "put-next-to", "3x3"] });
 * assert.equal(cell.chains.length, 30);
 * ```
 */
export function graphmindStudy(options: GraphMindStudyOptions = {}): Study {
  const { full = false, only = [], models = ROLE_MAPS.offline, starts = "layout" } = options;
  const form = full ? "full" : "quick";
  const { attempts = TRIALS[form], images = anySees(models) } = options;
  const { games, conditions } = choose(
    options.games === undefined ? paperGames() : usersGames(options.games),
    only,
    full,
  );
  const isPlayed = (
    attempt: number,
    { rooms, mission, hasOracle }: Game,
    { ablation, once, textOnly }: Condition,
  ): boolean =>
    (!ablation || (Number.parseInt(rooms) <= 3 && mission === "put-next-to")) &&
    (!once || (attempt === 1 && hasOracle)) &&
    (!textOnly || images);
  const chains = Array.from({ length: attempts }, (_, place) => place + 1).flatMap((attempt) =>
    games.flatMap((game) =>
      conditions.filter((condition) => isPlayed(attempt, game, condition))
        .map((condition) =>
          chainOf(game, condition, { attempt, images, starts, most: MAX_DECISIONS[form] })
        )
    )
  );
  if (chains.length === 0) {
    const why = !images && conditions.every(({ textOnly }) => textOnly)
      ? "these models read text alone, as which kg is played"
      : "the paper has no such cell";
    throw new UsageError(`--only ${only.join(",")} leaves no episode: ${why}`);
  }
  return paperStudy(
    `graphmind-${form}${starts === "moved" ? "-moved" : ""}`,
    options,
    TRIALS[form],
    {
      title:
        "GraphMind, Tables 2 to 8: missions in BabyAI with a room graph, a stacked memory and none",
      chains,
      truth: true, // the graph edit distance and the maps are made from it
    },
  );
}

/** Whether a model that answers one of GraphMind's roles may be sent pictures. */
function anySees(models: RoleMap): boolean {
  return Object.values(bindingsOf(models, Object.keys(GRAPHMIND_MODULES))).some(takesImages);
}

/**
 * What `only` keeps of everything: names of one kind are alternatives, those of different kinds
 * hold together.
 */
function choose(
  all: readonly Game[],
  only: readonly string[],
  full: boolean,
): { readonly games: readonly Game[]; readonly conditions: readonly Condition[] } {
  const kinds = (["mission", "rooms", "name"] as const).map((key) =>
    [key, new Set(all.map((game) => game[key]))] as const
  );
  const conditions = new Set(CONDITIONS.map(({ name }) => name));
  const unknown = only.find((name) =>
    !conditions.has(name) && kinds.every(([, names]) => !names.has(name))
  );
  if (unknown !== undefined) {
    const names = [
      ...kinds.slice(0, 2).flatMap(([, names]) => [...names]),
      ...conditions,
      `and layouts such as ${all[0]?.name}`,
    ].join(", ");
    const near = didYouMean(unknown, [...kinds.flatMap(([, known]) => [...known]), ...conditions]);
    throw new UsageError(
      `--only ${unknown} names no mission, size, layout or condition of this study${near}; there are ${names}`,
    );
  }
  const isNamed = (names: ReadonlySet<string>, name: string): boolean =>
    only.includes(name) || only.every((one) => !names.has(one));
  const namesLayout = all.some(({ name }) => only.includes(name));
  return {
    games: all.filter((game) =>
      (full || namesLayout || game.isQuick) &&
      kinds.every(([key, names]) => isNamed(names, game[key]))
    ),
    conditions: CONDITIONS.filter(({ name }) => isNamed(conditions, name)),
  };
}

/** One trial. */
function chainOf(
  { mission, name: layoutName, layout }: Game,
  { name, method, memory, options, textOnly }: Condition,
  { attempt, images, starts, most }:
    & Required<Pick<GraphMindStudyOptions, "images" | "starts">>
    & Readonly<Record<"attempt" | "most", number>>,
): EpisodeChain {
  const label = `${mission}/${layoutName}`;
  const isOracle = typeof method !== "string";
  const image = images && !textOnly && memory !== undefined;
  const start = starts === "moved" && attempt > 1 ? { seed: attempt - 1 } : {};
  return {
    id: `${label}|${name}|${attempt}`,
    episodes: [{
      world: "babyai",
      params: {
        layout,
        mission,
        image,
        ...start,
        ...(isOracle ? { stepLimit: ORACLE_LIMIT } : {}),
      },
      label,
      method,
      memory,
      options: isOracle
        ? undefined
        : { ...options, method: { maxSteps: most, ...options?.method } },
      condition: name,
      attempt,
      seed: attempt,
    }],
    ...(isOracle ? { gold: "world" as const } : {}),
  };
}
