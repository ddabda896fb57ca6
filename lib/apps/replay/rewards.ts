/**
 * Adds up the rewards of an attempt under each rule of the published runs. Cleaning had two: +1
 * for taking a thing that is not in its right place (`lies-wrong`), or that was misplaced at the
 * start (`misplaced-first`); both give +1 for putting a thing right, −1 for any other move.
 */

import type { MeasuredEnvironment, Turn } from "../../core/env/environment.ts";
import { z } from "zod";

/** The rule by which an attempt was rewarded. */
export type RewardRule = "world" | "lies-wrong" | "misplaced-first";

/** Adds up the rewards by every rule; the best fit counts. */
export class RewardRules {
  readonly #sums = new Map<RewardRule, number[]>([["world", []]]);
  readonly #homes: Readonly<Record<string, string>>;
  readonly #first: ReadonlyMap<string, string>;
  #places: ReadonlyMap<string, string>;

  /** Starts with the truth of the world's first state. */
  constructor(truth: unknown) {
    const { homes = {}, facts } = truthSchema.parse(truth);
    this.#homes = homes;
    this.#first = this.#places = placesOf(homes, facts);
    if (this.#first.size > 0) this.#sums.set("lies-wrong", []).set("misplaced-first", []);
  }

  /** Adds the rewards of an agent step that led to this turn. */
  async update(turn: Turn, world: MeasuredEnvironment): Promise<void> {
    this.#sums.get("world")?.push(turn.score);
    if (this.#first.size === 0) return;
    const before = this.#places;
    this.#places = placesOf(this.#homes, truthSchema.parse(await world.truth()).facts);
    const moved = [...this.#places].filter(([thing, place]) => before.get(thing) !== place).map((
      [thing],
    ) => thing);
    for (const rule of ["lies-wrong", "misplaced-first"] as const) {
      const sums = this.#sums.get(rule) ?? [];
      sums.push(
        (sums.at(-1) ?? 0) +
          moved.reduce((sum, thing) => sum + (this.#isRight(rule, thing, before) ? 1 : -1), 0),
      );
    }
  }

  /** Returns the rule that fits the logged sums best, with its sums after each step. */
  best(logged: readonly number[]): { readonly rule: RewardRule; readonly sums: readonly number[] } {
    const fits = (sums: readonly number[]): number =>
      sums.filter((sum, index) => sum === logged[index]).length;
    const [[rule, sums]] = [...this.#sums].sort(([, a], [, b]) => fits(b) - fits(a)) as [
      [RewardRule, number[]],
    ];
    return { rule, sums };
  }

  #isRight(rule: RewardRule, thing: string, before: ReadonlyMap<string, string>): boolean {
    const home = this.#homes[thing];
    if (this.#places.get(thing) !== INVENTORY) return this.#places.get(thing) === home;
    return (rule === "lies-wrong" ? before : this.#first).get(thing) !== home;
  }
}

const INVENTORY = "inventory";

const truthSchema = z.object({
  homes: z.record(z.string(), z.string()).optional(),
  facts: z.array(z.array(z.string())),
});

function placesOf(
  homes: Readonly<Record<string, string>>,
  facts: readonly (readonly string[])[],
): Map<string, string> {
  const lies = facts.filter(([thing = "", relation = ""]) =>
    Object.hasOwn(homes, thing) && (relation === "in" || relation === "on")
  );
  return new Map(lies.map(([thing = "", , place = ""]) => [thing, place]));
}
