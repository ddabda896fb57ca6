import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { BudgetError, ModelError } from "../../../lib/core/errors.ts";
import { createBudget, mostTokens } from "../../../lib/lab/llm/budget.ts";
import type { ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import type { Provider } from "../../../lib/core/llm/provider.ts";
import { localProvider } from "../../../lib/core/llm/providers.ts";
import { scripted, type ScriptedModel } from "../../../lib/core/llm/scripted.ts";
import { createModels, type ModelsOptions } from "../../../lib/lab/llm/stack.ts";
import { type CallRow, listCalls } from "../../../lib/lab/store/calls.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { fakeClock, startFakeEndpoint } from "../../core/llm/fake-endpoint.ts";
import { listAnswered } from "../../../lib/lab/store/calls.ts";
import { ownFolder } from "../../folder.ts";

const ask = (role: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  role,
  messages: [{ role: "user", content: "Hi" }],
  ...more,
});
const usage = { prompt: 1000, cached: 400, completion: 100, reasoning: 60 };

/** A model under the id of one that has a price. */
function priced(model: ScriptedModel, id = "gpt-4o"): Provider {
  return { id, serves: (wanted) => wanted === id, open: () => ({ model, host: "fake" }) };
}

function fail(kind: ModelError["kind"], spent?: typeof usage): () => never {
  return () => {
    throw new ModelError(kind, "failed", spent ? { usage: spent } : {});
  };
}

/** Models of code version 1; all roles are bound to one that has a price. */
function made(
  options: Partial<ModelsOptions> & Pick<ModelsOptions, "store">,
): ReturnType<typeof createModels> {
  return createModels({ map: { "*": "gpt-4o" }, codeVersion: "1", ...options });
}

Deno.test("further fields of a request and of its binding are both sent, the binding's last", async () => {
  using store = openStore(":memory:");
  const seen: unknown[] = [];
  const model = scripted({ "*": ({ sampling }) => (seen.push(sampling?.extraBody), "hello") });
  const extraBody = { repeat_penalty: 1.1, top_k: 5 };
  const models = made({
    map: { "*": { model: "gpt-4o", extraBody } },
    store,
    providers: [priced(model)],
  });
  const form = { type: "json_object" };
  await models.chat(
    ask("python/mine", { sampling: { extraBody: { response_format: form, top_k: 9 } } }),
  );
  await models.chat(ask("demo/act"));
  assert.deepEqual(seen, [{ response_format: form, repeat_penalty: 1.1, top_k: 5 }, extraBody]);
});

