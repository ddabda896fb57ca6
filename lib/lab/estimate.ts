/** Estimates the cost of a study: mean calls and tokens of comparable episodes, times the price. */

import { dollarsFor, type Price, priceOf } from "../core/llm/prices.ts";
import { bindingOf } from "../core/llm/roles.ts";
import { endpointModelOf } from "../core/retrieval/embedders.ts";
import { EMBEDDING_ROLE } from "./store/costs.ts";
import { type EpisodePlan, findEpisode } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import type { Identity } from "./identity.ts";
import { planOf, type ResolvedEpisode } from "./plan.ts";
import type { EpisodeCounts } from "./progress.ts";
import type { Study } from "./study.ts";

/** The estimated cost of a study. */
export interface Estimate extends Pick<EpisodeCounts, "planned" | "completed"> {
  /** Id of the study. */
  readonly study: string;
  /** Number of episodes that a run would start or resume. */
  readonly toPlay: number;
  /** Number of episodes of broken games, which a run would record as failed. */
  readonly refused: number;
  /** The reasons of these, each once. */
  readonly refusals: readonly string[];
  /** Number of recorded replies to the study's episodes, which are not paid again. */
  readonly callsRecorded: number;
  /** Expected calls of the episodes to play, as far as comparable episodes are recorded. */
  readonly callsToPay: number;
  /** Expected prompt tokens of the calls to pay. */
  readonly promptTokens: number;
  /** Expected completion tokens of the calls to pay. */
  readonly completionTokens: number;
  /** Expected US dollars; absent if a model has no price, or an episode no comparable one. */
  readonly dollars?: number;
  /** The same by condition, in the order of the study. */
  readonly conditions: readonly ConditionEstimate[];
  /** The models without a price, sorted. */
  readonly unpriced: readonly string[];
  /** Number of episodes to play without a comparable one; the numbers above leave them out. */
  readonly unknown: number;
}

/** The estimated cost of the episodes of one condition. */
export interface ConditionEstimate {
  /** Label of the condition. */
  readonly condition: string;
  /** Number of episodes that a run would start or resume. */
  readonly toPlay: number;
  /** Number of those without a comparable recorded one. */
  readonly unknown: number;
  /** Expected US dollars; absent if a model has no price, or an episode no comparable one. */
  readonly dollars?: number;
}

/**
 * Estimates the cost of a study. An episode takes the mean calls and tokens of the completed ones
 * of its world and condition (else of its world, method and memory), whichever model replied: a
 * free run of the stand-in prices a paid one. Discounts for cached prompts are not assumed.
 * Episodes with pictures are compared with episodes that a real model played with pictures.
 */
export function estimateStudy(
  store: Store,
  study: Study,
  episodes: readonly ResolvedEpisode[],
): Estimate {
  const sums = { callsRecorded: 0, callsToPay: 0, promptTokens: 0, completionTokens: 0 };
  const counts = { completed: 0, refused: 0, unknown: 0 };
  const [refusals, unpriced] = [new Set<string>(), new Set<string>()];
  const conditions = new Map<string, { toPlay: number; unknown: number; dollars: number }>();
  const means = new Map<string, readonly RoleCalls[] | undefined>();
  for (const resolved of episodes) {
    const first = resolved.ordinal === 0 ? resolved.chain.artefact : undefined;
    const plan = planOf(study, resolved, first);
    const done = callsOf(store, "id = ?", [plan.id]);
    sums.callsRecorded += done.reduce((total, { calls }) => total + calls, 0);
    if (findEpisode(store, plan.id)?.status === "completed") {
      counts.completed++;
      continue;
    }
    if (resolved.refusal) {
      counts.refused++;
      refusals.add(resolved.refusal.message);
      continue;
    }
    const own = conditions.getOrInsertComputed(
      plan.condition,
      () => ({ toPlay: 0, unknown: 0, dollars: 0 }),
    );
    own.toPlay++;
    const compared = comparable(plan, resolved.identity);
    const roles = means.getOrInsertComputed(
      JSON.stringify(compared),
      () => meanOf(store, study, compared),
    );
    if (!roles) {
      counts.unknown++;
      own.unknown++;
    }
    for (const { role, calls, promptTokens, completionTokens } of roles ?? []) {
      // Recorded calls are a part of the expected ones; the rest is expected to cost their mean.
      const share = Math.max(0, 1 - (done.find((row) => row.role === role)?.calls ?? 0) / calls);
      const [prompt, completion] = [promptTokens * share, completionTokens * share];
      const { model, price } = priced(study, role);
      const cost = dollarsFor({ prompt, cached: 0, completion, reasoning: 0 }, price);
      if (cost === null) unpriced.add(model);
      sums.callsToPay += calls * share;
      sums.promptTokens += prompt;
      sums.completionTokens += completion;
      own.dollars += cost ?? NaN;
    }
  }
  const rows = [...conditions].map(([condition, { dollars, ...own }]): ConditionEstimate => ({
    condition,
    ...own,
    dollars: own.unknown > 0 || Number.isNaN(dollars) ? undefined : dollars,
  }));
  return {
    ...counts,
    study: study.id,
    planned: episodes.length,
    toPlay: episodes.length - counts.completed - counts.refused,
    refusals: [...refusals],
    callsRecorded: sums.callsRecorded,
    callsToPay: Math.round(sums.callsToPay),
    promptTokens: Math.round(sums.promptTokens),
    completionTokens: Math.round(sums.completionTokens),
    dollars: rows.reduce<number | undefined>(
      (sum, { dollars }) => sum === undefined || dollars === undefined ? undefined : sum + dollars,
      0,
    ),
    conditions: rows,
    unpriced: [...unpriced].sort(),
  };
}

