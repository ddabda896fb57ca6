/** The models of a study: its role map with a budget over all of its episodes. */

import { ModelError, UsageError } from "../core/errors.ts";
import { type Budget, type Cap, createBudget } from "./llm/budget.ts";
import type { ChatModel } from "../core/llm/chat-model.ts";
import { createEmbeddings, embeddingsProvider } from "./llm/embeddings.ts";
import { isLocal, priceOf } from "../core/llm/prices.ts";
import type { ServedModel } from "../core/llm/provider.ts";
import { providerOf, rememberKeys } from "../core/llm/providers.ts";
import { checkRoleMap } from "../core/llm/role-map.ts";
import { bindingOf, type ModelBinding } from "../core/llm/roles.ts";
import type { AdaptiveLimiter } from "../core/llm/limit.ts";
import { limitersOf } from "./llm/endpoint-limits.ts";
import { createModels, type ModelsOptions } from "./llm/stack.ts";
import { checkoutRoot, loadModule } from "../core/platform.ts";
import type { EmbedderContext } from "../core/retrieval/embedder.ts";
import { endpointModelOf } from "../core/retrieval/embedders.ts";
import { chargedCalls, roleHistory } from "./store/calls.ts";
import { listPositions } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { rolesOf } from "./choices.ts";
import type { ChainCount, RunOptions } from "./run-options.ts";
import type { EpisodeChain, Study } from "./study.ts";

/** Options of the models of a study. */
export interface StudyModelsOptions extends
  Pick<
    ModelsOptions,
    "cacheMode" | "keepCalls" | "limits" | "providers" | "clock" | "onCall" | "onNotice"
  > {
  /** Where replies and calls are recorded. */
  readonly store: Store;
  /** The most that the study may spend, earlier runs included. @default no cap */
  readonly cap?: Cap;
  /** How failed calls are retried. */
  readonly retries?: ModelsOptions["retry"];
  /**
   * Requests in flight at each endpoint whose binding names no `concurrency`, ≥ 1; `auto` starts
   * with 8 and finds how many an endpoint takes.
   * @default {"auto"}
   */
  readonly inFlight?: number | "auto";
}

export interface StudyModels {
  readonly models: (
    episode: { readonly id: string; readonly attempt: number } & Pick<ModelsOptions, "onEvent">,
  ) => ChatModel;
  readonly embeddings: NonNullable<EmbedderContext["embeddings"]>;
  /** The chains that keep the study's endpoints busy; `undefined` without an endpoint. */
  readonly chains: ChainCount | undefined;
}

/** Chains for each request in flight: while one waits for its answer, another's world steps. */
const CHAINS_PER_REQUEST = 5 / 4;

/** Returns the functions that create the models of a study's episodes. */
export function studyModels(
  study: Study,
  options: StudyModelsOptions & Pick<RunOptions, "retry">,
): StudyModels {
  const { store, cap, retries, retry: _, inFlight = "auto", limits, ...others } = options;
  const layers = { ...others, limits: { concurrency: inFlight, ...limits } };
  let budget: Budget | undefined;
  // Read at the first episode: a run records what an earlier one left open before.
  const budgetOf = (limits: Cap): Budget =>
    budget ??= createBudget(limits, chargedCalls(store, study.id), roleHistory(store, study.id));
  const common = (): Pick<ModelsOptions, "store" | "budget" | "retry"> & typeof layers => (
    { ...layers, store, budget: cap && budgetOf(cap), retry: retries }
  );
  const { models: map, modelOptions } = study;
  return {
    models: ({ id, ...episode }) =>
      createModels({
        ...common(),
        map,
        modelOptions,
        codeVersion: codeVersion(),
        episode: id,
        ...episode,
      }),
    embeddings: (model, episode) =>
      createEmbeddings(model, { ...common(), ...episode, codeVersion: codeVersion() }),
    chains: layers.cacheMode === "replay" ? undefined : chainsFor(
      limitersOf(bindingsOfChains(study, chainsToPlay(study, options)), {
        ...layers,
        store,
        modelOptions,
      }),
    ),
  };
}

function chainsFor(limiters: readonly AdaptiveLimiter[]): ChainCount | undefined {
  if (limiters.length === 0) return undefined;
  return {
    now: () => Math.ceil(CHAINS_PER_REQUEST * limiters.reduce((sum, { limit }) => sum + limit, 0)),
    onGrowth: (listener) => {
      const stops = limiters.map((limiter) => limiter.onGrowth(listener));
      return () => stops.forEach((stop) => stop());
    },
  };
}

function bindingsOfChains({ models }: Study, chains: readonly EpisodeChain[]): Set<ModelBinding> {
  return new Set(
    [...new Set(chains.flatMap(({ episodes }) => episodes.flatMap(rolesOf)))].map((role) =>
      bindingOf(models, role)
    ),
  );
}

/**
 * Checks before a study is played that its models can be called: every role is bound, and every
 * model has a key and an address (unless replies are only replayed), and a price or a cap in tokens
 * unless it is served nearby. Nothing is sent. Episodes that would not be played now need no model.
 * @throws {UsageError} with the model or role and the remedy.
 */
