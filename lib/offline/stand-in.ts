/**
 * The stand-in's model: deterministic rules instead of a language model, so that everything runs
 * without key and network. It sees only the messages and keeps nothing between calls. Its results
 * are labelled `offline`.
 */

import { ModelError } from "../core/errors.ts";
import type {
  ChatModel,
  ChatReply,
  ChatRequest,
  Choice,
  Message,
  ToolCall,
  ToolSpec,
} from "../core/llm/chat-model.ts";
import { createDraw, type Draw } from "../core/random.ts";
import { cutSections, readSections } from "../core/text/sections.ts";
import { loadTokenCounter, type TokenCounter } from "../core/text/tokens.ts";
import { type ErrorRates, type Errs, NO_ERRORS } from "./errors.ts";
import type { PlayerProfile } from "./profiles.ts";
import { createReading, saltOf } from "./simulated.ts";

/** The version of the rules; it is part of an episode's identity. */
export const OFFLINE_RULES = "5";

/** Options that weaken the stand-in. */
export interface OfflineOptions extends Partial<ErrorRates> {
  /**
   * Tokens of sections that are read, ≥ 1; the oldest part of longer ones is dropped.
   * @default {8000}
   */
  readonly window?: number;
  /**
   * 1 − the rate of missed triplets, in [0, 1].
   * @default {1}
   */
  readonly recall?: number;
  /**
   * 1 − the rate of wrong triplets, missed doors and invented passages, in [0, 1].
   * @default {1}
   */
  readonly precision?: number;
  /**
   * Seed of the dropped and wrong facts and of ties.
   * @default {0}
   */
  readonly seed?: number;
}

/** A prompt as a responder gets it: what a language model would see. */
export interface OfflinePrompt {
  /** The role that asks, e.g. `react/act`. */
  readonly role: string;
  /** Title → text, cut to the reading window. */
  readonly sections: Readonly<Record<string, string>>;
  /** The system messages, joined by line breaks. */
  readonly system: string;
  /** The tools offered. */
  readonly tools: readonly ToolSpec[];
  /** The options of this model, defaults filled in. */
  readonly modelOptions: Required<OfflineOptions>;
  /**
   * Draws of an error if it happens to `what` in this call, else `undefined`; `draw` is not moved.
   */
  readonly errs: Errs;
  /** Random draws, seeded by modelOptions, sample and prompt. */
  readonly draw: Draw;
}

/** A reply: text, or calls of the tools offered. */
export type OfflineAnswer = string | {
  readonly text?: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
};

/** Answers one role. */
export interface Responder {
  /** The role that asks, e.g. `react/act`. */
  readonly role: string;
  /**
   * Brings the sections of differently ordered prompts into one form, which also seeds the draws.
   */
  normalise?(sections: OfflinePrompt["sections"]): OfflinePrompt["sections"];
  /** The reply to a prompt, a pure function of it. */
  answer(prompt: OfflinePrompt): OfflineAnswer;
}

const DEFAULT_OPTIONS: Required<OfflineOptions> = {
  window: 8000,
  recall: 1,
  precision: 1,
  seed: 0,
  ...NO_ERRORS,
};

/**
 * Creates a model that answers each request by the responder of its role.
 * @throws {RangeError} if an option is out of range.
 *
 * @example
 * ```ts
 * import { createStandIn } from "labyrinth/offline";
 * import assert from "node:assert/strict";
 *
 * const model = createStandIn({ responders: [{ role: "demo/echo", answer: ({ sections }) => sections["Said"] ?? "" }] });
 * const reply = await model.chat({ role: "demo/echo", messages: [{ role: "user", content: "### Said\nhello" }] });
 * assert.equal(reply.choices[0].text, "hello");
 * assert.equal(model.id, "offline");
 * ```
 */
export function createStandIn(
  options: {
    readonly responders: readonly Responder[];
    readonly modelOptions?: OfflineOptions;
    readonly profile?: PlayerProfile;
  },
): ChatModel {
  const modelOptions = withErrors(checked({ ...DEFAULT_OPTIONS, ...options.modelOptions }));
  const responders = new Map(options.responders.map((responder) => [responder.role, responder]));
  return {
    id: "offline",
    async chat(request): Promise<ChatReply> {
      const responder = responders.get(request.role);
      if (!responder) {
        const roles = [...responders.keys()].join(", ") || "none";
        throw new ModelError(
          "unknown-role",
          `the stand-in has no answer for the role ${request.role}; it knows ${roles}: bind the role to a real model`,
        );
      }
      return reply(
        request,
        { responder, modelOptions, profile: options.profile },
        await loadTokenCounter(),
      );
    },
  };
}

