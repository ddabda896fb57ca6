/** Runs whose traces go to an OTLP receiver of ours. */

import assert from "node:assert/strict";
import { playStudy } from "../../lib/lab/lab.ts";
import { localProvider } from "../../lib/core/llm/providers.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { ModelError } from "../../lib/core/errors.ts";
import type { CustomMethod } from "../../lib/lab/study.ts";
import { onePass } from "../../lib/core/agent/rollout.ts";
import type { Memory } from "../../lib/core/memory/memory.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { countingMethod, countingStudy, countingWorld } from "./doubles.ts";
import { withVariables } from "../environment.ts";

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly doubleValue?: number;
};
interface Sent {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
}

/** A receiver of OTLP over HTTP, as JSON, or of other content by its type alone. */
function startReceiver(): AsyncDisposable & {
  readonly url: string;
  readonly spans: Sent[];
  readonly types: string[];
  readonly text: () => string;
} {
  const stop = new AbortController();
  const spans: Sent[] = [];
  const types: string[] = [];
  let text = "";
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: stop.signal,
    onListen: () => {},
  }, async (request) => {
    if (new URL(request.url).pathname !== "/v1/traces") return new Response(null, { status: 404 });
    const type = request.headers.get("content-type") ?? "";
    types.push(type);
    const body = await request.text();
    text += body;
    if (type !== "application/json") {
      return new Response(new Uint8Array(), { headers: { "content-type": type } });
    }
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: Sent[] }[] }[];
    };
    spans.push(
      ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
    return Response.json({});
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    spans,
    types,
    text: () => text,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await server.finished;
    },
  };
}

function attributes({ attributes }: Sent): Record<string, string | number | undefined> {
  return Object.fromEntries(
    attributes.map((
      { key, value },
    ) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );
}

/** Plays with these variables of the environment. */
async function traced<T>(settings: Record<string, string>, work: () => Promise<T>): Promise<T> {
  using _settings = withVariables(settings);
  return await work();
}

const SECRET = "sk-secret-0123456789";
const worlds = {
  open: countingWorld().open,
  list: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};
const usage = { prompt: 100, cached: 40, completion: 7, reasoning: 2 };
const binding = {
  model: "counter",
  keyEnv: "TRACED_KEY",
  price: { prompt: 10, cached: 5, completion: 20 },
  headers: { "x-key": SECRET },
};

async function play(
  study = countingStudy({ models: { "*": binding } }),
  answer = (): string => "add 4",
): Promise<void> {
  using store = openStore(":memory:");
  const { model, ...served } = {
    model: scripted({ "*": answer }, { id: "counter", usage }),
    price: binding.price,
  };
  const provider = { ...localProvider(model), open: () => ({ model, ...served }) };
  await playStudy(study, { store, worlds, providers: [provider], retries: { attempts: 1 } });
}

Deno.test("playStudy() sends a trace an episode, with steps, calls and actions in it, and no text of them", async () => {
  await using receiver = startReceiver();
  await traced({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    TRACED_KEY: SECRET,
  }, () => play());
  const { spans } = receiver;
  assert.deepEqual(spans.map(({ name }) => name).sort(), [
    "after the last step",
    ...[
      "chat counter",
      "chat counter",
      "chat counter",
      "execute_tool counting",
      "execute_tool counting",
      "execute_tool counting",
    ],
    ...["invoke_agent counting", "step 0", "step 1", "step 2", "step 3"],
  ]);
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  const named = (name: string): Sent => spans.find((span) => span.name === name) as Sent;
  const root = named("invoke_agent counting");
  assert.deepEqual([root.parentSpanId, attributes(root)["gen_ai.operation.name"]], [
    undefined,
    "invoke_agent",
  ]);
  const {
    "labyrinth.score": score,
    "labyrinth.steps": steps,
    "labyrinth.status": status,
    "labyrinth.study": study,
  } = attributes(root);
  assert.deepEqual([score, steps, status, study], [10, 3, "completed", "counting"]);
  for (const step of [1, 2, 3]) assert.equal(named(`step ${step}`).parentSpanId, root.spanId);

  const chat = named("chat counter");
  assert.deepEqual([chat.parentSpanId, chat.kind], [named("step 1").spanId, 3]);
  const { "gen_ai.conversation.id": episode, ...told } = attributes(chat);
  assert.equal(episode, attributes(root)["labyrinth.episode"]);
  assert.deepEqual(told, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "counter",
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 7,
    "gen_ai.usage.cache_read.input_tokens": 40,
    "gen_ai.usage.reasoning.output_tokens": 2,
    "labyrinth.cost_usd": (60 * 10 + 40 * 5 + 7 * 20) / 1e6,
    "labyrinth.call": "paid",
    "labyrinth.role": "counting/act",
    "labyrinth.pass": 0,
    "labyrinth.step": 1,
  });
  assert.deepEqual(attributes(named("execute_tool counting"))["gen_ai.tool.name"], "counting");
  assert.ok(
    spans.every(({ startTimeUnixNano, endTimeUnixNano }) =>
      BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano)
    ),
  );
  for (const text of ["The sum is", "add 4", SECRET]) {
    assert.ok(!receiver.text().includes(text), text);
  }
});

