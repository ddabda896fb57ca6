/**
 * An embeddings endpoint of ours, which keeps its own ledger of tokens, in front of the `openai`
 * embedder and whole studies.
 */

import assert from "node:assert/strict";
import { UsageError } from "../../../lib/core/errors.ts";
import { playStudy, priceStudy } from "../../../lib/lab/lab.ts";
import { createEmbeddings } from "../../../lib/lab/llm/embeddings.ts";
import { localProvider } from "../../../lib/core/llm/providers.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import {
  createLexicalEmbedder,
  type Embedder,
  openEmbedder,
} from "../../../lib/core/retrieval/mod.ts";
import { listCalls } from "../../../lib/lab/store/calls.ts";
import { answeredTokens } from "../../../lib/lab/store/costs.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { getReplyRow } from "../../../lib/lab/store/replies.ts";
import { countingStudy, worldsBy } from "../doubles.ts";
import { withVariables } from "../../environment.ts";
import { embedderSpec } from "../../core/retrieval/conformance.ts";
import {
  failure,
  failureOf,
  fakeClock,
  KEY,
  startFakeEndpoint,
} from "../../core/llm/fake-endpoint.ts";
import { totalCalls } from "../store/listed.ts";

const MODEL = "text-embedding-3-small";
const lexical = createLexicalEmbedder();

/**
 * An endpoint that answers in reverse order, as it may, and counts a token for each four characters
 * of a request.
 */
function startEmbeddings(): ReturnType<typeof startFakeEndpoint> & { tokens: number } {
  const endpoint = Object.assign(startFakeEndpoint("/embeddings"), { tokens: 0 });
  const variables = withVariables({ OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_API_KEY: KEY });
  const stop = endpoint[Symbol.asyncDispose];
  endpoint[Symbol.asyncDispose] = async () => {
    variables[Symbol.dispose]();
    await stop();
  };
  endpoint.behave(async ({ body }) => {
    const texts = body["input"] as string[];
    assert.ok(texts.every((text) => text !== ""), "OpenAI refuses empty texts");
    const prompt_tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
    endpoint.tokens += prompt_tokens;
    const vectors = await lexical.embed(texts);
    const data = vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: [...vector],
    })).reverse();
    return Response.json({
      object: "list",
      model: MODEL,
      data,
      usage: { prompt_tokens, total_tokens: prompt_tokens },
    });
  });
  return endpoint;
}

async function opened(store: Store, episode = "e1", more: object = {}): Promise<Embedder> {
  const options = { store, codeVersion: "0", clock: fakeClock(), ...more };
  const embedder = await openEmbedder(`openai:${MODEL}`, {
    embeddings: (model, of) => createEmbeddings(model, { ...options, ...of }),
  });
  return await embedder.forEpisode?.(episode) ?? embedder;
}

let shared: ReturnType<typeof startEmbeddings>;
Deno.test.beforeAll(() => void (shared = startEmbeddings()));
Deno.test.afterAll(async () => await shared[Symbol.asyncDispose]());
embedderSpec("openai", () => opened(openStore(":memory:")));

Deno.test("createEmbeddings() sends new texts together and each once, and meters what the endpoint counts", async () => {
  await using endpoint = startEmbeddings();
  using store = openStore(":memory:");
  const embedder = await opened(store);
  const texts = Array.from({ length: 300 }, (_, at) => `text ${at % 200}`);
  const vectors = await embedder.embed(texts);
  assert.deepEqual([vectors[0], embedder.dimensions], [vectors[200], 384]);
  assert.deepEqual(endpoint.asked.map(({ body }) => (body["input"] as string[]).length), [
    1,
    128,
    72,
  ]);
  const again = await opened(store, "e2");
  await again.embed(["text 3", "", "new"]);
  assert.deepEqual(endpoint.asked.at(-1)?.body["input"], [" ", "new"]);

  const calls = [...listCalls(store, "e1"), ...listCalls(store, "e2")];
  const paid = calls.filter(({ kind }) => kind === "paid");
  assert.equal(paid.reduce((sum, { promptTokens }) => sum + promptTokens, 0), endpoint.tokens);
  assert.ok(
    Math.abs(
      paid.reduce((sum, { dollars }) => sum + (dollars ?? NaN), 0) - endpoint.tokens * 0.02e-6,
    ) < 1e-15,
  );
  assert.deepEqual(listCalls(store, "e2").map(({ kind }) => kind), [
    "replayed",
    "replayed",
    "paid",
    "paid",
  ]);

  const replayed = await opened(store, "e3", { cacheMode: "replay" });
  assert.deepEqual(await replayed.embed(texts.slice(0, 3)), vectors.slice(0, 3));
  assert.equal((await failureOf(replayed.embed(["unseen"]))).kind, "cache-miss");
});

