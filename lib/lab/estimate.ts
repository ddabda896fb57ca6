/** Estimates the cost of a study before it is played. */

import { mean, sampleVariance } from "simple-statistics";
import { dollarsFor, type Price, priceOf } from "../core/llm/prices.ts";
import { bindingOf } from "../core/llm/roles.ts";
import { endpointModelOf } from "../core/retrieval/embedders.ts";
import { type EpisodePlan, findEpisode } from "./store/episodes.ts";
import { EMBEDDING_ROLE } from "./store/costs.ts";
import type { Store } from "./store/open.ts";
import { tQuantile } from "../core/stats/distributions.ts";
import { countPictures, IS_SEEN, type Selection } from "./estimate-pictures.ts";
import { planOf, type ResolvedEpisode } from "./plan.ts";
import type { Identity } from "./identity.ts";
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
  /** Expected pictures in the calls to pay; the prompt tokens hold theirs, but for models of which it is not known how many a picture takes. */
  readonly pictures: number;
  /** Expected US dollars; absent if a model or its pictures have no price, or an episode nothing to compare it with: a part of the sum is no price. */
  readonly dollars?: number;
  /** The same by condition, in the order of the study. */
  readonly conditions: readonly ConditionEstimate[];
  /**
   * The 95 % prediction interval of the dollars, from the spread among comparable episodes; absent where no kind has two on record. It assumes
   * replies as long as the recorded ones, whichever model gave them.
   */
  readonly interval?: { readonly low: number; readonly high: number };
  /** The models without a price, sorted. */
  readonly unpriced: readonly string[];
  /** The models of which it is not known how many tokens a picture takes, where they are to be shown any; sorted. */
  readonly unpricedPictures: readonly string[];
  /** Number of episodes to play without a comparable recorded one; the numbers above leave them out. */
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
  /** Expected US dollars; absent if a model has no price, or an episode nothing to compare it with. */
  readonly dollars?: number;
}

/** Options of `estimateStudy`. */
export interface EstimateOptions {
  /**
   * Whether one episode of each condition was played as a probe: an episode without a comparable one is then expected to take what those of its
   * condition took in any world, and where no kind was played twice, the spread is that among all that were played. @default {false}
   */
  readonly probed?: boolean;
}

/**
 * Estimates the cost of a study. An episode to play is expected to take the mean calls and tokens of the completed ones of the same world and
 * condition (if there are none: of the same world, method and memory), whichever model replied: the offline backbone is asked the same prompts,
 * so that a free run prices a paid one. Discounts for cached prompts are not assumed.
 */
