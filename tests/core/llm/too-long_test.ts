/** Prompts that do not fit a window: refused in the words of each server, or cut without a word. */

import assert from "node:assert/strict";
import type { MeasuredEnvironment } from "../../../lib/core/env/environment.ts";
import type { ModelError } from "../../../lib/core/errors.ts";
import { playStudy } from "../../../lib/lab/lab.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { createModels, type ModelsOptions } from "../../../lib/lab/llm/stack.ts";
import { listEvents } from "../../../lib/lab/store/events.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { countingStudy, countingWorld, worldsBy } from "../../lab/doubles.ts";
import { choice, completion, failure, failureOf, startFakeEndpoint } from "./fake-endpoint.ts";

/** What servers say of a prompt that is too long, by their name: the numbers are ours. */
const TOO_LONG: Record<string, readonly [status: number, message: string, code?: string]> = {
  "OpenAI": [
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "context_length_exceeded",
  ],
  "OpenAI Responses": [
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  "OpenAI's rate": [
    429,
    "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.",
    "rate_limit_exceeded",
  ],
  "Anthropic": [400, "prompt is too long: 213462 tokens > 200000 maximum"],
  "Anthropic, with the answer": [
    400,
    "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000",
  ],
  "Anthropic 413": [413, "Request exceeds the maximum size", "request_too_large"],
  "Google": [
    400,
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).",
  ],
  "Bedrock": [400, "Input is too long for requested model."],
  "Bedrock Nova": [
    400,
    "Too many input tokens. Max input tokens: 300000, request input token count: 310000",
  ],
  "Bedrock Titan": [
    400,
    "Malformed input request: expected maxLength: 50000, actual: 60000, please reformat your input and try again.",
  ],
  "TGI": [
    422,
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 8740 `inputs` tokens and 500 `max_new_tokens`",
  ],
  "TGI, the prompt": [
    422,
    "Input validation error: `inputs` must have less than 1024 tokens. Given: 1168",
  ],
  "vLLM": [
    400,
    "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
  ],
  "vLLM, pictures": [
    400,
    "The prompt (total length 25938) is too long to fit into the model (context length 4096).",
  ],
  "llama.cpp": [
    400,
    "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "exceed_context_size_error",
  ],
  "llama.cpp of old": [
    500,
    "the request exceeds the available context size. try increasing the context size or enable context shift",
  ],
  "Ollama": [400, "prompt too long; exceeded max context length by 12 tokens"],
  "Ollama's embeddings": [500, "the input length exceeds the context length"],
  "TensorRT-LLM": [400, "prompt length (9000) exceeds maximum input length (8191)"],
  "Mistral": [
    400,
    "Prompt contains 33000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  "Groq": [
    400,
    "Please reduce the length of the messages or completion.",
    "context_length_exceeded",
  ],
  "Groq 413": [
    413,
    "Request too large for model `llama-3.1-8b` on tokens per minute (TPM): Limit 6000, Requested 7000",
    "rate_limit_exceeded",
  ],
  "OpenRouter": [
    400,
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
  ],
  "a gateway": [502, "upstream said: This model's maximum context length is 16000 tokens."],
  "xAI": [
    400,
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  ],
  "Moonshot": [400, "Invalid request: Your request exceeded model token limit: 131072"],
  "Zhipu": [400, "Prompt exceeds max length", "1261"],
  "DashScope": [400, "Range of input length should be [1, 30720]"],
  "Cohere": [
    400,
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 9000.",
  ],
  "GitHub": [
    400,
    "prompt token count of 21000 exceeds the limit of 16384",
    "model_max_prompt_tokens_exceeded",
  ],
  "a proxy without a word": [413, ""],
  "a proxy": [413, "<html>413 Request Entity Too Large</html>"],
};

/** What is something else. */
const OTHERS: Record<string, readonly [status: number, message: string, kind: ModelError["kind"]]> =
  {
    "Bedrock's rate": [429, "Too many tokens, please wait before trying again.", "rate-limit"],
    "a throttled gateway": [503, "Too many tokens, please wait before trying again.", "server"],
    "too long an answer": [
      400,
      "max_tokens is too large: 50000. This model supports at most 16384 completion tokens",
      "bad-request",
    ],
    "a picture": [400, "image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes", "bad-request"],
    "a broken server": [500, "CUDA out of memory", "server"],
  };

const ask = { role: "demo/ask", messages: [{ role: "user" as const, content: "Hi" }] };

