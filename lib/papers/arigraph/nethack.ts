/**
 * AriGraph in NetHack (Anokhin et al. 2024, arXiv 2407.04363, §4, §5, Table 1): NetPlay with the
 * room's observations and with the level's, Ariadne with the room's; 3 runs are a seed of the game
 * each. Beside them the floor `random-skills`: calls drawn from those that make sense.
 */

import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import { LABELS } from "../../lab/frames.ts";
import { checkHeld } from "../../lab/held-study.ts";
import type { EpisodeChain, Options, Study } from "../../lab/study.ts";
import type { Store } from "../../lab/store/open.ts";
import { bindingOf, modelIdOf, type RoleMap } from "../../core/llm/roles.ts";
import { checkNames, isReadyMap, namedOr, paperStudy, type PartChoices } from "../study-options.ts";

/** An agent: how the study plays it. */
interface Agent {
  readonly name: string;
  readonly method: string;
  readonly memory?: string;
  readonly mode: "room" | "level";
  readonly options?: Options;
}

const AGENTS: readonly Agent[] = [
  {
    ...{ name: "ariadne-room", method: "ariadne", memory: "arigraph", mode: "room" },
    options: { actions: "forms" },
  },
  { name: "netplay-room", method: "netplay", mode: "room" },
  { name: "netplay-level", method: "netplay", mode: "level" },
  { name: "random-skills", method: "random", mode: "level" },
];

/** Options of the study. */
export interface NetHackStudyOptions extends Omit<PartChoices, "games"> {
  /**
   * Most skill calls of a run, 1 … 100,000. The paper says no number.
   * @default 100 in preset quick, 400 in preset full
   */
  readonly calls?: number;
}

const FORMS = { quick: { seeds: 3, calls: 100 }, full: { seeds: 10, calls: 400 } } as const;

/**
 * The study, as data: 3 seeds of 100 skill calls, in the full form 10 of 400. `only` names
 * conditions; `attempts` is the number of seeds.
 *
 * @throws {UsageError} if `only` names no condition.
 *
 * @example
 * ```ts
 * import { nethackStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(nethackStudy().id, "arigraph-nethack@offline");
 * const { chains } = nethackStudy({ full: true, only: ["ariadne-room"] });
 * assert.deepEqual(chains.map(({ episodes: [episode] }) => episode?.params?.["seed"]), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
 * ```
 */
export function nethackStudy(options: NetHackStudyOptions = {}): Study {
  const { full = false, only = [] } = options;
  const form = full ? FORMS.full : FORMS.quick;
  const { attempts = form.seeds, calls = form.calls } = options;
  checkNames(only, AGENTS.map(({ name }) => name), "no agent in NetHack");
  const base = `arigraph-nethack${full ? "-full" : ""}${
    calls === form.calls ? "" : `-${calls}-calls`
  }`;
  const { models } = options;
  return paperStudy(
    base,
    models && isReadyMap(models, "paper") ? { ...options, models: ownModels(models) } : options,
    form.seeds,
    {
      title: "AriGraph, Table 1: NetHack with NetPlay and Ariadne, room and level observations",
      chains: Array.from({ length: attempts }, (_, index) => index + 1).flatMap((seed) =>
        namedOr(AGENTS, only).map((agent) => chainOf(agent, seed, calls))
      ),
      truth: true, // the strip of maps is drawn from it, and it knows what ended a game
    },
  );
}

/**
 * The paper's models in NetHack: one for all agents, NetPlay's (§5 "NetHack"). The parameters of
 * their calls stay.
 */
function ownModels(paper: RoleMap): RoleMap {
  const model = modelIdOf(bindingOf(paper, "netplay/skill"));
  return Object.fromEntries(["ariadne/*", "arigraph/*", "netplay/*"].map((roles) => {
    const binding = bindingOf(paper, roles);
    return [roles, typeof binding === "string" ? model : { ...binding, model }];
  }));
}

