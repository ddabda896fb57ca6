/**
 * The offline backbone: a deterministic, rule-based stand-in for a language model, so that everything runs with no key and no network. It
 * sees exactly the messages that a language model would see and keeps nothing between calls. It is no language model: whatever its
 * numbers reach says `offline`.
 *
 * @module
 */

import { ModelError } from "../errors.ts";
import { readSections } from "../text/sections.ts";
import { loadTokenCounter, type TokenCounter } from "../text/tokens.ts";
import type { ChatModel, ChatReply, ChatRequest, Choice, Message, ToolCall, ToolSpec } from "../llm/chat-model.ts";
import { createDraw, type Draw } from "../random.ts";
import { readWithin } from "./reading-window.ts";

/** Version of the rules by which the offline backbone answers: raised when they change, and part of an episode's identity. */
export const OFFLINE_RULES = "1";

/** What can be turned to study a memory under a controlled backbone. */
export interface OfflineOptions {
  /** Tokens of the sections that are read; of longer ones the oldest part goes unread. ≥ 1. @default {8000} */
  readonly window?: number;
  /** Share of the facts that extraction finds, in [0, 1]. @default {1} */
  readonly recall?: number;
  /** Share of the found facts that extraction gets right, in [0, 1]; the others come out corrupted. @default {1} */
  readonly precision?: number;
  /** Seeds dropped and corrupted facts and breaks ties between equally good actions. @default {0} */
  readonly seed?: number;
}

/** What a responder is given: the sections read back from the messages, and nothing that a language model would not see. */
export interface OfflinePrompt {
  /** Who asks, e.g. `arigraph/extract`. */
  readonly role: string;
  /** Title → body, within the reading window. */
  readonly sections: Readonly<Record<string, string>>;
  /** The system messages, joined by line ends; empty where there is none. */
  readonly system: string;
  /** Those offered; empty where there are none. */
  readonly tools: readonly ToolSpec[];
  /** As they stand for this model, none left out. */
  readonly knobs: Required<OfflineOptions>;
  /** Seeded by knobs, sample and prompt: the same prompt is answered alike, another vote or attempt need not be. */
  readonly draw: Draw;
}

/** What a responder gives: text, or calls of the tools that it was offered. */
export type OfflineAnswer = string | {
  readonly text?: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
};

/** How one role is answered. */
export interface Responder {
  /** The one that it answers, e.g. `ariadne/act`. */
  readonly role: string;
  /** The reply to one prompt, made of nothing but that prompt. */
  answer(prompt: OfflinePrompt): OfflineAnswer;
}

/** The knobs as they stand untouched. */
export const DEFAULT_KNOBS: Required<OfflineOptions> = { window: 8000, recall: 1, precision: 1, seed: 0 };

/**
 * A chat model that answers by the responder of the request's role.
 *
 * @throws {RangeError} if a knob is out of its range.
 *
 * @example
 * ```ts
 * import { createOfflineBackbone } from "labyrinth/offline";
 * import assert from "node:assert/strict";
 *
 * const model = createOfflineBackbone({ responders: [{ role: "demo/echo", answer: ({ sections }) => sections["Said"] ?? "" }] });
 * const reply = await model.chat({ role: "demo/echo", messages: [{ role: "user", content: "### Said\nhello" }] });
 * assert.equal(reply.choices[0].text, "hello");
 * assert.equal(model.id, "offline");
 * ```
 */
export function createOfflineBackbone(options: { readonly responders: readonly Responder[]; readonly knobs?: OfflineOptions }): ChatModel {
  const knobs = checked({ ...DEFAULT_KNOBS, ...options.knobs });
  const responders = new Map(options.responders.map((responder) => [responder.role, responder]));
  return {
    id: "offline",
    async chat(request): Promise<ChatReply> {
      const responder = responders.get(request.role);
      if (!responder) {
        const roles = [...responders.keys()].join(", ") || "none";
        throw new ModelError(
          "unknown-role",
          `the offline backbone has no answer for the role ${request.role}; it knows ${roles}: bind the role to a real model`,
        );
      }
      return reply(request, responder, knobs, await loadTokenCounter());
    },
  };
}

function reply(request: ChatRequest, responder: Responder, knobs: Required<OfflineOptions>, count: TokenCounter): ChatReply {
  const system = request.messages.filter((message) => message.role === "system").map(textOf).join("\n");
  const users = request.messages.filter((message) => message.role !== "system").map(textOf);
  const sections = readWithin(Object.assign({}, ...users.map(readSections)), knobs.window, count);
  const { attempt, pass, vote, reAsk } = request.sample ?? {};
  const choices = Array.from({ length: Math.max(1, request.n ?? 1) }, (_, index): Choice => {
    const draw = createDraw(JSON.stringify([knobs.seed, attempt, pass, vote, reAsk, index, request.role, system, users]));
    const answer = responder.answer({ role: request.role, sections, system, tools: request.tools ?? [], knobs, draw });
    return asChoice(answer, request.sampling?.maxTokens, count);
  });
  return {
    model: "offline",
    choices: choices as [Choice, ...Choice[]],
    usage: {
      prompt: request.messages.reduce((sum, message) => sum + count(textOf(message)), 0),
      cached: 0,
      completion: choices.reduce(
        (sum, choice) => sum + count(choice.text + (choice.toolCalls ?? []).map((call) => call.name + call.arguments).join("")),
        0,
      ),
      reasoning: 0,
    },
  };
}

function asChoice(answer: OfflineAnswer, maxTokens: number | undefined, count: TokenCounter): Choice {
  const text = typeof answer === "string" ? answer : answer.text ?? "";
  if (maxTokens !== undefined && count(text) > maxTokens) {
    return { text: text.slice(0, Math.floor(text.length * maxTokens / count(text))), finish: "length" };
  }
  if (typeof answer === "string" || answer.calls.length === 0) return { text, finish: "stop" };
  const toolCalls = answer.calls.map((call, index): ToolCall => ({
    id: `call-${index}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return { text, toolCalls, finish: "tools" };
}

function textOf(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
}

function checked(knobs: Required<OfflineOptions>): Required<OfflineOptions> {
  if (!(knobs.window >= 1)) throw new RangeError(`the reading window must be at least 1 token, not ${knobs.window}: choose a larger one`);
  for (const knob of ["recall", "precision"] as const) {
    if (!(knobs[knob] >= 0 && knobs[knob] <= 1)) throw new RangeError(`the knob ${knob} must lie in [0, 1], not ${knobs[knob]}`);
  }
  return knobs;
}