export function checkModels(
  study: Study,
  options:
    & Pick<StudyModelsOptions, "store" | "cacheMode" | "providers" | "cap">
    & Pick<RunOptions, "retry">,
): void {
  checkRoleMap(study.models, `of the study ${study.id}`);
  rememberKeys(study.models); // before the study is recorded
  const chains = chainsToPlay(study, options);
  const context = { attempt: 1, modelOptions: study.modelOptions };
  try {
    const bindings = bindingsOfChains(study, chains);
    if (options.cacheMode === "replay") return;
    for (const binding of bindings) {
      const { model, ...endpoint } = typeof binding === "string" ? { model: binding } : binding;
      const provider = providerOf(model, endpoint, options.providers);
      provider.check?.(model, endpoint, context);
      checkPrice(model, provider.open(model, endpoint, context), options.cap);
    }
    const embeddings = typeof study.embedder === "string"
      ? endpointModelOf(study.embedder)
      : undefined;
    if (embeddings !== undefined && chains.length > 0) {
      embeddingsProvider.check?.(embeddings, {}, context);
      checkPrice(
        embeddings,
        embeddingsProvider.open(embeddings, {}, context),
        options.cap,
        CAP_TOKENS,
      );
    }
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    throw new UsageError(`cannot play the study ${study.id}: ${error.message}`, { cause: error });
  }
}

/** The remedy of an embeddings model, which no role map names, and the second one of all others. */
const CAP_TOKENS = "cap tokens with --budget tokens:N";

/** @throws {UsageError} for a model elsewhere without a price and without a cap in tokens. */
function checkPrice(
  model: string,
  { host, price }: Pick<ServedModel, "host" | "price">,
  { dollars, tokens }: Cap = {},
  remedy = `give it a "price" (dollars per million tokens) in the role map, or ${CAP_TOKENS}`,
): void {
  const listed = isLocal(model) && host !== model ? undefined : priceOf(model); // served elsewhere under a local model's name
  if (
    host === undefined || (price ?? listed) !== undefined ||
    (tokens !== undefined && dollars === undefined)
  ) return;
  if (dollars === undefined && isNear(host)) return;
  throw new UsageError(
    dollars === undefined
      ? `no price is known for ${model} at ${host}: ${remedy}`
      : `a cap in dollars needs a price, and ${model} at ${host} has none: ${remedy}`,
  );
}

function isNear(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[|\]$/g, "").toLowerCase();
  return !/[.:]/.test(name) || NEAR.test(name);
}

const NEAR =
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$|^(::1|f[cde][\da-f]{2}:.*)$|\.(localhost|local|lan|internal|intranet|home|home\.arpa)$/;

/**
 * One line for each binding with parameters without effect, e.g. a seed where an API takes none.
 */
export async function ineffectiveParameters(
  study: Study,
  options:
    & Pick<StudyModelsOptions, "store" | "cacheMode" | "providers">
    & Pick<RunOptions, "retry">,
): Promise<string[]> {
  if (options.cacheMode === "replay") return [];
  const played = bindingsOfChains(study, chainsToPlay(study, options));
  const lines = await Promise.all(
    Object.entries(study.models).map(async ([role, binding]) => {
      if (typeof binding === "string" || !played.has(binding)) return [];
      const { model, ...endpoint } = binding;
      const fields =
        await providerOf(model, endpoint, options.providers).ignores?.(model, endpoint) ?? [];
      if (fields.length === 0) return [];
      return [
        `${fields.join(", ")} ${fields.length === 1 ? "has" : "have"} no effect on ${model} (${
          role === "*" ? "every role" : role
        })`,
      ];
    }),
  );
  return lines.flat();
}

/** The chains a run would play: not completed, and without `retry` not behind a failed episode. */
function chainsToPlay(
  { id, chains }: Study,
  { store, retry = false }: Pick<StudyModelsOptions, "store"> & Pick<RunOptions, "retry">,
): EpisodeChain[] {
  const rows = Map.groupBy(listPositions(store, id), ({ chain }) => chain);
  const stuck = new Set<string>();
  return chains.filter((chain) => {
    const played = rows.get(chain.id) ?? [];
    const isOver = played.filter(({ status }) =>
      status === "completed"
    ).length >= chain.episodes.length;
    const isStuck = !retry &&
      (played.some(({ status }) => status === "failed") ||
        (chain.after !== undefined && stuck.has(chain.after)));
    if (isStuck) stuck.add(chain.id);
    return !isOver && !isStuck;
  });
}

let version: string | undefined;

/** The commit of the checkout, `+` where files differ from it; `unversioned` outside of one. */
export function codeVersion(): string {
  return version ??= read();
}

function read(): string {
  const { execFileSync } = loadModule<typeof import("node:child_process")>("node:child_process");
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", checkoutRoot(), ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    return git("rev-parse", "--short=12", "HEAD") +
      (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+");
  } catch {
    return "unversioned";
  }
}
