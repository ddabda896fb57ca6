/**
 * What a study will cost, before it is played.
 *
 * @module
 */

import { mean, sampleVariance } from "simple-statistics";
import { dollarsFor, type Price, priceOf } from "../llm/prices.ts";
import { bindingOf } from "../llm/roles.ts";
import { type EpisodePlan, findEpisode } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { tQuantile } from "../stats/distributions.ts";
import { planOf, type ResolvedEpisode } from "./plan.ts";
import type { Study } from "./study.ts";

/** What is known of a study before it is played. */
export interface Estimate {
  /** Its id. */
  readonly study: string;
  /** Episodes of the study. */
  readonly planned: number;
  /** Episodes with a score. */
  readonly completed: number;
  /** Episodes that a run would begin or resume. */
  readonly toPlay: number;
  /** Episodes of broken games: a run would write them down as failed. */
  readonly refused: number;
  /** Why, each reason once. */
  readonly refusals: readonly string[];
  /** Answers on record for the study's episodes: they are not paid again. */
  readonly callsRecorded: number;
  /** Of the episodes still to play, as far as comparable ones are on record. */
  readonly callsToPay: number;
  /** Of the calls to pay. */
  readonly promptTokens: number;
  /** Of the calls to pay. */
  readonly completionTokens: number;
  /** US dollars; absent if a model has no price. */
  readonly dollars?: number;
  /**
   * Where the dollars will lie with 95 % probability, as far as episodes of a kind differ; absent where no kind has two on record. It takes
   * answers to be as long as those on record, whoever gave them.
   */
  readonly interval?: { readonly low: number; readonly high: number };
  /** Models without a price. */
  readonly unpriced: readonly string[];
  /** Episodes to play that nothing on record compares with: the numbers above leave them out. */
  readonly unknown: number;
}

/**
 * Prices a study. Calls and tokens of an episode still to play are the mean of completed ones of the same world and condition (where there
 * are none: of the same world, method and memory), whatever model answered them: the offline backbone is asked the same prompts, so that a
 * free run prices a dear one. Prices know no discount for cached prompts.
 */
export function estimateStudy(store: Store, study: Study, episodes: readonly ResolvedEpisode[]): Estimate {
  let [completed, refused, recorded, toPay, prompt, completion, dollars, unknown] = [0, 0, 0, 0, 0, 0, 0, 0];
  const refusals = new Set<string>();
  const unpriced = new Set<string>();
  const kinds = new Map<string, Kind>();
  for (const resolved of episodes) {
    const plan = planOf(study, resolved, resolved.ordinal === 0 ? resolved.lane.artefact : undefined);
    const done = callsOf(store, "id = ?", plan.id);
    recorded += sum(done, "calls");
    if (findEpisode(store, plan.id)?.status === "completed") {
      completed++;
      continue;
    }
    if (resolved.refusal) {
      refused++;
      refusals.add(resolved.refusal.message);
      continue;
    }
    const { like, values } = kindOf(store, plan);
    const kind = kinds.getOrInsertComputed(JSON.stringify(values), () => measured(store, study, { like, values }));
    if (kind.costs.length === 0) unknown++;
    for (const { role, calls, promptTokens, completionTokens } of kind.roles) {
      // What is on record already is a part of the expected; the rest costs the mean of it.
      const share = Math.max(0, 1 - (done.find((row) => row.role === role)?.calls ?? 0) / calls);
      const { model, price } = priced(study, role);
      const usage = { prompt: promptTokens * share, cached: 0, completion: completionTokens * share, reasoning: 0 };
      const cost = dollarsFor(usage, price);
      if (cost === null) unpriced.add(model);
      toPay += calls * share;
      prompt += usage.prompt;
      completion += usage.completion;
      dollars += cost ?? 0;
    }
    kind.toPlay++;
  }
  const margin = unpriced.size === 0 ? marginOf([...kinds.values()]) : undefined;
  return {
    study: study.id,
    planned: episodes.length,
    completed,
    toPlay: episodes.length - completed - refused,
    refused,
    refusals: [...refusals],
    callsRecorded: recorded,
    callsToPay: Math.round(toPay),
    promptTokens: Math.round(prompt),
    completionTokens: Math.round(completion),
    ...(unpriced.size === 0 ? { dollars } : {}),
    ...(margin === undefined ? {} : { interval: { low: Math.max(0, dollars - margin), high: dollars + margin } }),
    unpriced: [...unpriced].sort(),
    unknown,
  };
}