interface Answerer {
  readonly responder: Responder;
  readonly modelOptions: Required<OfflineOptions>;
  readonly profile?: PlayerProfile;
}

function reply(
  request: ChatRequest,
  { responder, modelOptions, profile }: Answerer,
  count: TokenCounter,
): ChatReply {
  const system = request.messages.filter((message) => message.role === "system").map(textOf).join(
    "\n",
  );
  const users = request.messages.filter((message) => message.role !== "system").map(textOf);
  const tokens = request.messages.reduce((sum, message) => sum + count(textOf(message)), 0);
  const written: OfflinePrompt["sections"] = Object.assign({}, ...users.map(readSections));
  const normal = responder.normalise &&
    Object.fromEntries(
      Object.entries(responder.normalise(written)).sort(([a], [b]) => a < b ? -1 : 1),
    );
  const all: OfflinePrompt["sections"] = normal ?? written;
  const said = normal ? [normal] : [system, users];
  const sections = 2 * tokens <= modelOptions.window
    ? all
    : cutSections(all, modelOptions.window, count); // cut apart, a text has fewer than twice its tokens
  const reading = profile && createReading(profile, tokens, sections);
  const { attempt, pass, vote, reAsk } = request.sample ?? {};
  const choices = Array.from({ length: Math.max(1, request.n ?? 1) }, (_, index): Choice => {
    const key = JSON.stringify([
      modelOptions.seed,
      attempt,
      pass,
      vote,
      reAsk,
      index,
      request.role,
      ...said,
    ]);
    const answer = responder.answer({
      role: request.role,
      sections: reading?.(key) ?? sections,
      system,
      tools: request.tools ?? [],
      modelOptions,
      draw: createDraw(key),
      errs: (error, what) => {
        if (modelOptions[error] === 0) return undefined;
        const draw = createDraw(`${saltOf(key)} ${error} ${what}`);
        return draw.next() < modelOptions[error] ? draw : undefined;
      },
    });
    return asChoice(answer, request.sampling?.maxTokens, count);
  });
  return {
    model: "offline",
    choices: choices as [Choice, ...Choice[]],
    usage: {
      prompt: tokens,
      cached: 0,
      completion: choices.reduce(
        (sum, choice) =>
          sum +
          count(
            choice.text +
              (choice.toolCalls ?? []).map((call) => call.name + call.arguments).join(""),
          ),
        0,
      ),
      reasoning: 0,
    },
  };
}

function asChoice(
  answer: OfflineAnswer,
  maxTokens: number | undefined,
  count: TokenCounter,
): Choice {
  const text = typeof answer === "string" ? answer : answer.text ?? "";
  if (maxTokens !== undefined && count(text) > maxTokens) {
    return {
      text: text.slice(0, Math.floor(text.length * maxTokens / count(text))),
      finish: "length",
    };
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

function checked(modelOptions: Required<OfflineOptions>): Required<OfflineOptions> {
  if (!(modelOptions.window >= 1)) {
    throw new RangeError(
      `the reading window must be at least 1 token, not ${modelOptions.window}: choose a larger one`,
    );
  }
  for (
    const knob of [
      "recall",
      "precision",
      ...Object.keys(NO_ERRORS) as (keyof ErrorRates)[],
    ] as const
  ) {
    if (!(modelOptions[knob] >= 0 && modelOptions[knob] <= 1)) {
      throw new RangeError(`the option ${knob} must lie in [0, 1], not ${modelOptions[knob]}`);
    }
  }
  return modelOptions;
}

function withErrors(modelOptions: Required<OfflineOptions>): Required<OfflineOptions> {
  const { recall, precision } = modelOptions;
  const either = (rate: number, share: number): number =>
    rate === 0 ? 1 - share : 1 - (1 - rate) * share;
  return {
    ...modelOptions,
    missedTriplet: either(modelOptions.missedTriplet, recall),
    wrongTriplet: either(modelOptions.wrongTriplet, precision),
    missedDoor: either(modelOptions.missedDoor, precision),
    rotationAsPassage: either(modelOptions.rotationAsPassage, precision),
  };
}
