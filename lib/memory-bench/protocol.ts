/** The protocol `labyrinth-memory v1` (docs/protocol.md): its machine-readable part, the seeds, and the games that a seed draws. */

import { randomInt } from "node:crypto";
import v1 from "../../data/memory-bench/v1.json" with { type: "json" };
import publishedSeeds from "../../data/memory-bench/v1-seeds.json" with { type: "json" };
import type { Options } from "../lab/study.ts";
import { hashOf } from "../store/canonical.ts";

/** A world of the protocol. */
export interface BenchWorld {
  /** As options and results name it. */
  readonly name: string;
  /** As tables name it. */
  readonly title: string;
  /** Its id in the lab. */
  readonly world: string;
  /** Parameters of every game. */
  readonly params: Options;
  /** The parameters that a seed draws, in the order of its digits: one of some texts, a number below another, or what is left of the seed. */
  readonly draw: Readonly<Record<string, { readonly of?: readonly string[]; readonly below?: number }>>;
  /** Most agent steps of an episode. */
  readonly steps: number;
  /** Whether its truth tells the next right action. @default {false} */
  readonly tellsNext?: boolean;
  /** The method that plays. @default that of the protocol */
  readonly method?: string;
  /** Memories that cannot take part. @default none */
  readonly without?: readonly string[];
  /** Memory → its options here. @default none */
  readonly memoryOptions?: Readonly<Record<string, Options>>;
}

interface Form {
  readonly games: number;
  readonly worlds?: readonly string[];
  readonly memories?: readonly string[];
  readonly readers?: readonly string[];
}

/** The protocol's machine-readable part, as docs/protocol.md explains it; a test holds its hash. */
export const PROTOCOL = {
  ...v1,
  forms: v1.forms as Readonly<Record<"quick" | "full", Form>>,
  onlyIn: v1.onlyIn as Readonly<Record<string, string | undefined>>,
  worlds: v1.worlds as unknown as readonly BenchWorld[],
};

/** SHA-256 (hex) over the canonical JSON of {@linkcode PROTOCOL}: two results compare only where it is the same. */
export const PROTOCOL_HASH: string = hashOf(v1);

/** Name of a range → its seeds, each a whole number in [0, 2³¹ − 1]. Two ranges have no game in common. */
export type SeedRanges = Readonly<Record<string, readonly number[]>>;

/** The published seeds, `data/memory-bench/v1-seeds.json`: the protocol holds their hash, which was committed before they were. */
export const PUBLISHED_SEEDS: SeedRanges = publishedSeeds;

/** Whether a memory can take part in a world: some are made for one alone, and some frame what they keep as the steps of a game. */
export function playsIn(memory: string, { name, without = [] }: BenchWorld): boolean {
  return (PROTOCOL.onlyIn[memory] ?? name) === name && !without.includes(memory);
}

/**
 * Computes the parameters of the game that a seed draws in a world. Parameters take the seed's digits in a mixed radix, the first one the lowest:
 * one with `of` or `below` takes the remainder by its number of values and passes the quotient on; any other takes what is left.
 *
 * @param seed a whole number in [0, 2³¹ − 1]
 */
export function gameOf({ params, draw }: BenchWorld, seed: number): Options {
  let rest = seed;
  const drawn = Object.entries(draw).map(([name, { of, below = of?.length }]): [string, unknown] => {
    if (below === undefined) return [name, rest];
    const digit = rest % below;
    rest = Math.floor(rest / below);
    return [name, of ? of[digit] : digit];
  });
  return { ...params, ...Object.fromEntries(drawn) };
}

/**
 * Draws ranges of seeds. No game of any world of the protocol is drawn twice.
 *
 * @param names the names of the ranges
 * @param perRange number of seeds of each range, ≥ 1
 * @param draw gives a whole number in [0, 2³¹ − 1] @default the operating system's source of randomness
 */
export function drawSeeds(names: readonly string[], perRange: number, draw: () => number = () => randomInt(2 ** 31)): SeedRanges {
  const taken = new Set<string>();
  const next = (): number => {
    for (;;) {
      const seed = draw();
      const games = PROTOCOL.worlds.map((world) => hashOf([world.name, gameOf(world, seed)]));
      if (games.some((game) => taken.has(game))) continue;
      for (const game of games) taken.add(game);
      return seed;
    }
  };
  return Object.fromEntries(names.map((name) => [name, Array.from({ length: perRange }, next)]));
}