export function estimateStudy(
  store: Store,
  study: Study,
  episodes: readonly ResolvedEpisode[],
  { probed = false }: EstimateOptions = {},
): Estimate {
  let [completed, refused, recorded, toPay, prompt, completion, pictures, dollars, unknown] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let inText = 0; // dollars without those of pictures that no comparable episode was shown
  const refusals = new Set<string>();
  const unpriced = new Set<string>();
  const unpricedPictures = new Set<string>();
  const kinds = new Map<string, Kind>();
  const conditions = new Map<string, { toPlay: number; unknown: number; dollars: number | undefined }>();
  for (const resolved of episodes) {
    const plan = planOf(study, resolved, resolved.ordinal === 0 ? resolved.lane.artefact : undefined);
    const done = callsOf(store, "id = ?", plan.id);
    recorded += done.reduce((total, { calls }) => total + calls, 0);
    if (findEpisode(store, plan.id)?.status === "completed") {
      completed++;
      continue;
    }
    if (resolved.refusal) {
      refused++;
      refusals.add(resolved.refusal.message);
      continue;
    }
    const { like, values } = kindOf(store, plan, resolved.identity, probed);
    const kind = kinds.getOrInsertComputed(JSON.stringify(values), () => measured(store, study, { like, values }));
    const own = conditions.getOrInsertComputed(plan.condition, () => ({ toPlay: 0, unknown: 0, dollars: 0 }));
    own.toPlay++;
    if (kind.costs.length === 0) {
      unknown++;
      own.unknown++;
      own.dollars = undefined;
    }
    const picturesPerCall = plan.worldParams["image"] === true ? countPictures(store, resolved, { like, values }) : undefined;
    for (const { role, calls, promptTokens, completionTokens } of kind.roles) {
      // Recorded calls are a part of the expected ones; the rest is expected to cost their mean.
      const share = Math.max(0, 1 - (done.find((row) => row.role === role)?.calls ?? 0) / calls);
      const { model, price } = priced(study, role);
      const { shown = 0, uncounted = 0 } = picturesPerCall?.(role) ?? {};
      const unheard = price?.picture === undefined ? 0 : calls * uncounted * price.picture;
      const usage = { prompt: (promptTokens + unheard) * share, cached: 0, completion: completionTokens * share, reasoning: 0 };
      const isBlind = uncounted > 0 && share > 0 && price !== undefined && price.picture === undefined;
      const cost = isBlind ? null : dollarsFor(usage, price);
      if (price === undefined) unpriced.add(model);
      if (isBlind) unpricedPictures.add(model);
      inText += dollarsFor({ ...usage, prompt: promptTokens * share }, price) ?? 0;
      toPay += calls * share;
      prompt += usage.prompt;
      completion += usage.completion;
      pictures += calls * share * shown;
      dollars += cost ?? 0;
      own.dollars = cost === null || own.dollars === undefined ? undefined : own.dollars + cost;
    }
    kind.toPlay++;
  }
  const isWhole = unpriced.size === 0 && unpricedPictures.size === 0 && unknown === 0;
  const spread = isWhole ? marginOf([...kinds.values()], probed) : undefined;
  const margin = spread === undefined ? undefined : spread * (inText > 0 ? dollars / inText : 1);
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
    pictures: Math.round(pictures),
    dollars: isWhole ? dollars : undefined,
    conditions: [...conditions].map(([condition, estimate]) => ({ condition, ...estimate })),
    interval: margin === undefined ? undefined : { low: Math.max(0, dollars - margin), high: dollars + margin },
    unpriced: [...unpriced].sort(),
    unpricedPictures: [...unpricedPictures].sort(),
    unknown,
  };
}

