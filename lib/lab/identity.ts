/** The identity of an episode, which holds everything that decides its trajectory, and its id. */

import type { EnvSpec } from "../core/env/environment.ts";
import { hashOf } from "../core/text/canonical.ts";
import type { Provider } from "../core/llm/provider.ts";
import { providerIdentity } from "../core/llm/providers.ts";
import { promptHash } from "../core/llm/prompt.ts";
import { bindingIdentity, modelIdOf } from "../core/llm/roles.ts";
import { READING } from "../core/text/reading-rules.ts";
import type { Choice } from "./choices.ts";
import type { EpisodeChain, PlannedEpisode, Study } from "./study.ts";

/** Everything that decides a trajectory, JSON-able: episodes of equal identity are equal. */
export type Identity = Readonly<Record<string, unknown>>;

/** The parts of an identity that episodes of one method and memory share. */
export interface PlayerParts {
  readonly study: Study;
  readonly method: Choice;
  readonly memory?: Choice;
  readonly embedder: string;
  readonly providers?: readonly Provider[];
}

export interface IdentityParts {
  readonly study: Study;
  readonly chain: EpisodeChain;
  readonly ordinal: number;
  readonly episode: PlannedEpisode;
  readonly spec: EnvSpec;
  readonly player: Identity;
}

/**
 * The part of an identity that says who plays: method, memory, embedder, and for each role the
 * model, its style and its sampling, not the endpoint.
 */
export function playerIdentity(
  { study, method, memory, embedder, providers }: PlayerParts,
): Identity {
  return {
    method: method.identity,
    memory: memory?.identity ?? null,
    embedder,
    models: Object.fromEntries(
      Object.entries(study.models).map(([role, binding]) => [role, bindingIdentity(binding)]),
    ),
    reading: READING,
    prompts: promptHash([...method.prompts, ...memory?.prompts ?? []], study.promptOverrides),
    ...providerIdentity(
      Object.values(study.models).map(modelIdOf),
      { modelOptions: study.modelOptions },
      providers,
    ),
  };
}

/**
 * The identity of a planned episode without the artefact that it loads. Of the world it holds id,
 * version, parameters and the hash of the game, not its path.
 */
export function identityOf(parts: IdentityParts): Identity {
  const { study, chain, ordinal, episode, spec, player } = parts;
  const { path: _path, ...params } = spec.parameters;
  // The gold path of the world follows from the game, which is part of the identity.
  const gold = chain.gold === "world" ? chain.gold : chain.gold?.[ordinal];
  return {
    world: spec.id,
    worldVersion: spec.version,
    params,
    game: spec.identity,
    ...player,
    gold: gold && hashOf(gold),
    recallTokens: study.recallTokens,
    seed: episode.seed,
    attempt: episode.attempt,
  };
}

/** Adds the artefact that the episode loads: its hash, or null. */
export function withArtefact(identity: Identity, artefact: string | undefined): Identity {
  return { ...identity, artefact: artefact ?? null };
}

/**
 * The id of an episode: the first 16 hex digits of SHA-256 over position and identity. The position
 * is not part of the identity: two studies that plan the same episode share the replies.
 */
export function episodeId(
  position: { readonly study: string; readonly chain: string; readonly ordinal: number },
  identity: Identity,
): string {
  return hashOf([position.study, position.chain, position.ordinal, identity]).slice(0, 16);
}

/** The differences of two identities, without the artefact: `seed: 1 → 2`. */
export function differences(recorded: Identity, planned: Identity): string[] {
  const keys = [...new Set([...Object.keys(recorded), ...Object.keys(planned)])].filter((key) =>
    key !== "artefact"
  ).sort();
  return keys
    .filter((key) => isDifferent(recorded[key], planned[key]))
    .map((key) => `${key}: ${short(recorded[key])} → ${short(planned[key])}`);
}

/** Whether two parts of identities differ; what is absent is null. */
export function isDifferent(recorded: unknown, planned: unknown): boolean {
  return hashOf(recorded ?? null) !== hashOf(planned ?? null);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