Deno.test("createModels() writes a row for every attempt: wasted, paid, replayed", async () => {
  using store = openStore(":memory:");
  const clock = fakeClock();
  const seen: CallRow[] = [];
  const options = {
    store,
    clock,
    episode: "e1",
    attempt: 2,
    providers: [priced(scripted([fail("server"), fail("protocol", usage), "hello"], { usage }))],
    onCall: (row: CallRow) => seen.push(row),
  };
  const request = ask("demo/act", { sample: { pass: 1, step: 7, vote: 0, reAsk: 1 } });
  await made(options).chat(request);
  await made(options).chat(request);
  const rows = listCalls(store, "e1");
  assert.deepEqual(rows, seen.map((row) => ({ ...row, at: Math.round(row.at) })));
  assert.deepEqual(rows.map(({ kind, error }) => [kind, error]), [
    ["wasted", "server"],
    ["wasted", "protocol"],
    ["paid", undefined],
    ["replayed", undefined],
  ]);
  const dollars = (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1_000_000; // the price list of gpt-4o
  assert.deepEqual(rows.map((row) => row.dollars), [0, dollars, dollars, dollars]);
  const { at: _at, key, ...paid } = rows[2] as CallRow;
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.deepEqual(paid, {
    attempt: 3,
    recorded: 1,
    episode: "e1",
    pass: 1,
    step: 7,
    vote: 0,
    reAsk: 1,
    role: "demo/act",
    model: "gpt-4o",
    kind: "paid",
    promptTokens: 1000,
    cachedTokens: 400,
    completionTokens: 100,
    reasoningTokens: 60,
    dollars,
    latencyMs: 0,
  });
  assert.equal(new Set(rows.map((row) => row.key)).size, 1);
  assert.deepEqual(listAnswered(store, "e1").map(({ kind }) => kind), ["paid"]);
});

Deno.test("createModels() samples as the binding says, and records such replies apart", async () => {
  using store = openStore(":memory:");
  const sampled: unknown[] = [];
  const answer = ({ sampling }: ChatRequest): string => {
    sampled.push(sampling);
    return `answer ${sampled.length}`;
  };
  const provider = localProvider(scripted({ "*": answer }, { id: "mine" }));
  const request = ask("demo/act", { sampling: { temperature: 0.2, maxTokens: 200 } });
  const answers: string[] = [];
  for (
    const more of [{}, { temperature: 1, seed: 3 }, { timeoutSeconds: 5, concurrency: 1 }, {
      temperature: 1,
      seed: 3,
    }]
  ) {
    const models = made({
      map: { "*": { model: "mine", ...more } },
      store,
      providers: [provider],
    });
    answers.push((await models.chat(request)).choices[0].text);
  }
  assert.deepEqual(sampled, [{ temperature: 0.2, maxTokens: 200 }, {
    temperature: 1,
    maxTokens: 200,
    seed: 3,
  }]);
  assert.deepEqual(answers, ["answer 1", "answer 2", "answer 1", "answer 2"]);
});

Deno.test("createModels() draws a new sample for each trial", async () => {
  using store = openStore(":memory:");
  const model = scripted(["first", "second"], { id: "mine" });
  const of = (attempt: number): ReturnType<typeof createModels> =>
    made({
      map: { "*": "mine" },
      store,
      attempt,
      providers: [localProvider(model)],
    });
  const texts = [];
  for (const attempt of [0, 1, 0, 1]) {
    texts.push((await of(attempt).chat(ask("demo/act"))).choices[0].text);
  }
  assert.deepEqual(texts, ["first", "second", "first", "second"]);
});

Deno.test("createModels() refuses a call that could exceed the cap, without a wasted attempt", async () => {
  using store = openStore(":memory:");
  const budget = createBudget({ tokens: 2500 });
  const model = scripted({ "*": () => "hello" }, { usage });
  const models = made({
    store,
    clock: fakeClock(),
    episode: "e1",
    budget,
    providers: [priced(model)],
  });
  const small = (step: number): ChatRequest =>
    ask("demo/act", { sampling: { maxTokens: 200 }, sample: { step } });
  await models.chat(small(1));
  await models.chat(small(2));
  assert.deepEqual(budget.spent, { tokens: 2200, dollars: 2 * 0.003 });
  await assert.rejects(models.chat(small(3)), BudgetError);
  await models.chat(small(1)); // what is on record costs nothing
  assert.equal(model.requests.length, 2);
  assert.deepEqual(listCalls(store, "e1").map(({ kind }) => kind), ["paid", "paid", "replayed"]);
});

Deno.test("createModels() charges the budget for failed attempts, the bound where usage is unknown", async () => {
  using store = openStore(":memory:");
  const budget = createBudget({});
  const providers = [
    priced(scripted([fail("protocol", usage), fail("server"), fail("refused", usage)])),
  ];
  const models = made({
    store,
    clock: fakeClock(),
    budget,
    providers,
  });
  await assert.rejects(models.chat(ask("demo/act")), { kind: "refused" });
  const { prompt, completion } = mostTokens(ask("demo/act"), "gpt-4o");
  assert.equal(budget.spent.tokens, 2200 + prompt + completion);
});

Deno.test("createModels() replays without key or endpoint", async () => {
  using store = openStore(":memory:");
  const base = { map: { "*": "gpt-4o" }, store, episode: "e1" };
  await made({ ...base, providers: [priced(scripted(["hello"]))] }).chat(ask("demo/act"));
  const replay = made({
    ...base,
    map: { "*": { model: "gpt-4o", keyEnv: "LABYRINTH_TEST_NO_SUCH_KEY" } },
    cacheMode: "replay",
  });
  assert.equal((await replay.chat(ask("demo/act"))).choices[0].text, "hello");
  await assert.rejects(replay.chat(ask("demo/plan")), { kind: "cache-miss" });
});

Deno.test("createModels() keeps to the limit of an endpoint across models and episodes", async () => {
  using store = openStore(":memory:");
  let now = 0;
  let most = 0;
  const busy = async (): Promise<string> => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    return "done";
  };
  const provider: Provider = {
    id: "busy",
    serves: () => true,
    open: (id) => ({ model: scripted({ "*": busy }, { id }), host: "one-host" }),
  };
  const models = ["e1", "e2"].map((episode) =>
    made({
      map: { "a/*": "x", "b/*": "y" },
      store,
      episode,
      providers: [provider],
      limits: { concurrency: 3 },
    })
  );
  await Promise.all(
    models.flatMap((model, index) =>
      ["a/q", "b/q"].flatMap((role) =>
        [1, 2, 3].map((step) => model.chat(ask(role, { sample: { step, pass: index } })))
      )
    ),
  );
  assert.equal(most, 3);
});

