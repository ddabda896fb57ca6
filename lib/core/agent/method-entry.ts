/** How a method becomes an entry that studies name. */

import { UsageError } from "../errors.ts";
import type { Entry, MemoryFactory } from "../memory/memory.ts";
import { withDefaults } from "../memory/memory-kit.ts";
import type { Schema } from "../text/json.ts";
import { checkOptions } from "../text/registry.ts";
import type {
  Episode,
  EpisodeByHand,
  MethodByHand,
  MethodMaker,
  Outcome,
  Recorder,
} from "./method.ts";

/**
 * The entry of a method without its factory, and the memories that an error message suggests where
 * none is given.
 */
export interface MethodDescription<T> extends Omit<Entry, "options"> {
  readonly options: Schema<T>;
  readonly memories?: string;
}

/**
 * The entry of a method. `run` plays an episode under the options as their schema reads them, and
 * with the memory where there is one.
 */
export function methodEntry<T extends Record<string, unknown>, Options extends object>(
  { memories, ...entry }: MethodDescription<T>,
  run: (episode: Episode, options: T & { readonly memory: MemoryFactory }) => Promise<Outcome>,
): MethodMaker<Options> {
  const { id, options: schema } = entry;
  function create(given: { readonly memory?: MemoryFactory } = {}): MethodByHand {
    const { memory, ...others } = given;
    if (memories !== undefined && typeof memory !== "function") {
      throw new UsageError(`${id} needs a memory: name one, such as ${memories}`);
    }
    const checked = checkOptions(
      `the method ${id}`,
      schema,
      memories === undefined ? given : others,
    );
    return {
      id,
      run: (episode) => run(wholeEpisode(episode), { ...checked, memory: memory as MemoryFactory }),
    };
  }
  return Object.assign(create, { ...entry, takesMemory: memories !== undefined, create });
}

const SILENT: Recorder = { step: () => Promise.resolve(), event: () => {} };

export function wholeEpisode(given: EpisodeByHand): Episode {
  return { recorder: SILENT, seed: 0, ...withDefaults(given) };
}
