/**
 * Traces of a run as OpenTelemetry spans, by the semantic conventions for generative AI: one trace
 * an episode (`invoke_agent`), in it a span for each agent step, and in that its calls of models
 * (`chat`, `embeddings`), actions in the world (`execute_tool`) and uses of the memory
 * (`search_memory`, `update_memory`).
 *
 * They are sent where `OTEL_EXPORTER_OTLP_ENDPOINT` (or `…_TRACES_ENDPOINT`) says; the other
 * standard variables hold, too. Prompts, replies, actions and observations are left out unless
 * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`.
 */

import type { Attributes, Span } from "@opentelemetry/api";
import type { StepRecord } from "../core/agent/method.ts";
import type { Environment } from "../core/env/environment.ts";
import type { ChatReply, Message } from "../core/llm/chat-model.ts";
import { isOffline } from "../core/llm/prices.ts";
import { makerOf } from "../core/llm/providers.ts";
import type { Memory } from "../core/memory/memory.ts";
import { env, withoutLogin } from "../core/platform.ts";
import type { CallRow } from "./store/calls.ts";
import { EMBEDDING_ROLE } from "./store/costs.ts";
import type { EpisodeEnd, EpisodeRecord } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";
import { getReplyRow } from "./store/replies.ts";

/** The trace of an episode that is being played. */
export interface EpisodeTrace {
  /** Wraps the world: each action is a span. */
  world(world: Environment): Environment;
  /** Wraps a memory: each observation and recall is a span. */
  memory<M extends object>(memory: M): M;
  /** Ends the span of the step under way. */
  step(record: StepRecord): void;
  /** Ends the episode's span. */
  end(end: EpisodeEnd): void;
}

/** The traces of a run. */
export interface Tracing {
  /** Begins the trace of an episode. */
  begin(episode: EpisodeRecord): EpisodeTrace;
  /** Adds the span of a call that has ended to the trace of its episode. */
  call(row: CallRow): void;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

/** Starts a span below another one, at a time in milliseconds since 1970 or now. */
type StartSpan = (name: string, attributes: Attributes, parent?: Span, at?: number) => Span;

/**
 * Opens the traces of a run; `undefined` where no receiver is set.
 *
 * @param options.store holds requests and replies, which spans show where their content is asked
 *   for
 * @param options.onDelay called once where the traces cannot be sent: the run goes on without
 */
export async function openTracing(
  { store, onDelay }: { readonly store: Store; readonly onDelay?: (what: string) => void },
): Promise<Tracing | undefined> {
  const setting = (name: string): string | undefined =>
    env(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? env(`OTEL_EXPORTER_OTLP_${name}`);
  const receiver = setting("ENDPOINT");
  if (receiver === undefined || env("OTEL_SDK_DISABLED") === "true") return undefined;
  const [
    { BatchSpanProcessor, TracerProvider },
    { resourceFromAttributes },
    { OTLPTraceExporter },
    { ROOT_CONTEXT, trace },
  ] = await Promise
    .all([
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/resources"),
      setting("PROTOCOL") === "http/json"
        ? import("@opentelemetry/exporter-trace-otlp-http")
        : import("@opentelemetry/exporter-trace-otlp-proto"),
      import("@opentelemetry/api"),
    ]);
  const exporter = new OTLPTraceExporter();
  const send = exporter.export.bind(exporter);
  let failed = false; // then nothing more is sent: a run must not wait for a receiver that is gone
  exporter.export = (spans, done) => {
    if (failed) return done({ code: 0 });
    send(spans, ({ code }) => {
      if (code !== 0 && !failed) {
        onDelay?.(
          `the traces cannot be sent to ${withoutLogin(receiver)}; the run goes on without`,
        );
      }
      failed ||= code !== 0;
      done({ code: 0 });
    });
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": env("OTEL_SERVICE_NAME") ?? "labyrinth" }),
    // A run with the offline backbone makes spans faster than they are sent.
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: 200_000, scheduledDelayMillis: 1000 }),
    ],
  });
  const tracer = provider.getTracer("labyrinth");
  const start: StartSpan = (name, attributes, parent, startTime) => {
    const isRemote = /^(chat|embeddings)$/.test(String(attributes[`${AI}operation.name`])) &&
      attributes[`${AI}provider.name`] !== "labyrinth";
    const place = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return tracer.startSpan(name, { attributes, startTime, kind: isRemote ? 2 : 0 }, place); // `CLIENT`, `INTERNAL`
  };
  const running = new Map<string, ReturnType<typeof createTrace>>();
  return {
    begin: (episode) => {
      const traced = createTrace(start, episode, () => running.delete(episode.id));
      running.set(episode.id, traced);
      return traced;
    },
    call: (row) => {
      const from = row.kind === "replayed" ? row.at : row.at - row.latencyMs; // an answer from the record takes no time
      const operation = row.role === EMBEDDING_ROLE ? "embeddings" : "chat";
      const span = start(
        `${operation} ${row.model}`,
        callAttributes(operation, row),
        running.get(row.episode ?? "")?.current(),
        from,
      );
      if (showsContent() && operation === "chat") span.setAttributes(contentOf(store, row));
      if (row.kind === "wasted") fail(span, row.error);
      span.end(row.at);
    },
    close: () => provider.shutdown().catch(() => {}), // that they cannot be sent is told already
  };
}

