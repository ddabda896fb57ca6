/**
 * Estimates the cost of a study before it is played: mean calls and tokens of comparable episodes,
 * times the price.
 */

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
  /**
   * Expected US dollars; absent if a model has no price, or an episode nothing to compare it with:
   * a part of the sum is no price.
   */
  readonly dollars?: number;
  /** The same by condition, in the order of the study. */
  readonly conditions: readonly ConditionEstimate[];
  /** The models without a price, sorted. */
  readonly unpriced: readonly string[];
  /**
   * Number of episodes to play without a comparable recorded one; the numbers above leave them out.
   */
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
  /**
   * Expected US dollars; absent if a model has no price, or an episode nothing to compare it with.
   */
  readonly dollars?: number;
}

/** Options of `estimateStudy`. */
export interface EstimateOptions {
  /**
   * Whether one episode of each condition was played as a probe: an episode without a comparable
   * one is then expected to take what those of its condition took in any world. @default {false}
   */
  readonly probed?: boolean;
}

/**
 * Estimates the cost of a study. An episode to play is expected to take the mean calls and tokens
 * of the completed ones of the same world and condition (if there are none: of the same world,
 * method and memory), whichever model replied: the offline backbone is asked the same prompts, so
 * that a free run prices a paid one. Discounts for cached prompts are not assumed. Episodes with
 * pictures, whose tokens only a real model counts, are compared with such episodes alone.
 */
export function estimateStudy(
  store: Store,
  study: Study,
  episodes: readonly ResolvedEpisode[],
  { probed = false }: EstimateOptions = {},
): Estimate {
  const sums = {
    completed: 0,
    refused: 0,
    callsRecorded: 0,
    callsToPay: 0,
    promptTokens: 0,
    completionTokens: 0,
    dollars: 0,
    unknown: 0,
  };
  const [refusals, unpriced] = [new Set<string>(), new Set<string>()];
  const conditions = new Map<
    string,
    { toPlay: number; unknown: number; dollars: number | undefined }
  >();
  const known = new Map<string, readonly RoleCalls[] | undefined>(); // by what an episode is compared by
  for (const resolved of episodes) {
    const plan = planOf(
      study,
      resolved,
      resolved.ordinal === 0 ? resolved.chain.artefact : undefined,
    );
    const done = callsOf(store, "id = ?", plan.id);
    sums.callsRecorded += done.reduce((total, { calls }) => total + calls, 0);
    if (findEpisode(store, plan.id)?.status === "completed") {
      sums.completed++;
      continue;
    }
    if (resolved.refusal) {
      sums.refused++;
      refusals.add(resolved.refusal.message);
      continue;
    }
    const own = conditions.getOrInsertComputed(
      plan.condition,
      () => ({ toPlay: 0, unknown: 0, dollars: 0 }),
    );
    own.toPlay++;
    const roles = meanOf(store, study, plan, resolved.identity, { probed, known });
    if (!roles) {
      sums.unknown++;
      own.unknown++;
      own.dollars = undefined;
    }
    for (const { role, calls, promptTokens, completionTokens } of roles ?? []) {
      // Recorded calls are a part of the expected ones; the rest is expected to cost their mean.
      const share = Math.max(0, 1 - (done.find((row) => row.role === role)?.calls ?? 0) / calls);
      const { model, price } = priced(study, role);
      const cost = dollarsFor({
        prompt: promptTokens * share,
        cached: 0,
        completion: completionTokens * share,
        reasoning: 0,
      }, price);
      if (cost === null) unpriced.add(model);
      sums.callsToPay += calls * share;
      sums.promptTokens += promptTokens * share;
      sums.completionTokens += completionTokens * share;
      sums.dollars += cost ?? 0;
      own.dollars = cost === null || own.dollars === undefined ? undefined : own.dollars + cost;
    }
  }
  return {
    ...sums,
    study: study.id,
    planned: episodes.length,
    toPlay: episodes.length - sums.completed - sums.refused,
    refusals: [...refusals],
    callsToPay: Math.round(sums.callsToPay),
    promptTokens: Math.round(sums.promptTokens),
    completionTokens: Math.round(sums.completionTokens),
    dollars: unpriced.size === 0 && sums.unknown === 0 ? sums.dollars : undefined,
    conditions: [...conditions].map(([condition, estimate]) => ({ condition, ...estimate })),
    unpriced: [...unpriced].sort(),
  };
}

