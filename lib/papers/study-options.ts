/** What the studies of a paper let choose, and the study that these choices make. */

import { resolve } from "node:path";
import { createGoldWalk } from "../core/agent/gold-walk.ts";
import { METHODS } from "../core/agent/registry.ts";
import { UsageError } from "../core/errors.ts";
import { rolesOf } from "../lab/choices.ts";
import { conditionOf, type CustomMethod, type Study } from "../lab/study.ts";
import type { PromptOverrides } from "../core/llm/prompt.ts";
import {
  backboneOf,
  bindingIdentity,
  bindingOf,
  bindingsOf,
  keyOf,
  modelIdOf,
  ROLE_MAPS,
  type RoleMap,
} from "../core/llm/roles.ts";
import { hashOf, sha256 } from "../core/text/canonical.ts";
import { checkKeys, didYouMean } from "../core/text/did-you-mean.ts";

/** Options of every study. */
export interface StudyOptions {
  /** Role → model. @default {ROLE_MAPS.offline} */
  readonly models?: RoleMap;
  /** Name of an embedder. @default {"lexical"} */
  readonly embedder?: string;
  /** A user's own wording by role. */
  readonly promptOverrides?: PromptOverrides;
}

/** Options that choose among the parts of a paper, and those of each part. */
export interface PartChoices extends StudyOptions {
  /** The paper's number of trials in place of a few. @default {false} */
  readonly full?: boolean;
  /** Names of games, layouts, tasks, sets, methods, conditions or parts to keep. @default all */
  readonly only?: readonly string[];
  /** A folder of the user's games, where the paper takes one. */
  readonly games?: string;
  /** Attempts at each game, ≥ 1. @default that of the form */
  readonly attempts?: number;
}

/**
 * The method that walks the path by which a world says that an episode is solved: what there is to
 * reach.
 */
export const ORACLE: CustomMethod = {
  id: "oracle",
  version: "1",
  isVersioned: true,
  create: createGoldWalk,
};

/**
 * Makes a study whose id begins with `form`, and does not mention so many `attempts`;
 * `offline-weak`, which it has no use for, is bound to every role.
 */
export function paperStudy(
  form: string,
  options: PartChoices,
  attempts: number,
  parts: Pick<Study, "title" | "chains" | "truth">,
): Study {
  checkKeys(`the study ${form}`, options, CHOICES);
  const { models = ROLE_MAPS.offline, embedder = "lexical", promptOverrides } = options;
  const asked = askedModels(
    isReadyMap(models, "offline-weak") ? { "*": bindingOf(models, "wese/*") } : models,
    parts.chains,
  );
  return {
    ...parts,
    id: studyId(form, { ...options, models: asked }, attempts),
    models: asked,
    embedder,
    promptOverrides,
  };
}

/**
 * The names of all options of a paper's studies, those of single parts included: no type checker
 * sees a notebook's cell.
 */
const CHOICES = [
  ...["models", "embedder", "promptOverrides", "full", "only", "games", "attempts"],
  ...["images", "starts", "questions", "calls"],
];

/**
 * Whether a role map binds the models of a ready one, with whatever parameters of calls
 * (`--param`).
 */
export function isReadyMap(models: RoleMap, name: keyof typeof ROLE_MAPS): boolean {
  const ready = ROLE_MAPS[name];
  const isSame = (role: string): boolean => {
    const own = keyOf(ready, role);
    return own !== undefined &&
      modelIdOf(bindingOf(models, role)) === modelIdOf(bindingOf(ready, own));
  };
  return Object.keys(ready).every((role) => Object.hasOwn(models, role)) &&
    Object.keys(models).every(isSame);
}

/**
 * The bindings of a role map that the episodes of some chains ask, so that a study's id and its
 * files name no model that answers nothing.
 */
export function askedModels(models: RoleMap, chains: Study["chains"]): RoleMap {
  return bindingsOf(models, new Set(chains.flatMap(({ episodes }) => episodes.flatMap(rolesOf))));
}

/**
 * `<form>-<every choice that is not the default>@<backbone>`, so that each choice is a study of its
 * own in the store.
 */
