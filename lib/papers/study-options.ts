/**
 * What every study of a paper lets choose, and the study that these choices make.
 *
 * @module
 */

import { resolve } from "node:path";
import { rolesOf } from "../lab/choices.ts";
import type { Study } from "../lab/study.ts";
import type { PromptOverrides } from "../llm/prompt.ts";
import { backboneOf, bindingIdentity, bindingsOf, ROLE_MAPS, type RoleMap } from "../llm/roles.ts";
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

/** The choices that a study's id tells apart. */
type Chosen = StudyOptions & { readonly games?: string; readonly only?: readonly string[]; readonly attempts?: number };

/**
 * Makes a study of a paper that has no weak model of its own: `offline-weak` is bound to every role.
 *
 * @param form how its id begins
 * @param attempts the number of attempts that the id does not mention
 */
export function paperStudy(form: string, options: Chosen, attempts: number, parts: Pick<Study, "title" | "lanes" | "truth">): Study {
  const { models = ROLE_MAPS.offline, embedder = "lexical", promptOverrides } = options;
  const asked = askedModels(models === ROLE_MAPS["offline-weak"] ? { "*": "offline-weak" } : models, parts.lanes);
  return { ...parts, id: studyId(form, { ...options, models: asked }, attempts), models: asked, embedder, promptOverrides };
}

/** The bindings of a role map that the episodes of some lanes ask, so that a study's id and its files name no model that answers nothing. */
export function askedModels(models: RoleMap, lanes: Study["lanes"]): RoleMap {
  return bindingsOf(models, new Set(lanes.flatMap(({ episodes }) => episodes.flatMap(rolesOf))));
}

/** `<form>-<every choice that is not the default>@<backbone>`, so that each choice is a study of its own in the store. */
export function studyId(form: string, options: Chosen, attempts: number): string {
  const { games, only = [], models = ROLE_MAPS.offline, embedder = "lexical", promptOverrides } = options;
  const sampled = Object.values(models).some((binding) => bindingIdentity(binding).includes("{"));
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