interface RoleCalls {
  readonly role: string;
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Episodes with the same expected cost. */
interface Kind {
  /** Mean calls of the completed episodes, by role; empty where there are none. */
  readonly roles: readonly RoleCalls[];
  /** US dollars of each completed episode at the study's prices. */
  readonly costs: readonly number[];
  toPlay: number;
}

/**
 * Selects the completed episodes that an episode to play is compared with: those of its own condition, where there are any. Where it asks an
 * embeddings model, only episodes that asked the same one measure that. Those with a lower limit of steps (`--steps`) measure nothing, where it
 * cut one of them short. Where its world gives pictures, those that were played with pictures go first.
 */
function kindOf(store: Store, plan: EpisodePlan, { embedder, method }: Identity, probed: boolean): Selection {
  const isSeen = plan.worldParams["image"] === true;
  const isFound = ({ like, values }: Selection): boolean =>
    store.prepare(`select 1 from episodes where ${like} limit 1`).get(...values) !== undefined;
  const asks = endpointModelOf(String(embedder)) !== undefined;
  const { options = {} } = method as { readonly options?: Readonly<Record<string, unknown>> };
  const limits = LIMITS.map((limit) => String(options[limit] ?? Number.MAX_SAFE_INTEGER));
  const all = "status = 'completed' and world = ? and coalesce(label, '') = ? and method = ? and memory = ?" +
    (asks ? " and json_extract(identity, '$.embedder') = ?" : "");
  const given = [plan.world, plan.label ?? "", plan.method, plan.memory, ...(asks ? [String(embedder)] : [])];
  const isCut = isFound({ like: `${all} and ${IS_SHORTER} and ${IS_USED_UP}`, values: [...given, ...limits] });
  const like = isCut ? `${all} and not ${IS_SHORTER}` : all;
  const values = isCut ? [...given, ...limits] : given;
  const own = { like: `${like} and condition = ?`, values: [...values, plan.condition] };
  const sameWorld = { like, values };
  const sameStudy = { like: "status = 'completed' and study = ? and condition = ?", values: [plan.study, plan.condition] };
  const seen = isSeen ? [own, ...(probed ? [sameStudy] : [])].map((one) => ({ ...one, like: `${one.like} and ${IS_SEEN}` })) : [];
  return [...seen, own, sameWorld, ...(probed ? [sameStudy] : [])].find(isFound) ?? sameWorld;
}

/** The options of methods that limit steps, and where a recorded episode has them. */
const LIMITS = ["maxSteps", "explorationSteps"];
const [MOST, EXPLORED] = LIMITS.map((limit) => `json_extract(identity, '$.method.options.${limit}')`);
/** Whether a recorded episode has a lower limit than those given, and whether its steps used it up; an exploration always does. */
const IS_SHORTER = `(coalesce(${MOST} < cast(? as integer), 0) or coalesce(${EXPLORED} < cast(? as integer), 0))`;
const IS_USED_UP = `(coalesce(steps >= ${MOST}, 0) or ${EXPLORED} is not null)`;

function measured(store: Store, study: Study, { like, values }: Selection): Kind {
  const ids = store.prepare(`select id from episodes where ${like}`).all(...values).map(({ id }) => String(id));
  const roles = callsOf(store, like, ...values).filter(({ role }) => isAsked(study, role)).map((
    { role, calls, promptTokens, completionTokens },
  ) => ({
    role,
    calls: calls / ids.length,
    promptTokens: promptTokens / ids.length,
    completionTokens: completionTokens / ids.length,
  }));
  const costs = ids.map((id) =>
    callsOf(store, "id = ?", id).filter(({ role }) => isAsked(study, role)).reduce((total, { role, promptTokens, completionTokens }) => {
      const usage = { prompt: promptTokens, cached: 0, completion: completionTokens, reasoning: 0 };
      return total + (dollarsFor(usage, priced(study, role).price) ?? 0);
    }, 0)
  );
  return { roles, costs, toPlay: 0 };
}

/**
 * Computes half the width of the 95 % prediction interval of the sum. The k episodes to play of a kind have the variance k·s², the mean of the n
 * recorded ones adds k²·s²/n. A kind with one recorded episode has the pooled relative variance of the others; `undefined` if there is no other,
 * unless `probed` is set: then it is that of all recorded episodes together, which is mostly larger.
 */
function marginOf(kinds: readonly Kind[], probed: boolean): number | undefined {
  const repeated = kinds.map(({ costs }) => costs).filter((costs) => costs.length > 1);
  const each = [...new Set(kinds.flatMap(({ costs }) => costs))]; // an episode may measure several kinds
  const spread = (repeated.length === 0 && probed && each.length > 1 ? [each] : repeated).map((costs) => ({
    df: costs.length - 1,
    mean: mean([...costs]),
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

/** Sums the answered calls of the episodes by role; a reply that a resumed run repeats counts once. */
function callsOf(store: Store, episodes: string, ...values: readonly string[]): RoleCalls[] {
  return store.prepare(
    `select role, count(*) as calls, sum(prompt) as promptTokens, sum(completion) as completionTokens from (
       select role, max(prompt_tokens) as prompt, max(completion_tokens) as completion from calls
       where kind <> 'wasted' and episode in (select id from episodes where ${episodes}) group by episode, role, key
     ) group by role`,
  ).all(...values).map((row) => ({ ...(row as unknown as RoleCalls) }));
}

/** The embeddings model of a study, if it has one. */
function embeddingsOf({ embedder }: Study): string | undefined {
  return typeof embedder === "string" ? endpointModelOf(embedder) : undefined;
}

/** Whether a study asks what a recorded episode asked in this role: its embedder may be another one. */
function isAsked(study: Study, role: string): boolean {
  return role !== EMBEDDING_ROLE || embeddingsOf(study) !== undefined;
}

function priced(study: Study, role: string): { model: string; price: Price | undefined } {
  const embeddings = role === EMBEDDING_ROLE ? embeddingsOf(study) : undefined;
  if (embeddings !== undefined) return { model: embeddings, price: priceOf(embeddings) };
  const binding = bindingOf(study.models, role);
  const model = typeof binding === "string" ? binding : binding.model;
  const listed = priceOf(model);
  const price = (typeof binding === "string" ? undefined : binding.price) ?? listed;
  return { model, price: price && { ...price, picture: price.picture ?? listed?.picture } };
}
