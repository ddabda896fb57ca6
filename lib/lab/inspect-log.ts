/**
 * Studies in the log format of Inspect (`inspect_ai`, version 2), for its viewer and its data
 * frames: a sample for each completed episode, with observations as the user's and actions as the
 * assistant's messages, an event for each observation and its answer, the normalised score, and
 * tokens by model.
 */

import { excludeBroken } from "./store/damage.ts";
import { type EpisodeRecord, listEpisodes } from "./store/episodes.ts";
import { EMBEDDING_ROLE } from "./store/costs.ts";
import type { Store } from "./store/open.ts";
import { getStudy } from "./store/studies.ts";
import { listTurns } from "./store/turns.ts";
import { digestOf } from "./digest.ts";

/**
 * The completed episodes of a study as an `EvalLog`, JSON-able. An attempt is an epoch. Inspect
 * reads the fields in this order.
 */
export function inspectLog(
  store: Store,
  study: string,
): { readonly eval: { readonly created: string } } {
  excludeBroken(store, study); // first
  const metadata = { study, digest: digestOf(store, study) };
  const episodes = listEpisodes(store, { study }).filter(({ status }) => status === "completed");
  const planned = listEpisodes(store, { study }).length;
  const samples = episodes.map((episode) => sampleOf(store, episode));
  const { title = study } = (getStudy(store, study) ?? {}) as { readonly title?: string };
  const values = episodes.map(normalised);
  const mean = values.length === 0
    ? 0
    : values.reduce((sum, value) => sum + value, 0) / values.length;
  const times = episodes.flatMap(({ startedAt, finishedAt }) => [startedAt ?? 0, finishedAt ?? 0]);
  const [first, last] = times.length === 0 ? [0, 0] : [Math.min(...times), Math.max(...times)];
  const ids = [...new Set(samples.map(({ id }) => id))];
  const log = {
    version: 2,
    status: "success",
    eval: {
      created: new Date(first).toISOString(),
      eval_id: study,
      task: study,
      task_version: 0,
      task_description: title,
      dataset: { name: study, samples: ids.length, sample_ids: ids },
      model: episodes[0]?.backbone ?? "none",
      metadata,
      config: { epochs: Math.max(1, ...episodes.map(({ attempt }) => attempt)) },
    },
    plan: { name: "plan", steps: [] },
    results: {
      total_samples: planned,
      completed_samples: episodes.length,
      scores: [{ name: SCORER, scorer: SCORER, metrics: { mean: { name: "mean", value: mean } } }],
    },
    stats: {
      started_at: new Date(first).toISOString(),
      completed_at: new Date(last).toISOString(),
    },
    samples,
  };
  return log;
}

const SCORER = "normalised_score";

function sampleOf(store: Store, episode: EpisodeRecord): { readonly id: string } {
  const {
    id,
    chain,
    ordinal,
    world,
    label,
    condition,
    method,
    memory,
    attempt,
    seed,
    passes = [],
  } = episode;
  const turns = listTurns(store, id);
  const said = turns.map(({ action, observation }, index) => ({
    action: action === undefined
      ? []
      : [{ id: `${id}-${index}-action`, role: "assistant", content: action }],
    observation: { id: `${id}-${index}`, role: "user", content: observation },
  }));
  const timestamp = new Date(episode.startedAt ?? 0).toISOString();
  return {
    uuid: id,
    id: `${label ?? world}|${condition}|${ordinal}`,
    epoch: attempt,
    input: turns[0]?.goal ?? "",
    target: "",
    messages: said.flatMap(({ action, observation }) => [...action, observation]),
    scores: { [SCORER]: { value: normalised(episode), metadata: { passes } } },
    metadata: {
      episode: id,
      chain,
      world,
      condition,
      method,
      memory,
      seed,
      steps: episode.steps,
      ended: episode.ended,
    },
    model_usage: usageOf(store, id),
    // Inspect's frame of messages is made of events alone.
    events: said.map(({ observation }, index) => ({
      ...{
        uuid: `${id}-${index}-event`,
        timestamp,
        working_start: 0,
        event: "model",
        model: episode.backbone ?? "none",
      },
      ...{ input: [observation], tools: [], tool_choice: "none", config: {} },
      output: {
        choices: (said[index + 1]?.action ?? []).map((message) => ({
          message,
          stop_reason: "stop",
        })),
      },
    })),
  } as { readonly id: string };
}

function normalised({ score = 0, maxScore = 1 }: EpisodeRecord): number {
  return maxScore === 0 ? 0 : score / maxScore;
}

/** Tokens of the answered calls by model, each request once. */
function usageOf(store: Store, episode: string): Record<string, object> {
  const rows = store.prepare(
    `select model, sum(prompt_tokens) as input_tokens, sum(completion_tokens) as output_tokens, sum(cached_tokens) as input_tokens_cache_read,
       sum(reasoning_tokens) as reasoning_tokens, sum(prompt_tokens + completion_tokens) as total_tokens
     from (select * from calls where episode = ? and kind <> 'wasted' and role <> '${EMBEDDING_ROLE}' group by key having id = min(id))
     group by model order by model`,
  ).all(episode);
  return Object.fromEntries(rows.map(({ model, ...usage }) => [String(model), { ...usage }]));
}
