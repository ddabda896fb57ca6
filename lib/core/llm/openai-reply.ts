import { z } from "zod";
import { ModelError } from "../errors.ts";
import { countTokens } from "../text/tokens.ts";
import type { ChatReply, ChatRequest, Choice, Usage } from "./chat-model.ts";
import { verdictOn } from "./endpoint-verdicts.ts";
import { argumentsOf } from "./tool-arguments.ts";
import { usageIn } from "./usage.ts";

/** Mistral's reasoning models answer in parts, of which only the texts are the answer. */
const content = z.union([
  z.string().transform((text) => ({ text, thought: "" })),
  z.array(z.looseObject({ type: z.string() })).transform((parts) => {
    const of = (kind: RegExp): string =>
      parts.filter(({ type }) => kind.test(type)).map(textIn).join("");
    return { text: of(/^(output_)?text$/), thought: of(/think|reason|thought/) };
  }),
]);
const completionSchema = z.object({
  model: z.string().nullish(),
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    message: z.looseObject({
      content: content.nullish(),
      refusal: z.string().nullish(),
      tool_calls: z.array(z.object({
        id: z.string().nullish(),
        function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
      })).nullish(),
    }),
  })),
});
/**
 * What gateways (OpenRouter) answer with the status 200 where the model behind them fails, at once
 * or amid its answer.
 */
const failed = z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) =>
  error.message
);
const failureSchema = z.union([
  failed,
  z.object({ choices: z.tuple([failed]) }).transform(({ choices: [message] }) => message),
]);
type Completion = z.infer<typeof completionSchema>;

/**
 * Converts a chat completion to a reply. Without a readable usage, tokens are counted in o200k.
 * @throws {ModelError} `protocol` if it is no chat completion or has no choices; `refused` if the
 * model or a filter withholds the text.
 */
export async function readReply(
  completion: unknown,
  request: ChatRequest,
  source: { readonly model: string; readonly host: string },
): Promise<ChatReply> {
  const who = `${source.model} at ${source.host}`;
  const parsed = completionSchema.safeParse(completion);
  const reported = usageIn(completion);
  const told = failureSchema.safeParse(completion);
  if (told.success) {
    const { kind, remedy } = verdictOn(500, told.data);
    const isTooLong = kind === "context-length";
    const what = `${who}: answered with an error: ${inOneLine(told.data)}${
      isTooLong ? `; ${remedy}` : ""
    }`;
    throw new ModelError(isTooLong ? kind : "server", what, { usage: reported });
  }
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
    throw new ModelError(
      "protocol",
      `${who}: the answer is not a chat completion${where}: ${issue?.message}`,
      {
        usage: reported,
      },
    );
  }
  const { choices: given, model } = parsed.data;
  const choices = given.map(toChoice);
  const usage = reported ?? await countedUsage(choices, request);
  const [first, ...rest] = choices;
  if (!first) throw new ModelError("protocol", `${who}: the answer has no choice`, { usage });
  const broken = given.find(({ finish_reason }) => BROKEN_OFF.test(finish_reason ?? ""))
    ?.finish_reason;
  if (broken) {
    throw new ModelError(
      "server",
      `${who}: ended its answer early with the finish_reason ${inOneLine(broken)}`,
      { usage },
    );
  }
  const refusal = given.find((choice) => choice.message.refusal)?.message.refusal;
  if (refusal) throw new ModelError("refused", `${who}: refused: ${inOneLine(refusal)}`, { usage });
  if (choices.every((choice) => choice.finish === "filter" && choice.text === "")) {
    throw new ModelError("refused", `${who}: a content filter stopped the answer`, { usage });
  }
  return { model: model || source.model, choices: [first, ...rest], usage };
}

const BROKEN_OFF =
  /^(error|abort(ed)?|cancell?ed|timeout|insufficient_system_resource|network_error)$/i;

const CUT =
  /^(length|max_(output_)?tokens|model_length|(model_context_window|context_length)_exceeded)$/i;

/** The fields in which servers show what a model reasoned, in the order in which they are taken. */
const THOUGHTS = ["reasoning_content", "reasoning", "thinking"] as const;

function toChoice({ message, finish_reason }: Completion["choices"][number]): Choice {
  const toolCalls = (message.tool_calls ?? []).map((call, index) => ({
    id: call.id || `call_${index}`,
    name: call.function.name,
    arguments: argumentsOf(call.function.arguments),
  }));
  const { text = "", thought: inParts = "" } = message.content ?? {};
  const thought =
    (THOUGHTS.map((field) => textIn(message[field])).find((found) => found.trim()) ?? inParts)
      .trim();
  const ended = CUT.test(finish_reason ?? "") ? "length" : toolCalls.length > 0 ? "tools" : "stop";
  const finish = finish_reason === "content_filter" ? "filter" : ended;
  return {
    text,
    ...(thought && { thought }),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    finish,
  };
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textIn).join("");
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value).map(([name, part]) =>
    /^(text|thinking|reasoning|content|summary)$/.test(name) ? textIn(part) : ""
  ).join("");
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 300);
}

export function promptText({ messages }: Pick<ChatRequest, "messages">): string {
  return messages.map(({ content }) =>
    typeof content === "string"
      ? content
      : content.map((part) => part.kind === "text" ? part.text : "").join("\n")
  ).join("\n");
}

async function countedUsage(choices: readonly Choice[], request: ChatRequest): Promise<Usage> {
  const reasoning = await countTokens(choices.map(({ thought = "" }) => thought).join(""));
  const counted = {
    prompt: await countTokens(promptText(request)),
    cached: 0,
    completion: await countTokens(choices.map(({ text }) => text).join("\n")) + reasoning,
    reasoning,
  };
  markUnreported(counted);
  return counted;
}

const unreported = new WeakSet<Usage>();

export function markUnreported(usage: Usage): void {
  unreported.add(usage);
}

export function isUnreported(usage: Usage): boolean {
  return unreported.has(usage);
}
