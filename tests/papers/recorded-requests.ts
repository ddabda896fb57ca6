/** The requests of a store, put to other models of the offline backbone. */

import type { ChatModel, ChatRequest } from "../../lib/core/llm/chat-model.ts";
import { createSimulatedProvider } from "../../lib/offline/provider.ts";
import type { Store } from "../../lib/lab/store/open.ts";
import { getRequest } from "../../lib/lab/store/replies.ts";

/** A reader that answers in this process. */
export function connectModel(name: string): ChatModel {
  return createSimulatedProvider().open(name, {}, { attempt: 1 }).model;
}

/**
 * The roles in which two models answer some recorded request, or one of `more`, otherwise in one of
 * five attempts.
 */
export async function differingRoles(
  store: Store,
  one: ChatModel,
  other: ChatModel,
  more: readonly ChatRequest[] = [],
): Promise<Set<string>> {
  const keys = store.prepare("select distinct key from calls where kind <> 'wasted'").all();
  const recorded = keys.flatMap(({ key }) =>
    (getRequest(store, String(key)) ?? []) as unknown as ChatRequest
  );
  const found = new Set<string>();
  for (const request of [...recorded, ...more]) {
    for (let attempt = 1; attempt <= 5 && !found.has(request.role); attempt++) {
      const asked = { ...request, sample: { attempt } };
      const [a, b] = [await one.chat(asked), await other.chat(asked)];
      if (JSON.stringify(a.choices) !== JSON.stringify(b.choices)) found.add(request.role);
    }
  }
  return found;
}