interface RoleCalls {
  readonly role: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Episodes that cost alike. */
interface Kind {
  /** The mean completed episode, by role; empty where there is none, or where it asked no model. */
  readonly roles: readonly RoleCalls[];
  /** US dollars that each completed one would have cost at the study's prices; empty where there is none. */
  readonly costs: readonly number[];
  toPlay: number;
}

/** Which completed episodes an episode to play is compared with: those of its own condition, where there are any. */
function kindOf(store: Store, plan: EpisodePlan): { readonly like: string; readonly values: string[] } {
  const like = "status = 'completed' and world = ? and coalesce(label, '') = ? and method = ? and memory = ?";
  const values = [plan.world, plan.label ?? "", plan.method, plan.memory];
  const own = { like: `${like} and condition = ?`, values: [...values, plan.condition] };
  return store.prepare(`select 1 from episodes where ${own.like} limit 1`).get(...own.values) ? own : { like, values };
}

function measured(store: Store, study: Study, { like, values }: { readonly like: string; readonly values: readonly string[] }): Kind {
  const ids = store.prepare(`select id from episodes where ${like}`).all(...values).map(({ id }) => String(id));
  const roles = callsOf(store, like, ...values).map(({ role, calls, promptTokens, completionTokens }) => ({
    role,
    calls: calls / ids.length,
    promptTokens: promptTokens / ids.length,
    completionTokens: completionTokens / ids.length,
  }));
  const costs = ids.map((id) =>
    callsOf(store, "id = ?", id).reduce((total, { role, promptTokens, completionTokens }) => {
      const usage = { prompt: promptTokens, cached: 0, completion: completionTokens, reasoning: 0 };
      return total + (dollarsFor(usage, priced(study, role).price) ?? 0);
    }, 0)
  );
  return { roles, costs, toPlay: 0 };
}

/**
 * Half the width of the 95 % prediction interval of the sum: each kind's k episodes to play vary by k·s², the mean of the n on record that
 * they are priced by by k²·s²/n. A kind with one on record takes the pooled relative spread of the others; none at all, no interval.
 */
function marginOf(kinds: readonly Kind[]): number | undefined {
  const spread = kinds.filter(({ costs }) => costs.length > 1).map(({ costs }) => ({
    df: costs.length - 1,
    mean: mean(costs),
    variance: sampleVariance([...costs]),
  }));
  const df = spread.reduce((total, one) => total + one.df, 0);
  if (df === 0) return undefined;
  const relative = spread.reduce((total, one) => total + one.df * (one.mean > 0 ? one.variance / one.mean ** 2 : 0), 0) / df;
  const variance = kinds.filter(({ costs }) => costs.length > 0).reduce((total, { costs, toPlay }) => {
    const own = costs.length > 1 ? sampleVariance([...costs]) : relative * mean(costs) ** 2;
    return total + own * (toPlay + toPlay ** 2 / costs.length);
  }, 0);
  return tQuantile(0.975, df) * Math.sqrt(variance);
}

/** Answered calls of the episodes, by role; an answer that a resumed run was given again counts once. */
function callsOf(store: Store, episodes: string, ...values: readonly string[]): RoleCalls[] {
  return store.prepare(
    `select role, count(*) as calls, sum(prompt) as promptTokens, sum(completion) as completionTokens from (
       select role, max(prompt_tokens) as prompt, max(completion_tokens) as completion from calls
       where kind <> 'wasted' and episode in (select id from episodes where ${episodes}) group by episode, role, key
     ) group by role`,
  ).all(...values).map((row) => ({ ...(row as unknown as RoleCalls) }));
}

function priced(study: Study, role: string): { model: string; price: Price | undefined } {
  const binding = bindingOf(study.models, role);
  const model = typeof binding === "string" ? binding : binding.model;
  return { model, price: (typeof binding === "string" ? undefined : binding.price) ?? priceOf(model) };
}

function sum(rows: readonly RoleCalls[], field: "calls"): number {
  return rows.reduce((total, row) => total + row[field], 0);
}