Deno.test("createModels() keeps reply and row together when it is killed before recording", async () => {
  await using endpoint = startFakeEndpoint();
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "lab.sqlite");
  const url = (file: string): string =>
    JSON.stringify(new URL(`../../../lib/${file}`, import.meta.url).href);
  // The row's callback runs inside the transaction, after both inserts and before the commit.
  const code = `
      import process from "node:process";
      import { createModels } from ${url("lab/llm/stack.ts")};
      import { openStore } from ${url("lab/store/open.ts")};
      const kill = () => process.kill(process.pid, "SIGKILL");
      const models = createModels({ map: { "*": { model: "llama", baseUrl: ${
    JSON.stringify(endpoint.baseUrl)
  } } }, store: openStore(${
    JSON.stringify(path)
  }), codeVersion: "1", episode: "e1", onCall: kill });
      await models.chat({ role: "demo/act", messages: [{ role: "user", content: "Hi" }] });
    `;
  const run = spawn(Deno.execPath(), ["eval", "--no-check", "--ext=ts", code], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [, signal] = await once(run, "exit");
  assert.equal(signal, "SIGKILL");
  assert.equal(endpoint.asked.length, 1);

  using store = openStore(path);
  const counts = (): unknown[] =>
    ["replies", "calls"].map((table) =>
      store.prepare(`select count(*) as n from ${table}`).get()?.n
    );
  assert.deepEqual(counts(), [0, 0]);
  const map = { "*": { model: "llama", baseUrl: endpoint.baseUrl } };
  await createModels({ map, store, codeVersion: "1", episode: "e1" }).chat(ask("demo/act"));
  assert.deepEqual([counts(), endpoint.asked.length], [[1, 1], 2]);
});

Deno.test("createModels() takes the smaller of two ceilings, and adds the room for thoughts", async () => {
  using store = openStore(":memory:");
  const sent: unknown[] = [];
  const mine = scripted({ "*": ({ sampling }) => (sent.push(sampling?.maxTokens), "yes") }, {
    id: "mine",
  });
  const ceilings = async (
    endpoint: object,
    ...limits: (number | undefined)[]
  ): Promise<unknown[]> => {
    sent.length = 0;
    const models = made({
      map: { "*": { model: "mine", ...endpoint } },
      store,
      cacheMode: "off",
      providers: [localProvider(mine)],
    });
    for (const maxTokens of limits) await models.chat(ask("demo/act", { sampling: { maxTokens } }));
    return [...sent];
  };
  assert.deepEqual(await ceilings({}, 20, 1000, undefined), [20, 1000, undefined]);
  assert.deepEqual(await ceilings({ maxTokens: 80 }, 20, 1000, undefined), [20, 80, 80]);
  assert.deepEqual(await ceilings({ maxTokens: 80, thinkingTokens: 500 }, 20, 1000, undefined), [
    520,
    580,
    580,
  ]);
  assert.deepEqual(await ceilings({ thinkingTokens: 500 }, 20, undefined), [520, undefined]);
});
