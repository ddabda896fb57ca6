/** Questions to a fake endpoint on behalf of an episode. */

import assert from "node:assert/strict";
import type { ChatReply, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import type { RoleMap } from "../../../lib/core/llm/roles.ts";
import { createModels, type ModelsOptions } from "../../../lib/lab/llm/stack.ts";
import { listCalls } from "../../../lib/lab/store/calls.ts";
import { putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { samplePlan } from "../../lab/store/samples.ts";
import { fakeClock } from "./fake-endpoint.ts";

const PRICE = { prompt: 1000, cached: 1000, completion: 1000 };

/** A store with the episode `e1`. */
export function storeWithEpisode(): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  putEpisode(store, samplePlan({ id: "e1", study: "s" }));
  return store;
}

/** A question of at most 50 tokens. */
export function ask(step: number): ChatRequest {
  return {
    role: "demo/act",
    messages: [{ role: "user", content: `Step ${step}` }],
    sampling: { maxTokens: 50 },
    sample: { step },
  };
}

/**
 * A model at an endpoint, which has time for each answer even on a busy machine, and 20 attempts on
 * a clock that only jumps.
 */
export function optionsFor(
  store: Store,
  baseUrl: string,
  more: Partial<ModelsOptions> = {},
): ModelsOptions {
  const map = { "*": { model: "m", baseUrl, price: PRICE, timeoutSeconds: 180 } };
  return {
    map,
    store,
    codeVersion: "1",
    episode: "e1",
    clock: fakeClock(),
    retry: { attempts: 20, patienceMs: 1e9 },
    ...more,
  };
}

/** Asks the models of a map once, on behalf of the episode `e1`. */
export function askOnce(
  map: RoleMap,
  store: Store,
  { content = "Hi", role = "demo/a", ...more }:
    & { content?: string; role?: string }
    & Partial<
      ModelsOptions
    > = {},
): Promise<ChatReply> {
  const models = createModels({
    ...{ map, store, codeVersion: "1", episode: "e1" },
    ...{ clock: fakeClock(), retry: { attempts: 1 } },
    ...more,
  });
  return models.chat({
    role,
    messages: [{ role: "user", content }],
    sampling: { maxTokens: 100 },
  });
}

/** What the answers below say that they took. */
export const TOOK = { prompt: 100, cached: 64, completion: 40, reasoning: 30 } as const;

/** The same as chat completions tell it. */
export const CHAT_USAGE = {
  ...{ prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 },
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 30 },
} as const;

/** The one call of an episode failed, and is charged for what was told, not for the most it may be. */
export function assertWasted(store: Store, what: string): void {
  const rows = listCalls(store, "e1").map((row) => [
    ...[row.kind, row.promptTokens, row.cachedTokens, row.completionTokens, row.reasoningTokens],
    row.boundTokens,
  ]);
  assert.deepEqual(rows, [["wasted", ...Object.values(TOOK), undefined]], what);
}