interface RoleCalls {
  readonly role: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * The mean calls, by role, of the completed episodes that an episode to play is compared with:
 * those of its own condition, where there are any;
 * `undefined` where nothing compares. Where it asks an embeddings model, only episodes that asked
 * the same one measure that; those with a lower limit of steps (`--steps`) measure nothing.
 */
function meanOf(
  store: Store,
  study: Study,
  { world, label = "", method, memory, condition, worldParams }: EpisodePlan,
  { embedder, method: played }: Identity,
  { probed, known }: {
    readonly probed: boolean;
    readonly known: Map<string, readonly RoleCalls[] | undefined>;
  },
): readonly RoleCalls[] | undefined {
  const { options = {} } = played as { readonly options?: Readonly<Record<string, unknown>> };
  const asks = endpointModelOf(String(embedder)) !== undefined;
  const limits = ["maxSteps", "explorationSteps"].filter((limit) =>
    typeof options[limit] === "number"
  );
  const like = [
    "status = 'completed' and world = ? and coalesce(label, '') = ? and method = ? and memory = ?",
    ...(asks ? ["json_extract(identity, '$.embedder') = ?"] : []),
    ...limits.map((limit) =>
      `coalesce(json_extract(identity, '$.method.options.${limit}') >= cast(? as integer), 1)`
    ),
    ...(worldParams["image"] === true
      ? ["json_extract(world_params, '$.image') and backbone not like 'offline%'"]
      : []),
  ].join(" and ");
  const values = [
    world,
    label,
    method,
    memory,
    ...(asks ? [String(embedder)] : []),
    ...limits.map((limit) => String(options[limit])),
  ];
  return known.getOrInsertComputed(JSON.stringify([like, values, condition]), () => {
    const selections: [string, string[]][] = [
      [`${like} and condition = ?`, [...values, condition]],
      [like, values],
      ...(probed
        ? [
          ["status = 'completed' and study = ? and condition = ?", [
            study.id,
            condition,
          ]] satisfies [string, string[]],
        ]
        : []),
    ];
    for (const [where, given] of selections) {
      const n = Number(
        store.prepare(`select count(*) as n from episodes where ${where}`).get(...given)?.["n"],
      );
      if (n === 0) continue;
      return callsOf(store, where, ...given).filter(({ role }) =>
        role !== EMBEDDING_ROLE || embeddingsOf(study) !== undefined
      ).map((
        row,
      ) => ({
        role: row.role,
        calls: row.calls / n,
        promptTokens: row.promptTokens / n,
        completionTokens: row.completionTokens / n,
      }));
    }
    return undefined;
  });
}

/**
 * Sums the answered calls of the episodes by role; a reply that a resumed run repeats counts once.
 */
function callsOf(store: Store, episodes: string, ...values: readonly string[]): RoleCalls[] {
  return store.prepare(
    `select role, count(*) as calls, sum(prompt) as promptTokens, sum(completion) as completionTokens from (
       select role, max(prompt_tokens) as prompt, max(completion_tokens) as completion from calls
       where kind <> 'wasted' and episode in (select id from episodes where ${episodes}) group by episode, role, key
     ) group by role`,
  ).all(...values).map((row) => ({ ...(row as unknown as RoleCalls) }));
}

function embeddingsOf({ embedder }: Study): string | undefined {
  return typeof embedder === "string" ? endpointModelOf(embedder) : undefined;
}

function priced(study: Study, role: string): { model: string; price: Price | undefined } {
  const embeddings = role === EMBEDDING_ROLE ? embeddingsOf(study) : undefined;
  if (embeddings !== undefined) return { model: embeddings, price: priceOf(embeddings) };
  const binding = bindingOf(study.models, role);
  const model = typeof binding === "string" ? binding : binding.model;
  return {
    model,
    price: (typeof binding === "string" ? undefined : binding.price) ?? priceOf(model),
  };
}
