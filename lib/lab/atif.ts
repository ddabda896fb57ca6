/** An episode as a trajectory of ATIF, Harbor's Agent Trajectory Interchange Format. */

import { EMBEDDING_ROLE } from "./store/costs.ts";
import { type CallRow, listAnswered } from "./store/calls.ts";
import type { EpisodeRecord } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { getReplyRow } from "./store/replies.ts";
import { listTurns } from "./store/turns.ts";

/**
 * The trajectory of a completed episode. A pass begins with a step of the user. The message of a
 * later step is the reply that chose the action; its tokens are those of all its calls.
 */
export function atifOf(store: Store, episode: EpisodeRecord, version: string): object {
  const { id, method, memory, world, condition, score, maxScore, ended } = episode;
  const calls = listAnswered(store, id).filter(({ role }) => role !== EMBEDDING_ROLE);
  const byStep = Map.groupBy(calls, ({ pass = 0, step }) => `${pass}.${step}`);
  const messageOf = (made: readonly CallRow[]): string => {
    const last = made.findLast(({ role }) => role.startsWith(`${method}/`)) ?? made.at(-1);
    const row = last && getReplyRow(store, last.key); // absent after a run with --replies off
    return (row?.reply as { choices: { text: string }[] } | undefined)?.choices[0]?.text ?? "";
  };
  const steps = listTurns(store, id).map((turn, at) => {
    const { pass, step, action, goal, observation, sections, score, details } = turn;
    const shown = { pass, step, score, sections };
    if (action === undefined) {
      const message = `${goal}\n\n${observation}`;
      return { step_id: at + 1, source: "user", message, extra: shown };
    }
    const call = `${pass}.${step}`;
    const made = byStep.get(call) ?? [];
    return {
      step_id: at + 1,
      source: "agent",
      message: messageOf(made),
      tool_calls: [{ tool_call_id: call, function_name: "act", arguments: { action } }],
      observation: { results: [{ source_call_id: call, content: observation }] },
      llm_call_count: made.length,
      ...(made.length > 0 && { metrics: metricsOf(made) }),
      extra: { ...shown, ...details },
    };
  });
  const totals = Object.entries(metricsOf(calls)).map(([name, sum]) => [`total_${name}`, sum]);
  return {
    schema_version: "ATIF-v1.7",
    session_id: id,
    agent: { name: `labyrinth/${method}`, version, model_name: episode.backbone },
    steps,
    final_metrics: { ...Object.fromEntries(totals), total_steps: steps.length },
    extra: { world, memory, condition, seed: `${episode.seed}`, score, maxScore, ended },
  };
}

function metricsOf(calls: readonly CallRow[]): Record<string, number> {
  const sum = (of: keyof CallRow): number =>
    calls.reduce((all, call) => all + Number(call[of] ?? 0), 0);
  return {
    prompt_tokens: sum("promptTokens"),
    completion_tokens: sum("completionTokens"),
    cached_tokens: sum("cachedTokens"),
    ...(calls.every(({ dollars }) => dollars !== null) && { cost_usd: sum("dollars") }),
  };
}
