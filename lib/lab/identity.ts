/**
 * What decides an episode's trajectory, and the id made of it.
 *
 * @module
 */

import type { EnvSpec } from "../env/environment.ts";
import { hashOf } from "../store/canonical.ts";
import { type Provider, providerIdentity } from "../llm/providers.ts";
import { promptHash } from "../llm/prompt.ts";
import { modelIdOf } from "../llm/roles.ts";
import type { Choice } from "./choices.ts";
import type { Lane, PlannedEpisode, Study } from "./study.ts";

/** Everything that decides a trajectory: two episodes of equal identity are the same, in any process and any order. JSON-able. */
export type Identity = Readonly<Record<string, unknown>>;

/** What an identity is made of besides the plan. */
export interface IdentityParts {
  readonly study: Study;
  readonly lane: Lane;
  readonly ordinal: number;
  readonly episode: PlannedEpisode;
  /** Of the opened world. */
  readonly spec: EnvSpec;
  readonly method: Choice;
  readonly memory?: Choice;
  readonly embedder: string;
  /** Asked before the registered ones. */
  readonly providers?: readonly Provider[];
}

/**
 * The identity of a planned episode. Of the world: id, version, parameters, and the game's content in place of its path. Of the models: which
 * answers which role and how it is spoken to, not where it is served. The artefact that the episode starts from joins it when the lane gets
 * there (`withArtefact`).
 */
export function identityOf(parts: IdentityParts): Identity {
  const { study, lane, ordinal, episode, spec, method, memory, embedder, providers } = parts;
  const { path: _path, ...params } = spec.parameters;
  const models = Object.fromEntries(
    Object.entries(study.models).map(([role, binding]) => {
      const { model, style } = typeof binding === "string" ? { model: binding } : binding;
      return [role, style === undefined ? model : `${model} (${style})`];
    }),
  );
  // The world's own path is decided by the game, which is part of the identity.
  const gold = lane.gold === "world" ? lane.gold : lane.gold?.[ordinal];
  return {
    world: spec.id,
    worldVersion: spec.version,
    params,
    game: spec.identity,
    method: method.identity,
    memory: memory?.identity ?? null,
    embedder,
    models,
    prompts: promptHash([...method.prompts, ...memory?.prompts ?? []], study.promptOverrides),
    ...providerIdentity(Object.values(study.models).map(modelIdOf), study.knobs ? { knobs: study.knobs } : {}, providers),
    ...(gold ? { gold: hashOf(gold) } : {}),
    seed: episode.seed,
    attempt: episode.attempt,
  };
}

/** The identity with the artefact that the episode starts from: its hash, or null where it starts from nothing. */
export function withArtefact(identity: Identity, artefact: string | undefined): Identity {
  return { ...identity, artefact: artefact ?? null };
}

/**
 * First 16 hex digits of SHA-256 over place and identity. The place is part of the id and not of the identity: two studies, or two lanes,
 * that plan the same episode each record it (their replies are shared).
 */
export function episodeId(
  position: { readonly study: string; readonly lane: string; readonly ordinal: number },
  identity: Identity,
): string {
  return hashOf([position.study, position.lane, position.ordinal, identity]).slice(0, 16);
}

/** What differs between two identities, artefacts apart: `models: {"*":"offline"} → {"*":"gpt-4o"}`; empty where nothing does. */
export function differences(recorded: Identity, planned: Identity): string[] {
  const keys = [...new Set([...Object.keys(recorded), ...Object.keys(planned)])].filter((key) => key !== "artefact").sort();
  return keys
    .filter((key) => hashOf(recorded[key] ?? null) !== hashOf(planned[key] ?? null))
    .map((key) => `${key}: ${short(recorded[key])} → ${short(planned[key])}`);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
