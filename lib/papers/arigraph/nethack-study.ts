/**
 * AriGraph in NetHack (Anokhin et al. 2024, arXiv 2407.04363, §4, §5, Table 1): NetPlay with the room's observations and with the level's,
 * Ariadne with the room's.
 *
 * | paper | here |
 * |---|---|
 * | NetPlay [Room obs], Ariadne [Room obs], NetPlay [Level obs] | the conditions `netplay-room`, `ariadne-room`, `netplay-level` |
 * | 3 runs | a seed of the game each: 1, 2, 3 |
 *
 * Beside them the floor `random-skills`: calls drawn from those that make sense, with the level's observations.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import type { Lane, Options, Study } from "../../lab/study.ts";
import { paperStudy, type StudyOptions } from "../study-options.ts";

/** Which form of the study. */
export interface NetHackStudyOptions extends StudyOptions {
  /** 10 seeds and 400 skill calls; else 3 seeds and 100. @default {false} */
  readonly full?: boolean;
  /** Names of conditions to keep. */
  readonly only?: readonly string[];
  /** Seeds, from 1 on, ≥ 1. @default 3 in the quick form, 10 in the full one */
  readonly attempts?: number;
  /** Most skill calls of a run, 1 … 100,000. The paper says no number. @default 100 in the quick form, 400 in the full one */
  readonly calls?: number;
}

interface Condition {
  readonly name: string;
  readonly method: string;
  readonly memory?: string;
  readonly mode: "room" | "level";
  readonly options?: Options;
}

const CONDITIONS: readonly Condition[] = [
  { name: "ariadne-room", method: "ariadne", memory: "arigraph", mode: "room", options: { actions: "forms" } },
  { name: "netplay-room", method: "netplay", mode: "room" },
  { name: "netplay-level", method: "netplay", mode: "level" },
  { name: "random-skills", method: "random", mode: "level" },
];

const FORMS = { quick: { seeds: 3, calls: 100 }, full: { seeds: 10, calls: 400 } } as const;

/**
 * The study, as data. Its id tells its form and backbone apart.
 *
 * @throws {UsageError} if `only` names a condition that there is not.
 *
 * @example
 * ```ts
 * import { nethackStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(nethackStudy().id, "arigraph-nethack@offline");
 * const { lanes } = nethackStudy({ full: true, only: ["ariadne-room"] });
 * assert.deepEqual(lanes.map(({ episodes: [episode] }) => episode?.params?.["seed"]), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
 * ```
 */
export function nethackStudy(options: NetHackStudyOptions = {}): Study {
  const { full = false, only = [] } = options;
  const form = full ? FORMS.full : FORMS.quick;
  const { attempts = form.seeds, calls = form.calls } = options;
  const names = CONDITIONS.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`--only ${unknown} names no agent in NetHack; there are ${names.join(", ")}`);
  const kept = CONDITIONS.filter(({ name }) => only.length === 0 || only.includes(name));
  const base = `arigraph-nethack${full ? "-full" : ""}${calls === form.calls ? "" : `-${calls}-calls`}`;
  return paperStudy(base, options, form.seeds, {
    title: "AriGraph, Table 1: NetHack with NetPlay and Ariadne, room and level observations",
    lanes: Array.from({ length: attempts }, (_, index) => index + 1).flatMap((seed) =>
      kept.map((condition) => laneOf(condition, seed, calls))
    ),
    truth: true, // the strip of maps is drawn from it, and it knows what ended a game
  });
}

function laneOf({ name, method, memory, mode, options }: Condition, seed: number, calls: number): Lane {
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
