/**
 * What our record says that an endpoint charged, against that endpoint's own ledger, by each
 * protocol.
 */

import assert from "node:assert/strict";
import { ModelError } from "../../../lib/core/errors.ts";
import { createBudget } from "../../../lib/lab/llm/budget.ts";
import type { ChatRequest, Usage } from "../../../lib/core/llm/chat-model.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { listCalls } from "../../../lib/lab/store/calls.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import {
  type AskedBody,
  choice,
  completion,
  failure,
  fakeClock,
  KEY,
  startFakeEndpoint,
} from "./fake-endpoint.ts";
import { type Wire, WIRES } from "./native-wire.ts";
import { withVariables } from "../../environment.ts";
import { listAttempts } from "../../lab/store/listed.ts";

/** How an endpoint answers: what it says, what that took, and how it fails. */
interface Protocol extends Pick<Wire, "model" | "path" | "failure"> {
  readonly name: string;
  readonly binding: object;
  /**
   * How many tokens of the prompt the answer says were written to the cache, where the protocol can
   * tell.
   */
  readonly tellsWritten?: true;
  answer(kind: Kind, usage: Usage, body: AskedBody): Response;
}

type Kind = "text" | "cut" | "tools" | "refusal";

const chatCompletions: Protocol = {
  name: "OpenAI's chat completions",
  model: "gpt-4o",
  path: "/chat/completions",
  binding: {},
  failure: (status, message, { headers } = {}) => failure(status, message, { headers }),
  answer: (kind, { prompt, cached, completion: answered, reasoning }, { n = 1 }) => {
    const tool_calls = [{
      id: "c1",
      type: "function",
      function: { name: "path", arguments: "{}" },
    }];
    const message = kind === "refusal" ? { role: "assistant", content: null, refusal: "No." } : {
      role: "assistant",
      content: kind === "tools" ? null : "look",
      ...(kind === "tools" && { tool_calls }),
    };
    return completion("", {
      choices: Array.from(
        { length: Number(n) },
        () => choice(null, { message, finish_reason: kind === "cut" ? "length" : "stop" }),
      ),
      usage: {
        ...{ prompt_tokens: prompt, completion_tokens: answered, total_tokens: prompt + answered },
        ...{
          prompt_tokens_details: { cached_tokens: cached },
          completion_tokens_details: { reasoning_tokens: reasoning },
        },
      },
    });
  },
};

const PROTOCOLS: readonly Protocol[] = [
  chatCompletions,
  ...WIRES.map((wire): Protocol => ({
    ...wire,
    name: wire.maker === "openai" ? "OpenAI's Responses" : wire.maker,
    binding: { provider: wire.maker, ...(wire.maker === "openai" && { style: "responses" }) },
    ...(wire.maker === "anthropic" && { tellsWritten: true }),
    answer: (kind, usage) =>
      wire.reply({
        text: kind === "text" || kind === "cut" ? "look" : "",
        ...(kind === "tools" && { toolCalls: [{ id: "c1", name: "path", arguments: "{}" }] }),
        ...(kind === "cut" && { finish: "length" }),
        ...(kind === "refusal" && { finish: "filter" }),
        usage,
      }),
  })),
];

const PRICE = { prompt: 3, cached: 0.3, written: 3.75, completion: 15 };
const tools = [{
  name: "path",
  description: "A way",
  parameters: { type: "object", properties: {} },
}];
const picture = {
  role: "user" as const,
  content: [{ kind: "text" as const, text: "?" }, {
    kind: "image" as const,
    png: new Uint8Array([1]),
  }],
};

