import assert from "node:assert/strict";
import { BudgetError } from "../../../lib/core/errors.ts";
import { createBudget, mostTokens, type Reservation } from "../../../lib/lab/llm/budget.ts";
import type { ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createDraw } from "../../../lib/core/random.ts";
import { countTokens } from "../../../lib/core/text/tokens.ts";

const request: ChatRequest = {
  role: "demo/act",
  messages: [{ role: "user", content: "Hi" }],
  sampling: { maxTokens: 100 },
};
const price = { prompt: 1000, cached: 1000, completion: 1000 }; // a tenth of a cent a token

Deno.test("createBudget() reserves for calls in flight, and lets a further one wait for what they leave", async () => {
  const most = mostTokens(request, "m");
  const one = most.prompt + most.completion;
  const budget = createBudget({ tokens: 2 * one });
  const first = await budget.reserve("m", undefined, request);
  const second = await budget.reserve("m", undefined, request);
  let third: Reservation | undefined;
  const waiting = budget.reserve("m", undefined, request).then((reservation) =>
    third = reservation
  );
  first.settle({ prompt: 3, cached: 0, completion: 2, reasoning: 0 });
  first.settle({ prompt: 3, cached: 0, completion: 2, reasoning: 0 }); // once is enough
  assert.deepEqual(budget.spent, { tokens: 5, dollars: 0 });
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(third, undefined, "five tokens less than a call may take are left");
  second.settle();
  await waiting;
  assert.equal((third as Reservation | undefined)?.maxTokens, undefined);
});

Deno.test("createBudget() refuses a waiting call when its signal aborts, or nothing is left that it could wait for", async () => {
  const most = mostTokens(request, "m");
  const budget = createBudget({ tokens: most.prompt + most.completion });
  const held = await budget.reserve("m", undefined, request);
  const stop = new AbortController();
  const aborted = budget.reserve("m", undefined, { ...request, signal: stop.signal });
  const refused = budget.reserve("m", undefined, request);
  stop.abort(new Error("stopped"));
  await assert.rejects(aborted, /stopped/);
  held.settle({ prompt: most.prompt, cached: 0, completion: most.completion, reasoning: 0 });
  await assert.rejects(refused, BudgetError);
});

Deno.test("createBudget() never exceeds the cap in dollars, whatever the calls use", async () => {
  const budget = createBudget({ dollars: 1 }, { dollars: 0.5, tokens: 10 });
  let calls = 0;
  await assert.rejects(async () => {
    for (;; calls++) {
      const { settle, maxTokens = 100 } = await budget.reserve("m", price, request);
      settle({ prompt: 5, cached: 0, completion: maxTokens, reasoning: 0 });
    }
  }, (error: Error) => {
    assert(error instanceof BudgetError);
    assert.match(error.message, /cap of \$1\.0000 .*spent \$0\.\d+.*raise the cap/);
    return true;
  });
  assert(calls >= 1 && budget.spent.dollars <= 1, `${calls} calls, $${budget.spent.dollars}`);
});

Deno.test("createBudget() leaves at most a tenth of 20 calls, whatever the number of chains, and never exceeds the cap", async () => {
  for (const chains of [1, 4, 16, 64]) {
    for (const what of ["tokens", "dollars"] as const) {
      const draw = createDraw(`${chains} ${what}`);
      const [mean, unit] = [1700, what === "tokens" ? 1 : 0.001];
      const cap = 20 * mean * unit;
      const budget = createBudget({ [what]: cap });
      const chain = async (): Promise<void> => {
        for (;;) {
          const bytes = 4000 + Math.floor(4000 * draw.next());
          const asked: ChatRequest = {
            role: "demo/act",
            messages: [{ role: "user", content: "x".repeat(bytes) }],
            sampling: { maxTokens: 1000 },
          };
          const { maxTokens = 1000, settle } = await budget.reserve("m", price, asked);
          for (let wait = 10 * draw.next(); wait > 0; wait--) await Promise.resolve();
          const wanted = 30 + Math.floor(300 * draw.next() ** 3);
          settle({
            prompt: Math.floor(bytes * (0.22 + 0.06 * draw.next())),
            cached: 0,
            completion: Math.min(wanted, maxTokens),
            reasoning: 0,
          });
        }
      };
      for (
        const { status, reason } of await Promise.allSettled(
          Array.from({ length: chains }, chain),
        ) as PromiseRejectedResult[]
      ) {
        assert.ok(status === "rejected" && reason instanceof BudgetError);
      }
      const left = 1 - budget.spent[what] / cap;
      assert.ok(left >= 0 && left < 0.1, `${chains} chains leave ${left} of the ${what}`);
    }
  }
});

Deno.test("createBudget() learns nothing of answers from requests that were refused, and keeps the cap after them", async () => {
  const most = mostTokens(request, "m");
  const budget = createBudget({ tokens: 3 * (most.prompt + most.completion) });
  for (let refusals = 0; refusals < 40; refusals++) {
    (await budget.reserve("m", undefined, request)).settle({
      prompt: 0,
      cached: 0,
      completion: 0,
      reasoning: 0,
    });
  }
  const admitted: Reservation[] = [];
  const stop = new AbortController();
  const waiting = Array.from({ length: 9 }, async () => {
    admitted.push(await budget.reserve("m", undefined, { ...request, signal: stop.signal }));
  });
  await new Promise((resolve) => setTimeout(resolve));
  stop.abort(new Error("stopped"));
  await Promise.allSettled(waiting);
  assert.equal(admitted.length, 3);
});

Deno.test("createBudget() needs a price for a cap in dollars, none for one in tokens", async () => {
  await assert.rejects(createBudget({ dollars: 5 }).reserve("my-llama", undefined, request), {
    name: "BudgetError",
    message: /my-llama has none/,
  });
  await createBudget({ tokens: 10_000 }).reserve("my-llama", undefined, request);
  await createBudget({}).reserve("my-llama", undefined, request);
  assert.throws(() => createBudget({ dollars: NaN }), RangeError);
});

Deno.test("mostTokens() bounds the tokens of texts in several scripts from above", async () => {
  for (
    const text of [
      "You are in the kitchen. ".repeat(200),
      '{"a": [1, 2, {"b": null}]}'.repeat(50),
      "見る。".repeat(300),
      "Иди на север. ".repeat(100),
      "¯\\_(ツ)_/¯ 😀".repeat(100),
      Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x12000 + i)).join(""), // cuneiform: nearly a token a byte
    ]
  ) {
    const { prompt } = mostTokens(
      { role: "r/r", messages: [{ role: "user", content: text }] },
      "m",
    );
    assert(
      prompt >= await countTokens(text),
      `${text.slice(0, 20)}: ${prompt} < ${await countTokens(text)}`,
    );
  }
  assert.equal(mostTokens({ ...request, n: 3 }, "m").completion, 300);
  assert.equal(mostTokens({ role: "r/r", messages: [] }, "m").completion, 4096);
  assert.equal(mostTokens(request, "gpt-6-sol").completion, 25_100); // it may reason before it answers
});