export function studyId(form: string, options: PartChoices, attempts: number): string {
  const { games, only = [], models = ROLE_MAPS.offline, embedder = "lexical", promptOverrides } =
    options;
  const sampled = Object.values(models).some((binding) => bindingIdentity(binding).includes("{"));
  const parts = [
    form,
    ...(games === undefined ? [] : [`games-${sha256(resolve(games)).slice(0, 8)}`]),
    ...[...only].sort(),
    ...(options.attempts === undefined || options.attempts === attempts
      ? []
      : [`x${options.attempts}`]),
    ...(embedder === "lexical" ? [] : [`embedder-${sha256(embedder).slice(0, 8)}`]),
    ...(sampled
      ? [
        `sampled-${
          hashOf(Object.entries(models).map(([role, binding]) => [role, bindingIdentity(binding)]))
            .slice(0, 8)
        }`,
      ]
      : []),
    ...(promptOverrides ? [`prompts-${hashOf(promptOverrides).slice(0, 8)}`] : []),
  ];
  return `${parts.join("-")}@${backboneOf(models)}`;
}

/**
 * The study with at most so many agent steps in each pass, as a study of its own; methods that take
 * no steps stay as they are.
 */
export function shortened(study: Study, steps: number): Study {
  const chains = study.chains.map((chain) => ({
    ...chain,
    episodes: chain.episodes.map(({ method, options, ...episode }) => {
      const limits = typeof method === "string"
        ? LIMITS.filter((limit) => METHODS[method]?.options.safeParse({ [limit]: steps }).success)
        : [];
      const least = (limit: string): number =>
        Math.min(Number(options?.method?.[limit] ?? steps), steps);
      const shorter = Object.fromEntries(limits.map((limit) => [limit, least(limit)]));
      return {
        ...episode,
        method,
        options: { ...options, method: { ...options?.method, ...shorter } },
      };
    }),
  }));
  return { ...study, id: ofForm(study, `steps${steps}`), chains };
}

/**
 * The study with at most so many episodes of each condition in each world, as a study of its own.
 * They are spread evenly over what the condition plays there, so that conditions that play the same
 * games keep the same ones. Of longer chains the first episodes are kept.
 */
export function thinned(study: Study, episodes: number): Study {
  const cells = Map.groupBy(
    study.chains,
    ({ episodes: [first] }) => first && JSON.stringify([first.world, conditionOf(first)]),
  );
  const kept = new Set([...cells.values()].flatMap((chains) => spread(chains, episodes)));
  const awaited = new Set(Array.from(kept, ({ after }) => after));
  const chains = study.chains.filter((chain) => kept.has(chain) || awaited.has(chain.id)).map((
    { gold, ...chain },
  ) => ({
    ...chain,
    ...(gold && { gold: typeof gold === "string" ? gold : gold.slice(0, episodes) }),
    episodes: chain.episodes.slice(0, episodes),
  }));
  return { ...study, id: ofForm(study, `episodes${episodes}`), chains };
}

/** At most `most` items, the first one among them, at even distances. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  const part = (place: number): number => Math.floor(place * most / items.length);
  return items.filter((_, place) => place === 0 || part(place) > part(place - 1));
}

/** The id of another form of a study: `<form>-<what differs>@<backbone>`. */
function ofForm({ id }: Study, difference: string): string {
  const at = id.lastIndexOf("@");
  return `${id.slice(0, at)}-${difference}${id.slice(at)}`;
}

/** Options of methods that limit steps. */
const LIMITS = ["maxSteps", "explorationSteps"];

/**
 * Checks the names of `--only`; `kinds` says what none of them is, `parts` names what else it takes
 * of the paper.
 * @throws {UsageError} for a name that is not known.
 */
export function checkNames(
  only: readonly string[],
  known: readonly string[],
  kinds: string,
  parts: readonly string[] = [],
): void {
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--only ${unknown} names ${kinds}${didYouMean(unknown, [...known, ...parts])}; there are ${
        [...known, ...parts].join(", ")
      }`,
    );
  }
}

/** The items that `only` names; where it names none of them, the usual ones. */
export function namedOr<Item extends { readonly name: string }>(
  all: readonly Item[],
  only: readonly string[],
  usual: readonly Item[] = all,
): readonly Item[] {
  const named = all.filter(({ name }) => only.includes(name));
  return named.length > 0 ? named : usual;
}