for (const protocol of PROTOCOLS) {
  Deno.test(`the ledger of ${protocol.name} is ours: cache, reasoning, pictures, tools, refusals, 429`, async () => {
    await using endpoint = startFakeEndpoint(protocol.path);
    using store = openStore(":memory:");
    const ledger = { prompt: 0, cached: 0, completion: 0, reasoning: 0, dollars: 0 };
    let [count, kind]: [number, Kind] = [0, "text"];
    endpoint.behave(({ body }) => {
      const number = ++count;
      if (number % 5 === 0) {
        return protocol.failure(number % 2 === 0 ? 529 : 429, "slow down", {
          headers: { "retry-after": "1" },
        });
      }
      const written = protocol.tellsWritten && number % 2 === 1 ? 20 : 0;
      // A picture is charged like text: the endpoint counts it among the tokens of the prompt.
      const prompt = 100 + number + (/image|inline_?data/i.test(JSON.stringify(body)) ? 258 : 0);
      const usage = {
        prompt,
        cached: 10 * (number % 4),
        written,
        completion: 30 + number,
        reasoning: number % 7,
      };
      for (const field of ["prompt", "cached", "completion", "reasoning"] as const) {
        ledger[field] += usage[field];
      }
      ledger.dollars +=
        ((prompt - usage.cached - written) * PRICE.prompt + usage.cached * PRICE.cached +
          written * PRICE.written +
          usage.completion * PRICE.completion) / 1e6;
      return protocol.answer(kind, usage, body);
    });
    using _key = withVariables({ LABYRINTH_LEDGER_KEY: KEY });
    const budget = createBudget({ dollars: 10 });
    const models = createModels({
      map: {
        "*": {
          model: protocol.model,
          baseUrl: endpoint.baseUrl,
          keyEnv: "LABYRINTH_LEDGER_KEY",
          price: PRICE,
          ...protocol.binding,
        },
      },
      ...{ store, codeVersion: "1", episode: "e1", clock: fakeClock(), budget },
    });
    const outcomes: string[] = [];
    for (let step = 0; step < 24; step++) {
      kind = (["text", "cut", "tools", "refusal"] as const)[step % 4] ?? "text";
      const request: ChatRequest = {
        role: "demo/ask",
        messages: step % 3 === 0 ? [picture] : [{ role: "user", content: "Hi" }],
        ...(kind === "tools" && { tools }),
        ...(kind === "text" && { n: 2 }),
        sampling: { maxTokens: 100 },
        sample: { step },
      };
      outcomes.push(
        await models.chat(request).then(
          ({ choices }) => choices[0].finish,
          (error) => error instanceof ModelError ? error.kind : `${error}`,
        ),
      );
    }
    assert.deepEqual(
      outcomes,
      Array.from({ length: 6 }, () => ["stop", "length", "tools", "refused"]).flat(),
    );

    const rows = listCalls(store, "e1");
    const sum = (
      field: "promptTokens" | "cachedTokens" | "completionTokens" | "reasoningTokens" | "dollars",
    ): number => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
    assert.deepEqual(
      [sum("promptTokens"), sum("cachedTokens"), sum("completionTokens"), sum("reasoningTokens")],
      [ledger.prompt, ledger.cached, ledger.completion, ledger.reasoning],
    );
    assert.ok(
      Math.abs(sum("dollars") - ledger.dollars) < 1e-9,
      `${sum("dollars")} is not ${ledger.dollars}`,
    );
    assert.ok(
      Math.abs(budget.spent.dollars - ledger.dollars) < 1e-9,
      `the budget says ${budget.spent.dollars}, not ${ledger.dollars}`,
    );
    const wasted = rows.filter(({ kind }) => kind === "wasted");
    assert.equal(wasted.filter(({ error }) => error === "refused").length, 6);
    assert.ok(
      wasted.some(({ error }) => error === "rate-limit") && ledger.reasoning > 0 &&
        ledger.cached > 0,
    );
    assert.equal(
      listAttempts(store, "e1").length,
      endpoint.asked.length,
      "each request is an attempt",
    );
    assert.ok(rows.every(({ boundTokens }) => boundTokens === undefined), "nothing is unknown");
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(KEY));
  });
}