interface RoleCalls {
  readonly role: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A clause over `episodes` with its values. */
type Selection = readonly [where: string, values: readonly string[]];

/**
 * The completed episodes that one to play may be compared with, the best selection first: of the
 * same embeddings model, and of no lower limit of steps (`--steps`).
 */
function comparable(
  { world, label = "", method, memory, condition, worldParams }: EpisodePlan,
  { embedder, method: played }: Identity,
): Selection[] {
  const { options = {} } = played as { readonly options?: Readonly<Record<string, unknown>> };
  const clauses: [clause: string, value?: string][] = [
    ["status = 'completed'"],
    ["world = ?", world],
    ["coalesce(label, '') = ?", label],
    ["method = ?", method],
    ["memory = ?", memory],
  ];
  if (endpointModelOf(String(embedder)) !== undefined) {
    clauses.push(["json_extract(identity, '$.embedder') = ?", String(embedder)]);
  }
  for (const limit of ["maxSteps", "explorationSteps"]) {
    if (typeof options[limit] !== "number") continue;
    const theirs = `json_extract(identity, '$.method.options.${limit}')`;
    clauses.push([`coalesce(${theirs} >= cast(? as integer), 1)`, String(options[limit])]);
  }
  if (worldParams["image"] === true) {
    clauses.push(["json_extract(world_params, '$.image') and backbone not like 'offline%'"]);
  }
  const like = clauses.map(([clause]) => clause).join(" and ");
  const values = clauses.flatMap(([, value]) => value ?? []);
  return [[`${like} and condition = ?`, [...values, condition]], [like, values]];
}

/** The mean calls by role of the first selection that has an episode; `undefined` without one. */
function meanOf(
  store: Store,
  study: Study,
  selections: readonly Selection[],
): RoleCalls[] | undefined {
  for (const [where, values] of selections) {
    const found = store.prepare(`select count(*) as n from episodes where ${where}`);
    const n = Number(found.get(...values)?.["n"]);
    if (n === 0) continue;
    return callsOf(store, where, values).filter(({ role }) =>
      role !== EMBEDDING_ROLE || embeddingsOf(study) !== undefined
    ).map(({ role, calls, promptTokens, completionTokens }) => ({
      role,
      calls: calls / n,
      promptTokens: promptTokens / n,
      completionTokens: completionTokens / n,
    }));
  }
  return undefined;
}

/** The answered calls of episodes by role; a reply that a resumed run repeats counts once. */
function callsOf(store: Store, episodes: string, values: readonly string[]): RoleCalls[] {
  return store.prepare(
    `select role, count(*) as calls, sum(prompt) as promptTokens, sum(completion) as completionTokens from (
       select role, max(prompt_tokens) as prompt, max(completion_tokens) as completion from calls
       where kind <> 'wasted' and episode in (select id from episodes where ${episodes}) group by episode, role, key
     ) group by role`,
  ).all(...values) as unknown as RoleCalls[];
}

function embeddingsOf({ embedder }: Study): string | undefined {
  return typeof embedder === "string" ? endpointModelOf(embedder) : undefined;
}

function priced(study: Study, role: string): { model: string; price: Price | undefined } {
  const embeddings = role === EMBEDDING_ROLE ? embeddingsOf(study) : undefined;
  const binding = embeddings ?? bindingOf(study.models, role);
  const { model, price }: { model: string; price?: Price } = typeof binding === "string"
    ? { model: binding }
    : binding;
  return { model, price: price ?? priceOf(model) };
}