function chainOf(
  { name, method, memory, mode, options }: Agent,
  seed: number,
  calls: number,
): EpisodeChain {
  return {
    id: `${WORLD}|${name}|${seed}`,
    episodes: [{
      world: WORLD,
      params: { seed, mode, maxCalls: calls },
      method,
      memory,
      options: { method: { ...options, maxSteps: calls } },
      condition: name,
      attempt: seed,
      seed,
    }],
  };
}

const WORLD = "nethack";

/** Columns of `nethackGames`. */
export const NETHACK_GAMES_COLUMNS = {
  ...LABELS,
  /** Seed of the game, as text. */
  seed: "text",
  /** The game's own score, ≥ 0; it and what follows is null unless completed. */
  score: "number?",
  /** Dungeon levels completed: the deepest depth reached, less one. */
  levels: "integer?",
  /** Game turns, and calls of skills. */
  ...{ turns: "integer?", calls: "integer?" },
  /** `lost` or `limit`, and how the game ended in its own word: empty where it did not. */
  ...{ ended: "text?", cause: "text?" },
} as const satisfies FrameSchema;

/**
 * The games of a NetHack study, those not yet completed included: a row each, in the order of the
 * plan. Columns: `NETHACK_GAMES_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { nethackGames } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(nethackGames(store, "unplayed").height, 0);
 * ```
 */
export function nethackGames(store: Store, study: string): DataFrame {
  checkHeld(store, study);
  const isDone = "e.status = 'completed'";
  const section = (name: string): string =>
    `cast(json_extract(t.sections, '$.${name}') as integer)`;
  const rows = store.prepare(`
    select e.id as episode, coalesce(e.label, e.world) as game, e.condition, e.attempt,
      cast(e.seed as text) as seed, case when ${isDone} then e.score end as score,
      ${section("deepest")} - 1 as levels, ${section("turn")} as turns,
      case when ${isDone} then e.steps end as calls, e.ended, json_extract(h.truth, '$.cause') as cause
    from episodes e
    left join turns t on ${isDone} and t.episode = e.id and t.pass = 0 and t.step = e.steps
    left join truths h on h.episode = t.episode and h.pass = 0 and h.step = t.step
    where e.study = ? and e.world = 'nethack' order by e.rowid`).all(study);
  return frameOf(rows, NETHACK_GAMES_COLUMNS);
}

/** Columns of `nethackSteps`. */
export const NETHACK_STEPS_COLUMNS = {
  ...LABELS,
  /** Calls of skills made; 0 is the start. */
  step: "integer",
  /** The call, and the room or corridor that the hero is in after it. */
  ...{ action: "text?", location: "text" },
  /** The game's own score, ≥ 0. */
  score: "number",
  /** The present depth and the deepest so far, from 1. */
  ...{ depth: "integer", deepest: "integer" },
  /** Current triplets; null without a graph. */
  triplets: "integer?",
} as const satisfies FrameSchema;

/**
 * Score, depth and graph after each call of a skill in each completed game, in the order of the
 * plan. Columns: `NETHACK_STEPS_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { nethackSteps } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.ok(nethackSteps(store, "unplayed").columns.includes("deepest"));
 * ```
 */
export function nethackSteps(store: Store, study: string): DataFrame {
  checkHeld(store, study);
  const section = (name: string): string => `json_extract(t.sections, '$.${name}')`;
  const rows = store.prepare(`
    select e.id as episode, coalesce(e.label, e.world) as game, e.condition, e.attempt, t.step,
      t.action, ${section("location")} as location, t.score,
      cast(${section("depth")} as integer) as depth,
      cast(${section("deepest")} as integer) as deepest, t.graph_size as triplets
    from turns t join episodes e on e.id = t.episode
    where e.study = ? and e.world = 'nethack' and e.status = 'completed'
    order by e.rowid, t.pass, t.step`).all(study);
  return frameOf(rows, NETHACK_STEPS_COLUMNS);
}