Deno.test("playStudy() shows prompts, replies and actions in spans where the conventions' switch is set, and never a key", async () => {
  await using receiver = startReceiver();
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    TRACED_KEY: SECRET,
  };
  await traced(
    { ...settings, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" },
    () => play(),
  );
  const chat = attributes(receiver.spans.find(({ name }) => name === "chat counter") as Sent);
  assert.match(
    String(chat["gen_ai.input.messages"]),
    /"role":"user","parts":\[\{"type":"text","content":"The sum is 0/,
  );
  assert.match(
    String(chat["gen_ai.output.messages"]),
    /"content":"add 4"\}\],"finish_reason":"stop"/,
  );
  const action = attributes(
    receiver.spans.find(({ name }) => name === "execute_tool counting") as Sent,
  );
  assert.deepEqual([action["gen_ai.tool.call.arguments"], action["gen_ai.tool.call.result"]], [
    `{"action":"add 4"}`,
    `{"observation":"The sum is 4","score":4}`,
  ]);
  assert.ok(!receiver.text().includes(SECRET));
});

Deno.test("playStudy() marks the spans of a failed call and its episode by the kind of the error alone", async () => {
  await using receiver = startReceiver();
  const broken = (): string => {
    throw new ModelError("context-length", `the window is full of ${SECRET}`);
  };
  await traced({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  }, () => play(undefined, broken));
  const failed = receiver.spans.filter(({ status }) => status.code === 2);
  assert.deepEqual(failed.map((span) => [span.name, attributes(span)["error.type"]]), [
    ["chat counter", "context-length"],
    ["invoke_agent counting", "context-length"],
  ]);
  assert.ok(!receiver.text().includes(SECRET));
});

Deno.test("playStudy() traces what a memory observes and recalls, and leaves its private state alone", async () => {
  await using receiver = startReceiver();
  class Keeper {
    readonly id = "keeper";
    #seen = 0;
    observe(): Promise<void> {
      return Promise.resolve(void this.#seen++);
    }
    recall(): Promise<{ sections: Record<string, string> }> {
      return Promise.resolve({ sections: { seen: `${this.#seen}` } });
    }
    save = () => ({ kind: this.id, body: 0 });
    load(): void {}
  }
  const method: CustomMethod = {
    ...countingMethod,
    create: () => ({
      id: "counting",
      run: (episode) =>
        onePass(episode, {}, async (rollout) => {
          const memory = rollout.remember(() => new Keeper() satisfies Memory);
          await rollout.reset();
          await memory.observe();
          await rollout.record(undefined, { seen: (await memory.recall()).sections["seen"] });
        }),
    }),
  };
  const study = countingStudy({ models: { "*": "counter" } });
  const chains = study.chains.map((chain) => ({
    ...chain,
    episodes: chain.episodes.map((episode) => ({ ...episode, method })),
  }));
  await traced({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  }, () => play({ ...study, chains }));
  const [update, search] = ["update_memory keeper", "search_memory keeper"].map((wanted) =>
    receiver.spans.find(({ name }) => name === wanted)
  );
  assert.equal(update && attributes(update)["gen_ai.operation.name"], "update_memory");
  assert.equal(search?.parentSpanId, receiver.spans.find(({ name }) => name === "step 0")?.spanId);
});

Deno.test("playStudy() speaks OTLP's binary form by default, and plays on where nobody receives the traces", async () => {
  {
    await using receiver = startReceiver();
    await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, () => play());
    assert.ok(
      receiver.types.length > 0 &&
        receiver.types.every((type) => type === "application/x-protobuf"),
      `${receiver.types}`,
    );
    assert.match(receiver.text(), /invoke_agent counting/);
  }
  using store = openStore(":memory:");
  const told: string[] = [];
  const study = countingStudy({ models: { "*": "counter" } });
  await traced({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    OTEL_EXPORTER_OTLP_TIMEOUT: "300",
  }, async () => {
    const providers = [localProvider(scripted({ "*": () => "add 5" }, { id: "counter" }))];
    const { completed } = await playStudy(study, {
      store,
      worlds,
      providers,
      onDelay: (what) => told.push(what),
    });
    assert.equal(completed, 1);
  });
  assert.deepEqual(told, [
    "the traces cannot be sent to http://127.0.0.1:9; the run goes on without",
  ]);
});
