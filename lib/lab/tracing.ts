/**
 * Traces of a run as OpenTelemetry spans, by the semantic conventions for generative AI: one trace an episode (`invoke_agent`), in it a span for
 * each agent step, and in that its calls of models (`chat`, `embeddings`), actions in the world (`execute_tool`) and uses of the memory
 * (`search_memory`, `update_memory`).
 *
 * They are sent where `OTEL_EXPORTER_OTLP_ENDPOINT` (or `…_TRACES_ENDPOINT`) says; the other standard variables hold, too. Prompts, replies, actions
 * and observations are left out unless `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`.
 */

import type { Attributes, Span, Tracer } from "@opentelemetry/api";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
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

/** Options of `openTracing`. */
export interface TracingOptions {
  /** Holds requests and replies, which spans show where their content is asked for. */
  readonly store: Store;
  /** Called once where the traces cannot be sent: the run goes on without. */
  readonly onDelay?: (what: string) => void;
}

/** Opens the traces of a run; `undefined` where no receiver is set. */
export async function openTracing({ store, onDelay }: TracingOptions): Promise<Tracing | undefined> {
  const receiver = env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? env("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (receiver === undefined || env("OTEL_SDK_DISABLED") === "true") return undefined;
  const { BatchSpanProcessor, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const exporter = withNotice(
    await createExporter(),
    () => onDelay?.(`the traces cannot be sent to ${withoutLogin(receiver)}; the run goes on without`),
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": env("OTEL_SERVICE_NAME") ?? "labyrinth" }),
    // A run with the offline backbone makes spans faster than they are sent.
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 200_000, scheduledDelayMillis: 1000 })],
  });
  const { ROOT_CONTEXT, trace } = await import("@opentelemetry/api");
  const tracer = provider.getTracer("labyrinth");
  const start: StartSpan = (name, attributes, { parent, at } = {}) =>
    tracer.startSpan(
      name,
      { attributes, startTime: at, kind: kindOf(attributes) },
      parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    );
  const running = new Map<string, RunningTrace>();
  return {
    begin: (episode) => {
      const traced = createTrace(start, episode, () => running.delete(episode.id));
      running.set(episode.id, traced);
      return traced;
    },
    call: (row) => {
      const from = row.kind === "replayed" ? row.at : row.at - row.latencyMs; // an answer from the record takes no time
      const parent = row.episode === undefined ? undefined : running.get(row.episode)?.current();
      const span = start(`${operationOf(row)} ${row.model}`, callAttributes(row), { parent, at: from });
      if (showsContent()) span.setAttributes(contentOf(store, row));
      if (row.kind === "wasted") fail(span, row.error);
      span.end(row.at);
    },
    close: () => provider.shutdown().catch(() => {}), // that they cannot be sent is told already
  };
}

type StartSpan = (
  name: string,
  attributes: Attributes,
  place?: { readonly parent?: Span; readonly at?: number },
) => ReturnType<Tracer["startSpan"]>;

/** `CLIENT` and `INTERNAL` of OpenTelemetry's `SpanKind`: calls of models go to another process. */
function kindOf({ "gen_ai.operation.name": operation, "gen_ai.provider.name": provider }: Attributes): number {
  return (operation === "chat" || operation === "embeddings") && provider !== "labyrinth" ? 2 : 0;
}

async function createExporter(): Promise<SpanExporter> {
  const protocol = env("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? env("OTEL_EXPORTER_OTLP_PROTOCOL");
  const { OTLPTraceExporter } = protocol === "http/json"
    ? await import("@opentelemetry/exporter-trace-otlp-http")
    : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter();
}

/** Calls `notice` at the first failure, and sends nothing more: a run must not wait for a receiver that is gone. */
function withNotice(exporter: SpanExporter, notice: () => void): SpanExporter {
  let failed = false;
  return {
    export: (spans, done) => {
      if (failed) return done({ code: 0 });
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !failed) {
          failed = true;
          notice();
        }
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

interface RunningTrace extends EpisodeTrace {
  /** The span of the step under way. */
  current(): Span;
}

function createTrace(start: StartSpan, episode: EpisodeRecord, onEnd: () => void): RunningTrace {
  const root = start(`invoke_agent ${episode.method}`, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": episode.method,
    "gen_ai.conversation.id": episode.id,
    "gen_ai.request.model": episode.backbone,
    ...episodeAttributes(episode),
  });
  let step = start("step", {}, { parent: root });

  async function within<T>(name: string, attributes: Attributes, work: () => Promise<T>, result?: (value: T) => Attributes): Promise<T> {
    const span = start(name, attributes, { parent: step });
    try {
      const value = await work();
      if (result && showsContent()) span.setAttributes(result(value));
      return value;
    } catch (error) {
      fail(span, (error as { readonly kind?: string; readonly name?: string }).kind ?? (error as Error).name);
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
        const named = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": episode.world, "gen_ai.tool.type": "extension" };
        const shown = showsContent() ? { "gen_ai.tool.call.arguments": JSON.stringify({ action }) } : {};
        return within(`execute_tool ${episode.world}`, { ...named, ...shown }, () => world.step(action), ({ observation, score }) => ({
          "gen_ai.tool.call.result": JSON.stringify({ observation, score }),
        }));
      },
    }),
    memory: (memory) =>
      watched(memory, (operation, work) => {
        const { id = "" } = memory as Partial<Memory>;
        return within(`${operation} ${id}`, { "gen_ai.operation.name": operation, "labyrinth.memory": id }, work);
      }),
    step: (record) => {
      step.updateName(`step ${record.step}`);
      step.setAttributes({ "labyrinth.step": record.step, "labyrinth.pass": record.pass, "labyrinth.score": record.turn.score });
      step.end();
      step = start("step", {}, { parent: root });
    },
    end: (end) => {
      step.updateName("after the last step");
      step.end();
      root.setAttributes(endAttributes(end));
      if (end.status !== "completed") fail(root, end.failureKind);
      root.end();
      onEnd();
    },
  };
}