Deno.test("a prompt that is too long is told as such in one line with the remedy, in the words of every server", async () => {
  await using endpoint = startFakeEndpoint();
  const model = createOpenAIModel("m", { baseUrl: endpoint.baseUrl, env: () => undefined });
  for (const [server, [status, message, code]] of Object.entries(TOO_LONG)) {
    endpoint.behave(() => failure(status, message, { code }));
    const error = await failureOf(model.chat(ask));
    assert.deepEqual([
      error.kind,
      /a model with a longer window, or a memory that recalls less/.test(error.message),
    ], [
      "context-length",
      true,
    ], server);
    assert.deepEqual(
      [error.retryAfterMs, error.usage?.prompt],
      [undefined, 0],
      "it is not asked again, and costs nothing",
    );
  }
  for (const [server, [status, message, kind]] of Object.entries(OTHERS)) {
    endpoint.behave(() => failure(status, message));
    assert.equal((await failureOf(model.chat(ask))).kind, kind, server);
  }
  endpoint.behave(() =>
    Response.json({ error: { message: TOO_LONG["OpenRouter"]?.[1], code: 400 } })
  );
  const { kind, message } = await failureOf(model.chat(ask));
  assert.deepEqual(
    [kind, /a longer window/.test(message)],
    ["context-length", true],
    "with the status 200",
  );
});

const PROSE =
  "You stand in the kitchen. There is a red key on the table, and a door leads north to the living room.\n";

/** Asks twice what a server says that it read so many tokens of. */
async function cuts(
  content: string,
  prompt_tokens: number | undefined,
  more: object = {},
): Promise<readonly [string[], string[]]> {
  await using endpoint = startFakeEndpoint();
  using store = openStore(":memory:");
  const usage = prompt_tokens === undefined
    ? null
    : { prompt_tokens, completion_tokens: 5, ...more };
  endpoint.behave(() => completion("", { choices: [choice("look")], usage }));
  const [events, notices]: [string[], string[]] = [[], []];
  const options: ModelsOptions = {
    ...{
      map: { "*": { model: "m", baseUrl: endpoint.baseUrl } },
      store,
      codeVersion: "1",
      episode: "e1",
    },
    onEvent: ({ step, kind, detail }) => events.push(`${step} ${kind} ${detail}`),
    onNotice: (what) => notices.push(what.replace(/127\S*/, "h")),
  };
  for (const step of [1, 2]) {
    await createModels(options).chat({
      ...ask,
      messages: [{ role: "user", content }],
      sample: { step },
    });
  }
  return [events, notices];
}

Deno.test("a prompt that its server cut in silence is an event of each step, and one line for each endpoint", async () => {
  const [events, notices] = await cuts(PROSE.repeat(200), 2050); // 24 words and marks, and the last mark with its line break, are 25 tokens
  const what = "it read 2,050 of about 5,000 tokens";
  assert.deepEqual(events, [`1 cut-prompt demo/ask: ${what}`, `2 cut-prompt demo/ask: ${what}`]);
  assert.match(
    notices.join("\n"),
    /^m at h truncates prompts silently \(it read 2,050 of about 5,000 tokens\): [^\n]*OLLAMA_CONTEXT_LENGTH[^\n]*$/,
  );
});

Deno.test("no prompt counts as cut where a tokenizer needs fewer tokens, a cache holds the rest, or nothing is known", async () => {
  const none = [[], []];
  assert.deepEqual(await cuts(PROSE.repeat(200), 2500), none, "half of ours");
  assert.deepEqual(
    await cuts(PROSE.repeat(200), 250, { cache_read_input_tokens: 4400, cached_tokens: 4400 }),
    none,
    "Anthropic's count",
  );
  assert.deepEqual(await cuts(PROSE.repeat(30), 100), none, "too short to say");
  assert.deepEqual(await cuts(PROSE.repeat(200), undefined), none, "not reported");
  assert.deepEqual(await cuts(PROSE.repeat(200), 0, { total_tokens: 5 }), none, "not counted");
});

Deno.test("playStudy() records the event with its step, and tells the user once over all episodes", async () => {
  await using endpoint = startFakeEndpoint();
  using store = openStore(":memory:");
  endpoint.behave(() =>
    completion("add 5", { usage: { prompt_tokens: 2050, completion_tokens: 5 } })
  );
  const notices: string[] = [];
  const wordy = async (
    ...given: Parameters<ReturnType<typeof countingWorld>["open"]>
  ): Promise<MeasuredEnvironment> => {
    const world = await countingWorld().open(...given);
    return {
      ...world,
      reset: async () => ({ ...await world.reset(), observation: PROSE.repeat(200) }),
    }; // the first turn alone
  };
  const worlds = worldsBy(wordy);
  const study = countingStudy({
    attempts: 2,
    models: { "*": { model: "m", baseUrl: endpoint.baseUrl } },
  });
  const { completed, episodes } = await playStudy(study, {
    store,
    worlds,
    onNotice: (what) => notices.push(what),
  });
  assert.deepEqual([completed, notices.length], [2, 1]);
  for (const { id } of episodes) {
    assert.deepEqual(listEvents(store, id).map(({ step, kind }) => [step, kind]), [[
      1,
      "cut-prompt",
    ], [2, "later"]]);
  }
});
