/**
 * The models of a study: its role map with a budget over all of its episodes.
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { ModelError, UsageError } from "../errors.ts";
import { type Cap, createBudget } from "../llm/budget.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import { createEmbeddings, embeddingsProvider } from "../llm/embeddings.ts";
import { providerOf } from "../llm/providers.ts";
import { bindingOf } from "../llm/roles.ts";
import { createModels, type ModelsOptions } from "../llm/stack.ts";
import { checkoutRoot } from "../platform.ts";
import type { EmbedderContext } from "../retrieval/embedder.ts";
import { endpointModelOf } from "../retrieval/embedders.ts";
import { totalCalls } from "../store/calls.ts";
import { listEpisodes } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { rolesOf } from "./choices.ts";
import type { RunOptions } from "./runner.ts";
import type { Lane, Study } from "./study.ts";

/** Options of the models of a study. */
export interface StudyModelsOptions extends Pick<ModelsOptions, "cacheMode" | "keepCalls" | "limits" | "providers" | "clock" | "onCall"> {
  /** Where replies and calls are recorded. */
  readonly store: Store;
  /** The most that the study may spend, earlier runs included. @default no cap */
  readonly cap?: Cap;
  /** How failed calls are retried. */
  readonly retries?: ModelsOptions["retry"];
}

/** The models of a study, all under one budget. */
export interface StudyModels {
  /** Creates an episode's model: each role's by the study's map. */
  readonly models: (episode: { readonly id: string; readonly attempt: number }) => ChatModel;
  /** Opens an embeddings model for an episode. */
  readonly embeddings: NonNullable<EmbedderContext["embeddings"]>;
}

/** Returns the functions that create the models of a study's episodes. */
export function studyModels(study: Study, options: StudyModelsOptions): StudyModels {
  const { store, cap, retries, ...layers } = options;
  const { paid, wasted } = totalCalls(store, study.id);
  const budget = cap && createBudget(cap, { dollars: paid.dollars + wasted.dollars, tokens: paid.tokens + wasted.tokens });
  const common = { ...layers, store, budget, retry: retries };
  const { models: map, knobs } = study;
  return {
    models: ({ id, attempt }) => createModels({ ...common, map, knobs, codeVersion: codeVersion(), episode: id, attempt }),
    embeddings: (model, episode) => createEmbeddings(model, { ...common, ...episode, codeVersion: codeVersion() }),
  };
}

/**
 * Checks before a study is played that its models can be called: every role is bound, every offline model exists and, unless replies are only
 * replayed, every other model has a key and an address. Nothing is sent. Episodes that would not be played now need no model.
 *
 * @throws {UsageError} with the model or role and the remedy.
 */
export function checkModels(
  study: Study,
  options: Pick<StudyModelsOptions, "store" | "cacheMode" | "providers"> & Pick<RunOptions, "retry">,
): void {
  const episodes = lanesToPlay(study, options).flatMap((lane) => lane.episodes);
  const context = { attempt: 1, knobs: study.knobs };
  try {
    const bindings = new Set([...new Set(episodes.flatMap(rolesOf))].map((role) => bindingOf(study.models, role)));
    if (options.cacheMode === "replay") return;
    for (const binding of bindings) {
      const { model, ...endpoint } = typeof binding === "string" ? { model: binding } : binding;
      providerOf(model, endpoint, options.providers).check?.(model, endpoint, context);
    }
    const embeddings = typeof study.embedder === "string" ? endpointModelOf(study.embedder) : undefined;
    if (embeddings !== undefined && episodes.length > 0) embeddingsProvider.check?.(embeddings, {}, context);
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof UsageError)) throw error;
    throw new UsageError(`cannot play the study ${study.id}: ${error.message}`, { cause: error });
  }
}

/** The lanes that a run would play: not those that are completed, nor without `retry` those that failed or wait for one that failed. */
function lanesToPlay(
  { id, lanes }: Study,
  { store, retry = false }: Pick<StudyModelsOptions, "store"> & Pick<RunOptions, "retry">,
): Lane[] {
  const rows = Map.groupBy(listEpisodes(store, { study: id }), ({ lane }) => lane);
  const stuck = new Set<string>();
  return lanes.filter((lane) => {
    const played = rows.get(lane.id) ?? [];
    const isOver = played.filter(({ status }) => status === "completed").length >= lane.episodes.length;
    const isStuck = !retry && (played.some(({ status }) => status === "failed") || (lane.after !== undefined && stuck.has(lane.after)));
    if (isStuck) stuck.add(lane.id);
    return !isOver && !isStuck;
  });
}

let version: string | undefined;

/** Finds the version of the code that is recorded with replies: the commit of the checkout, with `+` where tracked files differ from it; `unversioned` outside of a repository. */
function codeVersion(): string {
  return version ??= read();
}

function read(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", checkoutRoot(), ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("rev-parse", "--short=12", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+");
  } catch {
    return "unversioned";
  }
}