/** A memory whose observations and recalls go through `within`; all else is its own. */
function watched<M extends object>(memory: M, within: <T>(operation: string, work: () => Promise<T>) => Promise<T>): M {
  const operations: Readonly<Record<string | symbol, string>> = { observe: "update_memory", recall: "search_memory" };
  return new Proxy(memory, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const own = (...args: unknown[]): unknown => value.apply(target, args); // private fields want the memory itself
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      return operation === undefined ? own : (...args: unknown[]) => within(operation, async () => await own(...args));
    },
  });
}

function episodeAttributes({ id, study, lane, condition, world, memory, label, seed, attempt }: EpisodeRecord): Attributes {
  const fields = { episode: id, study, lane, condition, world, game: label ?? world, memory, seed, attempt };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`labyrinth.${name}`, value]));
}

function endAttributes(end: EpisodeEnd): Attributes {
  if (end.status !== "completed") return { "labyrinth.status": end.status };
  const { score, maxScore, steps, end: ended = "stopped" } = end.passes.find(({ counts }) => counts) ?? end.passes.at(-1) ?? {};
  return {
    "labyrinth.status": end.status,
    "labyrinth.score": score,
    "labyrinth.max_score": maxScore,
    "labyrinth.steps": steps,
    "labyrinth.ended": ended,
  };
}

function operationOf({ role }: CallRow): "chat" | "embeddings" {
  return role === EMBEDDING_ROLE ? "embeddings" : "chat";
}

function callAttributes(row: CallRow): Attributes {
  return {
    "gen_ai.operation.name": operationOf(row),
    "gen_ai.provider.name": providerNameOf(row.model),
    "gen_ai.request.model": row.model,
    "gen_ai.conversation.id": row.episode,
    "gen_ai.usage.input_tokens": row.promptTokens,
    "gen_ai.usage.output_tokens": row.completionTokens,
    "gen_ai.usage.cache_read.input_tokens": row.cachedTokens,
    "gen_ai.usage.reasoning.output_tokens": row.reasoningTokens,
    "labyrinth.cost_usd": row.dollars ?? undefined,
    "labyrinth.call": row.kind,
    "labyrinth.role": row.role,
    "labyrinth.pass": row.pass,
    "labyrinth.step": row.step,
    "labyrinth.vote": row.vote,
    "labyrinth.re_ask": row.reAsk,
  };
}

/** The protocol that a model is called by, in the conventions' words. */
function providerNameOf(model: string): string {
  if (isOffline(model)) return "labyrinth";
  const maker = makerOf(model);
  return maker === "google" ? "gcp.gemini" : maker;
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
function contentOf(store: Store, { key, role }: CallRow): Attributes {
  const row = role === EMBEDDING_ROLE ? undefined : getReplyRow(store, key);
  if (!row) return {};
  const messages = row.request["messages"] as readonly Message[];
  const { choices } = row.reply as ChatReply;
  const part = (
    content: unknown,
  ): readonly object[] => [{ type: "text", content: typeof content === "string" ? content : JSON.stringify(content) }];
  return {
    "gen_ai.input.messages": JSON.stringify(messages.map(({ role, content }) => ({ role, parts: part(content) }))),
    "gen_ai.output.messages": JSON.stringify(
      choices.map(({ text, finish }) => ({ role: "assistant", parts: part(text), finish_reason: finish })),
    ),
  };
}
