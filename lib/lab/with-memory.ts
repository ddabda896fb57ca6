/** A study with one memory in place of its own ones. */

import { memoryOf } from "../core/memory/registry.ts";
import { canonicalJson } from "../core/text/canonical.ts";
import { UsageError } from "../core/errors.ts";
import { type EpisodeChain, idOf, type Study } from "./study.ts";

/**
 * The worlds and methods of a study with another memory: each chain whose episodes have a memory is
 * played once with this one, under an id of its own.
 *
 * @throws {UsageError} if there is no such memory, or no method of the study takes one.
 *
 * @example
 * ```ts
 * import { experiment, withMemory } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const study = experiment({ id: "mine", worlds: ["textworld/hunt"], memories: ["rag", "summary"] });
 * const { id, chains } = withMemory(study, "plain-notes");
 * assert.equal(id, "mine+plain-notes");
 * assert.deepEqual(chains.map(({ episodes }) => episodes[0]?.memory), ["plain-notes"]);
 * ```
 */
export function withMemory(study: Study, memory: string): Study {
  const { id: name } = memoryOf(memory);
  const methods = new Set(
    study.chains.flatMap(({ episodes }) =>
      episodes.filter((one) => one.memory !== undefined).map(({ method }) => idOf(method))
    ),
  );
  const kept = new Map<string, string>(); // chain of the study → the chain that is played for it
  const first = new Map<string, string>();
  const chains: EpisodeChain[] = [];
  for (const { artefact: _, after, ...chain } of study.chains) {
    if (chain.episodes.some((episode) => episode.memory === undefined)) continue;
    const episodes = chain.episodes.map(({ options, factors: _, ...episode }) => ({
      ...episode,
      memory,
      condition: methods.size > 1 ? `${idOf(episode.method)}, ${name}` : name,
      ...(options?.method && { options: { method: options.method } }),
    }));
    const before = after === undefined ? undefined : kept.get(after);
    const key = canonicalJson([episodes, chain.gold ?? null, before ?? null]);
    const id = first.getOrInsert(key, chain.id);
    kept.set(chain.id, id);
    if (id === chain.id) {
      chains.push({ ...chain, episodes, ...(before !== undefined && { after: before }) });
    }
  }
  if (chains.length === 0) {
    throw new UsageError(`no method of the study ${study.id} takes a memory; choose another study`);
  }
  return { ...study, id: `${study.id}+${name}`, chains };
}
