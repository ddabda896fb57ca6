/** Questions to a fake endpoint on behalf of an episode. */

import type { ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import type { ModelsOptions } from "../../../lib/lab/llm/stack.ts";
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
