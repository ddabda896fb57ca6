/** Reads a chat completion of an endpoint. */

import { z } from "zod";
import { ModelError } from "../errors.ts";
import { countTokens } from "../text/tokens.ts";
import type { ChatReply, ChatRequest, Choice, Usage } from "./chat-model.ts";

const count = z.number().int().nonnegative();
const completionSchema = z.object({
  model: z.string().nullish(),
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.object({
      content: z.string().nullish(),
      refusal: z.string().nullish(),
      tool_calls: z.array(z.object({
        id: z.string().nullish(),
        // Some servers write the arguments as an object.
        function: z.object({ name: z.string(), arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish() }),
      })).nullish(),
    }),
  })),
  // A usage that makes no sense is no reason to throw away the answer.
  usage: z.object({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count.nullish().catch(undefined),
    prompt_cache_hit_tokens: count.nullish().catch(undefined), // DeepSeek's name of the cached ones
    cached_tokens: count.nullish().catch(undefined), // Moonshot's
    prompt_tokens_details: z.object({ cached_tokens: count.nullish(), cache_write_tokens: count.nullish() }).nullish().catch(undefined),
    completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(undefined),
  }).nullish().catch(undefined),
});
/** What gateways (OpenRouter) answer with the status 200 where the model behind them fails, at once or amid its answer. */
const failed = z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message);
const failureSchema = z.union([failed, z.object({ choices: z.tuple([failed]) }).transform(({ choices: [message] }) => message)]);
type Completion = z.infer<typeof completionSchema>;

/**
 * Converts a chat completion to a reply. Where the endpoint reports no usage that can be read, tokens are counted with OpenAI's o200k encoding.
 *
 * @throws {ModelError} `protocol` if it is no chat completion or has no choices; `refused` if the model or a filter withholds the text.
 */
export async function readReply(
  completion: unknown,
  request: ChatRequest,
  source: { readonly model: string; readonly host: string },
): Promise<ChatReply> {
  const who = `${source.model} at ${source.host}`;
  const parsed = completionSchema.safeParse(completion);
  const told = failureSchema.safeParse(completion);
  if (told.success) {
    const usage = parsed.data?.usage ? await usageOf(parsed.data, request) : undefined;
    throw new ModelError("server", `${who}: answered with an error: ${inOneLine(told.data)}`, { usage });
  }
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
    throw new ModelError("protocol", `${who}: answered something that is no chat completion${where}: ${issue?.message}`);
  }
  const { choices: given, model } = parsed.data;
  const usage = await usageOf(parsed.data, request);
  const [first, ...rest] = given.map(toChoice);
  if (!first) throw new ModelError("protocol", `${who}: answered without any choice`, { usage });
  const refusal = given.find((choice) => choice.message.refusal)?.message.refusal;
  if (refusal) throw new ModelError("refused", `${who}: refused: ${inOneLine(refusal)}`, { usage });
  if ([first, ...rest].every((choice) => choice.finish === "filter" && choice.text === "")) {
    throw new ModelError("refused", `${who}: a content filter stopped the answer`, { usage });
  }
  return { model: model || source.model, choices: [first, ...rest], usage };
}

function toChoice({ message, finish_reason }: Completion["choices"][number]): Choice {
  const toolCalls = (message.tool_calls ?? []).map((call, index) => ({
    id: call.id || `call_${index}`,
    name: call.function.name,
    arguments: typeof call.function.arguments === "string" ? call.function.arguments : JSON.stringify(call.function.arguments ?? {}),
  }));
  const ended = finish_reason === "length" ? "length" : toolCalls.length > 0 ? "tools" : "stop";
  const finish = finish_reason === "content_filter" ? "filter" : ended;
  return { text: message.content ?? "", ...(toolCalls.length > 0 ? { toolCalls } : {}), finish };
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 300);
}

async function usageOf({ usage, choices }: Completion, { messages }: ChatRequest): Promise<Usage> {
  // Gateways that do not count write zeros.
  if (usage && usage.prompt_tokens + usage.completion_tokens + (usage.total_tokens ?? 0) > 0) {
    const { cached_tokens = usage.prompt_cache_hit_tokens ?? usage.cached_tokens, cache_write_tokens: written } =
      usage.prompt_tokens_details ?? {};
    // xAI's and Google's compatible APIs count reasoning in the total alone, and charge it like the answer.
    const rest = (usage.total_tokens ?? 0) - usage.prompt_tokens;
    const cached = Math.min(cached_tokens ?? 0, usage.prompt_tokens);
    return {
      prompt: usage.prompt_tokens,
      cached,
      ...(written && { written: Math.min(written, usage.prompt_tokens - cached) }),
      completion: Math.max(usage.completion_tokens, rest),
      reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
    };
  }
  const texts = messages.map(({ content }) =>
    typeof content === "string" ? content : content.map((part) => part.kind === "text" ? part.text : "").join("\n")
  );
  const counted = {
    prompt: await countTokens(texts.join("\n")),
    cached: 0,
    completion: await countTokens(choices.map((choice) => choice.message.content ?? "").join("\n")),
    reasoning: 0,
  };
  markUnreported(counted);
  return counted;
}

const unreported = new WeakSet<Usage>();

/** Notes that a usage is not the endpoint's own. */
export function markUnreported(usage: Usage): void {
  unreported.add(usage);
}

/** Whether a usage is our own count, because the endpoint reported none: what it charged may be more. */
export function isUnreported(usage: Usage): boolean {
  return unreported.has(usage);
}