const AI = "gen_ai.";

/** Attributes of ours: those of an object that are there, in snake case. */
function ours(fields: Readonly<Record<string, string | number | null | undefined>>): Attributes {
  return Object.fromEntries(
    Object.entries(fields).map((
      [name, value],
    ) => [
      `labyrinth.${name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)}`,
      value ?? undefined,
    ]),
  );
}

function createTrace(
  start: StartSpan,
  episode: EpisodeRecord,
  onEnd: () => void,
): EpisodeTrace & { readonly current: () => Span } {
  const { id, study, chain, condition, world: place, memory, label, seed, attempt } = episode;
  const root = start(`invoke_agent ${episode.method}`, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": episode.method,
    "gen_ai.conversation.id": id,
    "gen_ai.request.model": episode.backbone,
    ...ours({
      episode: id,
      study,
      chain,
      condition,
      world: place,
      game: label ?? place,
      memory,
      seed,
      attempt,
    }),
  });
  let step = start("step", {}, root); // the span of the step under way

  async function within<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    result?: (value: T) => Attributes,
  ): Promise<T> {
    const [operation = ""] = name.split(" ");
    const span = start(name, { "gen_ai.operation.name": operation, ...attributes }, step);
    try {
      const value = await work();
      if (result && showsContent()) span.setAttributes(result(value));
      return value;
    } catch (error) {
      fail(span, (error as { readonly kind?: string }).kind ?? (error as Error).name);
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    current: () => step,
    world: (world) => ({
      ...world,
      step: (action) => {
        const shown = showsContent()
          ? { "gen_ai.tool.call.arguments": JSON.stringify({ action }) }
          : {};
        const named = { "gen_ai.tool.name": place, "gen_ai.tool.type": "extension", ...shown };
        return within(
          `execute_tool ${place}`,
          named,
          () => world.step(action),
          ({ observation, score }) => ({
            "gen_ai.tool.call.result": JSON.stringify({ observation, score }),
          }),
        );
      },
    }),
    memory: (memory) =>
      new Proxy(memory, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          const own = (...args: unknown[]): unknown => value.apply(target, args); // private fields want the memory itself
          const operation = name === "observe"
            ? "update_memory"
            : name === "recall"
            ? "search_memory"
            : undefined;
          const { id = "" } = target as Partial<Memory>;
          return operation === undefined
            ? own
            : (...args: unknown[]) =>
              within(`${operation} ${id}`, ours({ memory: id }), async () => await own(...args));
        },
      }),
    step: (record) => {
      step.updateName(`step ${record.step}`);
      step.setAttributes(ours({ step: record.step, pass: record.pass, score: record.turn.score }));
      step.end();
      step = start("step", {}, root);
    },
    end: (end) => {
      step.updateName("after the last step");
      step.end();
      root.setAttribute("labyrinth.status", end.status);
      if (end.status === "completed") {
        const { score, maxScore, steps, end: ended = "stopped" } = end.passes.find(({ counts }) =>
          counts
        ) ?? end.passes.at(-1) ?? {};
        root.setAttributes(ours({ score, maxScore, steps, ended }));
      } else fail(root, end.failureKind);
      root.end();
      onEnd();
    },
  };
}

function callAttributes(operation: string, row: CallRow): Attributes {
  const { dollars: costUsd, kind: call, role, pass, step, vote, reAsk } = row;
  const maker = isOffline(row.model) ? "labyrinth" : makerOf(row.model);
  return {
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": maker === "google" ? "gcp.gemini" : maker, // in the conventions' words
    "gen_ai.request.model": row.model,
    "gen_ai.conversation.id": row.episode,
    "gen_ai.usage.input_tokens": row.promptTokens,
    "gen_ai.usage.output_tokens": row.completionTokens,
    "gen_ai.usage.cache_read.input_tokens": row.cachedTokens,
    "gen_ai.usage.reasoning.output_tokens": row.reasoningTokens,
    ...ours({ costUsd, call, role, pass, step, vote, reAsk }),
  };
}

/** The kind of an error; its message may hold what must not leave this machine. */
function fail(span: Span, type = "_OTHER"): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: 2 }); // `ERROR` of OpenTelemetry's `SpanStatusCode`
}

/** Whether spans hold prompts, replies, actions and observations. */
function showsContent(): boolean {
  return env("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")?.toLowerCase() === "true";
}

/** Request and reply of a call as JSON, where they are on record. */
function contentOf(store: Store, { key }: CallRow): Attributes {
  const row = getReplyRow(store, key);
  if (!row) return {};
  const messages = row.request["messages"] as readonly Message[];
  const { choices } = row.reply as ChatReply;
  const part = (
    content: unknown,
  ): readonly object[] => [{
    type: "text",
    content: typeof content === "string" ? content : JSON.stringify(content),
  }];
  return {
    "gen_ai.input.messages": JSON.stringify(
      messages.map(({ role, content }) => ({ role, parts: part(content) })),
    ),
    "gen_ai.output.messages": JSON.stringify(
      choices.map(({ text, finish }) => ({
        role: "assistant",
        parts: part(text),
        finish_reason: finish,
      })),
    ),
  };
}
