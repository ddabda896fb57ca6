/**
 * The lab's ledger against the endpoint's, whatever is asked and whatever share of the requests
 * fails.
 */

import assert from "node:assert/strict";
import { createBudget } from "../../lib/lab/llm/budget.ts";
import type { ChatModel } from "../../lib/core/llm/chat-model.ts";
import { createEmbeddings } from "../../lib/lab/llm/embeddings.ts";
import { createModels, type ModelsOptions } from "../../lib/lab/llm/stack.ts";
import { chargedCalls, listCalls } from "../../lib/lab/store/calls.ts";
import { verifyStore } from "../../lib/lab/store/verify.ts";
import { withVariables } from "../environment.ts";
import { ask, optionsFor, storeWithEpisode } from "../core/llm/asking.ts";
import {
  type Asked,
  choice,
  completion,
  failure,
  KEY,
  startFakeEndpoint,
} from "../core/llm/fake-endpoint.ts";
import { chaosDraw, FAULTS, FULL, TOKENS } from "./generators.ts";
import { listAttempts } from "../lab/store/listed.ts";

/**
 * Something to ask: how a step asks it, what a sound answer to a request is, and what that costs;
 * `null` refuses the request.
 */
interface Question {
  readonly path?: string;
  readonly steps: number;
  readonly step: (options: ModelsOptions, step: number) => Promise<unknown>;
  readonly answer: (asked: Asked) => readonly [Response, number] | null;
}

const models = new WeakMap<object, ChatModel>();
const modelOf = (options: ModelsOptions): ChatModel =>
  models.getOrInsertComputed(options, () => createModels(options));

/** Answers with `n` choices: 10 tokens for the prompt, 5 for each. */
function drawn({ body }: Asked): readonly [Response, number] {
  const n = Number(body["n"] ?? 1);
  const usage = { prompt_tokens: 10, completion_tokens: 5 * n, total_tokens: 10 + 5 * n };
  return [
    completion("", {
      choices: Array.from({ length: n }, (_, index) => choice(`hello ${index}`, { index })),
      usage,
    }),
    10 + 5 * n,
  ];
}

const oneAtATime = (asked: Asked): readonly [Response, number] | null =>
  asked.body["n"] === undefined ? drawn(asked) : null;

async function votes(options: ModelsOptions, step: number): Promise<void> {
  const { sample, ...question } = ask(step);
  await Promise.all(
    [0, 1, 2].map((vote) => modelOf(options).chat({ ...question, sample: { ...sample, vote } })),
  );
}

const choices = async (options: ModelsOptions, step: number): Promise<void> => {
  assert.equal((await modelOf(options).chat({ ...ask(step), n: 5 })).choices.length, 5);
};

const embedders = new WeakMap<object, ReturnType<typeof createEmbeddings>>();

const QUESTIONS: Readonly<Record<string, Question>> = {
  "a chat": { steps: 20, step: (options, step) => modelOf(options).chat(ask(step)), answer: drawn },
  "votes drawn at once": { steps: 8, step: votes, answer: drawn },
  "votes asked one by one": { steps: 5, step: votes, answer: oneAtATime },
  "choices drawn at once": { steps: 8, step: choices, answer: drawn },
  "choices asked one by one": { steps: 3, step: choices, answer: oneAtATime },
  "texts to embed": {
    path: "/embeddings",
    steps: 8,
    step: async (options, step) => {
      const embed = embedders.getOrInsertComputed(options, () => createEmbeddings("m", options));
      const texts = Array.from({ length: 3 }, (_, at) => `text ${step} ${at}`);
      assert.equal((await embed(texts)).length, 3);
    },
    answer: ({ body }) => {
      const data = (body["input"] as string[]).map((_, index) => ({
        index,
        embedding: [1, index],
      }));
      return [Response.json({ data, usage: { prompt_tokens: 7 * data.length } }), 7 * data.length];
    },
  },
};

for (const [name, { path, steps, step, answer }] of Object.entries(QUESTIONS)) {
  for (const share of [0.01, 0.1, 0.5]) {
    Deno.test(`chaos: ${name}: a request is an attempt, its bill is bounded, when ${100 * share} % fail`, async () => {
      using store = storeWithEpisode();
      await using endpoint = startFakeEndpoint(path);
      using _address = withVariables({ OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_API_KEY: KEY });
      const draw = chaosDraw(`faults ${name} ${share}`);
      const seen = new Map<string, number>();
      // An embeddings endpoint bills no answer. Silence ends by the clock alone, which a busy
      // machine must not run out of elsewhere.
      const left = name === "a chat" ? /^$/ : path === undefined ? /silence/ : /silence|longer/;
      const faults = Object.entries(FAULTS).filter(([fault]) => !left.test(fault));
      let billed = 0;
      endpoint.behave((asked) => {
        if (draw.next() >= share) {
          const [sound, cost] = answer(asked) ??
            [failure(400, "'n' : number must be at most 1"), 0];
          billed += cost;
          return sound;
        }
        const [fault, [behave, cost]] = draw.pick(faults);
        seen.set(fault, 1 + (seen.get(fault) ?? 0));
        billed += cost === TOKENS ? answer(asked)?.[1] ?? 0 : cost;
        return behave(asked);
      });
      const budget = createBudget({ tokens: 1e9 });
      const { map } = optionsFor(store, endpoint.baseUrl);
      const patient = {
        "*": { ...map["*"] as { model: string }, timeoutSeconds: name === "a chat" ? 8 : 180 },
      };
      const options = optionsFor(store, endpoint.baseUrl, {
        map: patient,
        budget,
        retry: { attempts: 60, patienceMs: 1e9 },
      });
      for (let at = 1; at <= (FULL ? 20 : 1) * steps; at++) await step(options, at);

      const [attempts, calls] = [listAttempts(store, "e1"), listCalls(store, "e1")];
      assert.equal(attempts.length, endpoint.asked.length, "one row for each request");
      assert.ok(
        attempts.every(({ outcome, calls = 0 }) => outcome !== undefined && calls >= 1),
        "each is over and has its calls",
      );
      assert.equal(
        attempts.reduce((sum, { calls = 0 }) => sum + calls, 0),
        calls.filter(({ attempt }) => attempt !== undefined).length,
      );
      const { tokens } = chargedCalls(store, "s");
      assert.ok(tokens >= billed, `charged ${tokens}, billed ${billed}`);
      assert.equal(budget.spent.tokens, tokens, "the budget is charged what the record says");
      const sound = Map.groupBy(
        calls.filter(({ kind, boundTokens }) => kind === "paid" && boundTokens === undefined),
        (call) => call.attempt,
      );
      for (const parts of sound.values()) {
        const sum = parts.reduce(
          (total, { promptTokens, completionTokens }) => total + promptTokens + completionTokens,
          0,
        );
        assert.equal(sum, path === undefined ? 10 + 5 * parts.length : 7 * parts.length);
      }
      assert.deepEqual(verifyStore(store).problems, []);
      if (FULL && share === 0.5 && name === "a chat") {
        assert.equal(seen.size, Object.keys(FAULTS).length, "every kind of fault came");
      }
      if (FULL) {
        console.log(
          `  ${attempts.length} requests, ${
            [...seen.values()].reduce((sum, n) => sum + n, 0)
          } faults of ${seen.size} kinds`,
        );
      }
    });
  }
}
