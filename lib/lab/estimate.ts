/**
 * What a study will cost, before it is played.
 *
 * @module
 */

import { dollarsFor, type Price, priceOf } from "../llm/prices.ts";
import { bindingOf } from "../llm/roles.ts";
import { type EpisodePlan, findEpisode } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { type Place, planOf } from "./plan.ts";
import type { Study } from "./study.ts";

/** What is known of a study before it is played. */
export interface Estimate {
  readonly study: string;
  readonly planned: number;
  readonly completed: number;
  /** Episodes that a run would begin or resume. */
  readonly toPlay: number;
  /** Answers on record for the study's episodes: they are not paid again. */
  readonly callsRecorded: number;
  /** Of the episodes still to play, as far as comparable ones are on record. */
  readonly callsToPay: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** US dollars; absent if a model has no price. */
  readonly dollars?: number;
  /** Models without a price. */
  readonly unpriced: readonly string[];
  /** Episodes to play that nothing on record compares with: the numbers above leave them out. */
  readonly unknown: number;
}

/**
 * Prices a study. Calls and tokens of an episode still to play are the mean of completed ones with the same world, method and memory,
 * whatever model answered them: the offline backbone is asked the same prompts, so that a free run prices a dear one. Prices know no
 * discount for cached prompts.
 */
export function estimateStudy(store: Store, study: Study, places: readonly Place[]): Estimate {
  let [completed, recorded, toPay, prompt, completion, dollars, unknown] = [0, 0, 0, 0, 0, 0, 0];
  const unpriced = new Set<string>();
  for (const place of places) {
    const plan = planOf(study, place, place.ordinal === 0 ? place.lane.artefact : undefined);
    const done = callsOf(store, "id = ?", plan.id);
    recorded += sum(done, "calls");
    if (findEpisode(store, plan.id)?.status === "completed") {
      completed++;
      continue;
    }
    const expected = comparable(store, plan);
    if (expected.length === 0) unknown++;
    for (const { role, calls, promptTokens, completionTokens } of expected) {
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
  }
  return {
    study: study.id,
    planned: places.length,
    completed,
    toPlay: places.length - completed,
    callsRecorded: recorded,
    callsToPay: Math.round(toPay),
    promptTokens: Math.round(prompt),
    completionTokens: Math.round(completion),
    ...(unpriced.size === 0 ? { dollars } : {}),
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

/** The mean completed episode of the same kind, by role. */
function comparable(store: Store, plan: EpisodePlan): RoleCalls[] {
  const like = "status = 'completed' and world = ? and coalesce(label, '') = ? and method = ? and memory = ?";
  const values = [plan.world, plan.label ?? "", plan.method, plan.memory];
  const n = Number(store.prepare(`select count(*) as n from episodes where ${like}`).get(...values)?.n);
  return callsOf(store, like, ...values).map(({ role, calls, promptTokens, completionTokens }) => ({
    role,
    calls: calls / n,
    promptTokens: promptTokens / n,
    completionTokens: completionTokens / n,
  }));
}

/** Answered calls of the episodes, by role; an answer that a resumed run was given again counts once. */
function callsOf(store: Store, episodes: string, ...values: string[]): RoleCalls[] {
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
