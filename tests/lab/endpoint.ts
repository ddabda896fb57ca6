/**
 * An OpenAI-compatible endpoint on the loopback that answers as the stand-in would, and
 * counts.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createStandIn } from "../../lib/offline/stand-in.ts";
import { METHODS } from "../../lib/core/agent/registry.ts";
import { MEMORIES } from "../../lib/core/memory/registry.ts";
import { offlineResponders } from "../../lib/offline/responders/mod.ts";

export interface CountingEndpoint extends AsyncDisposable {
  readonly baseUrl: string;
  /** Bodies that were answered, in order. */
  readonly answered: string[];
  /** Number of requests, unanswered ones included. */
  requests: number;
  /**
   * Called before each answer with the number of answers so far; `false` leaves the request
   * unanswered, `drop` loses its connection.
   */
  onRequest: (answered: number) => boolean | "drop";
}

/** Starts the endpoint on a free port. */
export async function startEndpoint(): Promise<CountingEndpoint> {
  const backbone = createStandIn({
    responders: offlineResponders,
    modelOptions: { seed: 1 },
  });
  const prompts = [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap((entry) =>
    entry.prompts
  );
  const endpoint = {
    answered: [] as string[],
    requests: 0,
    onRequest: (_answered: number): boolean | "drop" => true,
  };

  const server = createServer(async (request, response) => {
    let body = "";
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      return; // whoever asked was killed on the way
    }
    endpoint.requests++;
    const fate = endpoint.onRequest(endpoint.answered.length);
    if (fate === "drop") request.socket.destroy();
    if (fate !== true) return;
    endpoint.answered.push(body);
    const { messages } = JSON.parse(body) as {
      messages: { role: "system" | "user"; content: string }[];
    };
    const role = prompts.find((prompt) => prompt.instructions === messages[0]?.content)?.role ??
      "unknown";
    const { choices, usage } = await backbone.chat({ role, messages });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({
      id: "1",
      object: "chat.completion",
      created: 1,
      model: "counted",
      choices: choices.map(({ text }, index) => ({
        ...{ index, finish_reason: "stop" },
        message: { role: "assistant", content: text, reasoning_content: "It is dark." },
      })),
      usage: {
        prompt_tokens: usage.prompt,
        completion_tokens: usage.completion,
        total_tokens: usage.prompt + usage.completion,
      },
    }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return Object.assign(endpoint, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}
