/**
 * What every study of a paper lets choose, and the id that tells the choices apart.
 *
 * @module
 */

import { resolve } from "node:path";
import type { PromptOverrides } from "../llm/prompt.ts";
import { backboneOf, bindingIdentity, ROLE_MAPS, type RoleMap, samplingOf } from "../llm/roles.ts";
import { hashOf, sha256 } from "../store/canonical.ts";

/** What every study lets choose. */
export interface StudyOptions {
  /** Role → model. @default {ROLE_MAPS.offline} */
  readonly models?: RoleMap;
  /** Name of an embedder. @default {"lexical"} */
  readonly embedder?: string;
  /** A user's own wording by role. */
  readonly promptOverrides?: PromptOverrides;
}

/**
 * `<form>-<whatever is not as usual>@<backbone>`, so that each choice is a study of its own in the store.
 *
 * @param attempts as many as the form has unless told
 */
export function studyId(
  form: string,
  options: StudyOptions & { readonly games?: string; readonly only?: readonly string[]; readonly attempts?: number },
  attempts: number,
): string {
  const { games, only = [], models = ROLE_MAPS.offline, embedder = "lexical", promptOverrides } = options;
  const sampled = Object.values(models).some((binding) => typeof binding !== "string" && Object.keys(samplingOf(binding)).length > 0);
  const parts = [
    form,
    ...(games === undefined ? [] : [`games-${sha256(resolve(games)).slice(0, 8)}`]),
    ...[...only].sort(),
    ...(options.attempts === undefined || options.attempts === attempts ? [] : [`x${options.attempts}`]),
    ...(embedder === "lexical" ? [] : [`embedder-${sha256(embedder).slice(0, 8)}`]),
    ...(sampled
      ? [`sampled-${hashOf(Object.entries(models).map(([role, binding]) => [role, bindingIdentity(binding)])).slice(0, 8)}`]
      : []),
    ...(promptOverrides ? [`prompts-${hashOf(promptOverrides).slice(0, 8)}`] : []),
  ];
  return `${parts.join("-")}@${backboneOf(models)}`;
}
