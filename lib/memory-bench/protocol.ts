/** The protocol `labyrinth-memory v1` (docs/protocol.md): its machine-readable part, the seeds, and the games that a seed draws. */

import { randomInt } from "node:crypto";
import { z } from "zod";
import v1 from "../../data/memory-bench/v1.json" with { type: "json" };
import publishedSeeds from "../../data/memory-bench/v1-seeds.json" with { type: "json" };
import type { Options } from "../lab/study.ts";
import { hashOf } from "../store/canonical.ts";

const whole = z.int().positive();
const options = z.record(z.string(), z.unknown());

const world = z.strictObject({
  name: z.string(),
  title: z.string(),
  tellsNext: z.boolean().optional(),
  world: z.string(),
  params: options,
  draw: z.record(z.string(), z.strictObject({ of: z.array(z.string()), below: whole }).partial()),
  method: z.string().optional(),
  without: z.array(z.string()).optional(),
  memoryOptions: z.record(z.string(), options).optional(),
  steps: whole,
});

const form = z.strictObject({
  worlds: z.array(z.string()).optional(),
  memories: z.array(z.string()).optional(),
  readers: z.array(z.string()).optional(),
  games: whole,
});

const protocol = z.strictObject({
  id: z.string(),
  method: z.string(),
  embedder: z.string(),
  readers: z.array(z.string()),
  perfectReader: z.string(),
  tokensPerStep: whole,
  seeds: z.strictObject({ ranges: z.tuple([z.string(), z.string()]), perRange: whole, sha256: z.string() }),
  forms: z.strictObject({ quick: form, full: form }),
  attribution: z.strictObject({ world: z.string(), range: z.string() }),
  stages: z.array(z.strictObject({ name: z.string(), roles: z.string() })),
  onlyIn: z.record(z.string(), z.string()),
  worlds: z.array(world),
});

/** A world of the protocol: what is played in it, how a seed draws a game, whether its truth tells the next right action, and the most agent steps. */
export type BenchWorld = z.output<typeof world>;

/** The protocol's machine-readable part, `data/memory-bench/v1.json`. */
export const PROTOCOL: z.output<typeof protocol> = protocol.parse(v1);

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