Deno.test("createEmbeddings() retries what passes, and types every other failure without the key", async () => {
  await using endpoint = startEmbeddings();
  using store = openStore(":memory:");
  const echo = { model: `snapshot ${KEY}`, data: [{ index: 0, embedding: [1, 2] }], usage: {} };
  endpoint.behave(() => failure(429, "slow down"), () => Response.json(echo));
  const embedder = await opened(store);
  assert.deepEqual([embedder.dimensions, totalCalls(store, "none").paid.calls], [2, 0]);
  assert.deepEqual(listCalls(store, "e1").map(({ kind }) => kind), ["wasted", "paid"]);
  assert.deepEqual(getReplyRow(store, listCalls(store, "e1")[1]?.key ?? "")?.reply, {
    model: "snapshot …",
    choices: [{ text: "AACAPwAAAEA=", finish: "stop" }],
    usage: { prompt: 0, cached: 0, completion: 0, reasoning: 0 },
    latencyMs: 0,
  });

  endpoint.behave(() => Response.json({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
  await assert.rejects(
    embedder.embed(["longer"]),
    /gave a vector of 3 numbers, and one of 2 before/,
  );
  const odd = ["", "AAA=", "AADAfw==", [], ["a"], [null], { 0: 1 }, null]; // "AADAfw==" is not a number
  const items = odd.map((embedding) => [{ index: 0, embedding }]);
  const two = [{ index: 0, embedding: [1, 2] }, { index: 1, embedding: [1, 2] }];
  const twice = [{ index: 0, embedding: [1, 2] }, { index: 0, embedding: [3, 4] }];
  for (
    const data of [[], two, twice, ...items, [null], [{ index: 4, embedding: [1] }], [{
      index: -1,
      embedding: [1],
    }], undefined]
  ) {
    endpoint.behave(() => Response.json({ data }));
    assert.equal(
      (await failureOf(embedder.embed([`odd ${JSON.stringify(data)}`]))).kind,
      "protocol",
    );
  }
  endpoint.behave(() => failure(401, `the key ${KEY} is wrong`));
  assert.equal((await failureOf(embedder.embed(["x"]))).kind, "authentication");
});

Deno.test("createEmbeddings() reads base64, items without a number, and another content type", async () => {
  await using endpoint = startEmbeddings();
  const vectors = [[1, 0.5], [2, -0.5]];
  const base64 = ["AACAPwAAAD8=", "AAAAQAAAAL8="]; // 32-bit floats, the lowest byte first
  const answers = {
    base64: base64.map((embedding, index) => ({ index, embedding })).reverse(),
    unnumbered: vectors.map((embedding) => ({ embedding })),
    both: base64.map((embedding) => ({ embedding, index: null })),
  };
  for (const [name, data] of Object.entries(answers)) {
    using store = openStore(":memory:");
    endpoint.behave(() =>
      new Response(JSON.stringify({ data }), { headers: { "content-type": "text/plain" } })
    );
    const read = await createEmbeddings(MODEL, { store, codeVersion: "0", clock: fakeClock() })([
      "a",
      "b",
    ]);
    assert.deepEqual(read.map((vector) => [...vector]), vectors, name);
  }
});

Deno.test("playStudy() asks an embeddings model within the episodes, and priceStudy() prices it by such episodes alone", async () => {
  await using endpoint = startEmbeddings();
  using store = openStore(":memory:");
  const worlds = worldsBy();
  const providers = [localProvider(scripted({ "*": () => "add 2" }, { id: "counter" }))];
  const study = countingStudy({
    embedder: `openai:${MODEL}`,
    attempts: 2,
    models: { "*": { model: "counter", price: FREE } },
  });
  const before = await priceStudy(study, { store, worlds, providers });
  assert.deepEqual([before.unknown, before.dollars, endpoint.asked.length], [2, undefined, 0]);

  const { completed, episodes } = await playStudy(study, { store, worlds, providers });
  assert.equal(completed, 2);
  assert.equal(episodes[0]?.identity["embedder"], `openai:${MODEL}`);
  assert.equal(endpoint.asked.length, 1, "both episodes embed the same text");
  assert.deepEqual(answeredTokens(store, study.id).map(({ role }) => role), [
    "counting/act",
    "counting/act",
  ]);

  const other = { ...study, id: "other" };
  const { unknown, dollars = NaN } = await priceStudy(other, { store, worlds, providers });
  assert.ok(unknown === 0 && dollars > 0 && dollars < 1e-6, `${dollars}`);
  const free = await priceStudy({ ...other, embedder: "lexical" }, { store, worlds, providers });
  assert.deepEqual([free.unknown, free.dollars], [0, 0]);

  using _none = withVariables({ OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined });
  await assert.rejects(playStudy(other, { store, worlds, providers }), (error: Error) => {
    return error instanceof UsageError &&
      /cannot play the study other: no key for text-embedding-3-small: set OPENAI_API_KEY/.test(
        error.message,
      );
  });
});

const FREE = { prompt: 0, cached: 0, completion: 0 };

Deno.test("an embeddings endpoint that reports no usage, or an odd one, is charged the bound", async () => {
  await using endpoint = startEmbeddings();
  for (const usage of [undefined, { prompt_tokens: "many" }, { prompt_tokens: -5 }]) {
    using store = openStore(":memory:");
    endpoint.behave(() =>
      Response.json({ model: MODEL, data: [{ index: 0, embedding: [1, 2] }], usage })
    );
    await (await opened(store)).embed(["a key"]);
    const [call] = listCalls(store, "e1");
    assert.deepEqual([call?.kind, call?.promptTokens], ["paid", 0]);
    assert.ok((call?.boundTokens ?? 0) > 0);
  }
});
