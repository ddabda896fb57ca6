/**
 * Several questions in one request: votes and choices where an endpoint draws several choices of a
 * prompt, which is then paid once; and texts to an embeddings model. Each question has a recorded
 * reply and a call of its own, each request one attempt.
 */

import { setImmediate } from "node:timers/promises";
import { ModelError } from "../errors.ts";
import type { ChatModel, ChatReply, ChatRequest, Usage } from "./chat-model.ts";
import { addUsage } from "./asker.ts";
import { isUnreported, markUnreported } from "./openai-reply.ts";
import type { ServedModel } from "./provider.ts";
import { type Refusals, refuse } from "./refusals.ts";

export interface SharedRequestsOptions extends Pick<ServedModel, "drawsChoices" | "batch"> {
  readonly place: string;
  readonly refusals: Refusals;
  readonly keyOf: (request: ChatRequest) => string;
  readonly onDealt: (attempt: number, replies: number) => void;
}

/**
 * Asks for `n` choices as `n` requests that differ in the `choice` of their sample, each recorded
 * by itself. A recorded reply to the whole is taken as it is.
 */
export function withChoices(
  model: ChatModel,
  isRecorded: (request: ChatRequest) => boolean,
): ChatModel {
  return {
    id: model.id,
    chat: async (request) => {
      const { n = 1, ...one } = request;
      if (n === 1 || isRecorded(request)) return await model.chat(request);
      const asked = Array.from(
        { length: n },
        (_, choice) => model.chat({ ...one, sample: { ...one.sample, choice } }),
      );
      await Promise.allSettled(asked); // what is answered is on record, also where another choice fails
      const [first, ...others] = await Promise.all(asked) as [ChatReply, ...ChatReply[]];
      const usage = others.map((reply) => reply.usage).reduce(addAll, first.usage);
      return {
        ...first,
        choices: [first.choices[0], ...others.map(({ choices }) => choices[0])],
        usage,
      };
    },
  };
}

function addAll(a: Usage, b: Usage): Usage {
  const sum = addUsage(a, b);
  if (isUnreported(a) || isUnreported(b)) markUnreported(sum);
  return sum;
}

/**
 * Sends simultaneous requests as one where they may share it, and deals out the choices in order:
 * votes and choices of one question, or texts where the model takes a `batch`. Each reply has its
 * part of the usage. An endpoint that refuses several choices, or gives fewer, is asked one by one
 * from then on, the first alone, so that the others find its prompt in the cache.
 */
export function withSharedRequests(model: ChatModel, options: SharedRequestsOptions): ChatModel {
  const { place, refusals, keyOf, onDealt, drawsChoices = false, batch } = options;
  const gathering = new Map<string, ChatRequest[]>();
  const sending = new Map<string, Promise<Promise<ChatReply>[]>>();

  function alone(requests: readonly ChatRequest[]): Promise<ChatReply>[] {
    const [first, ...others] = requests.map(withOwnSeed);
    if (!first) return [];
    const reply = model.chat(first);
    return [reply, ...others.map((request) => reply.then(() => model.chat(request)))];
  }

  async function send(requests: readonly ChatRequest[]): Promise<Promise<ChatReply>[]> {
    const [first] = requests;
    if (
      !first || requests.length === 1 ||
      (batch === undefined && (!drawsChoices || refusals.get(place)?.has("choices")))
    ) {
      return alone(requests);
    }
    const sent = batch === undefined
      ? { ...first, n: requests.length }
      : { ...first, messages: requests.flatMap(({ messages }) => messages) };
    try {
      const reply = await model.chat(sent);
      const parts = batch === undefined
        ? dealt(reply, reply.choices.map(({ text }) => text.length), { sharesPrompt: false })
        : dealt(reply, requests.map(lengthOf), { sharesPrompt: true });
      if (reply.attempt !== undefined) {
        onDealt(reply.attempt, parts.filter(Boolean).length);
      }
      return requests.map((request, index) => {
        const part = parts[index];
        return part ? Promise.resolve(part) : model.chat(request);
      });
    } catch (error) {
      if (!(error instanceof ModelError) || error.kind !== "bad-request" || batch !== undefined) {
        throw error;
      }
      const replies = alone(requests);
      replies[0]?.then(() => refuse(refusals, place, "choices"), () => {}); // it was the number of choices that was refused
      return replies;
    }
  }

  async function gathered(group: string): Promise<Promise<ChatReply>[]> {
    await setImmediate();
    const requests = gathering.get(group) ?? [];
    gathering.delete(group);
    sending.delete(group);
    if (requests.length <= (batch ?? Infinity)) return await send(requests);
    const size = batch ?? 1;
    const parts = Array.from(
      { length: Math.ceil(requests.length / size) },
      (_, at) => requests.slice(at * size, (at + 1) * size),
    );
    return parts.flatMap((part) => each(send(part), part.length));
  }

  return {
    id: model.id,
    chat: async (request) => {
      const group = batch === undefined ? groupOf(request, keyOf) : "texts";
      if (group === undefined) return await model.chat(request);
      const place = gathering.getOrInsertComputed(group, () => []).push(request) - 1;
      const replies = await sending.getOrInsertComputed(group, () => gathered(group));
      return await (replies[place] as Promise<ChatReply>);
    },
  };
}

function each(replies: Promise<Promise<ChatReply>[]>, length: number): Promise<ChatReply>[] {
  return Array.from(
    { length },
    async (_, index) => await ((await replies)[index] as Promise<ChatReply>),
  );
}

/** What votes and choices of one question have in common; `undefined` of any other request. */
function groupOf(
  request: ChatRequest,
  keyOf: (request: ChatRequest) => string,
): string | undefined {
  const { vote, choice, ...sample } = request.sample ?? {};
  if ((request.n ?? 1) > 1 || (vote === undefined && choice === undefined)) return undefined;
  return keyOf({ ...request, sample: choice === undefined ? sample : { ...sample, vote } });
}

/** The request with a seed of its own: the same one would draw the same choice again. */
function withOwnSeed(request: ChatRequest, index: number): ChatRequest {
  const { seed } = request.sampling ?? {};
  return seed === undefined || index === 0
    ? request
    : { ...request, sampling: { ...request.sampling, seed: seed + index } };
}

function lengthOf({ messages }: ChatRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length + 1, 0);
}

/**
 * Makes one reply of each choice, whose share of the usage goes by its weight; `undefined` for one
 * that a filter emptied. The remainder goes to the first. Choices drawn of one prompt have no share
 * of the prompt.
 */
function dealt(
  reply: ChatReply,
  weights: readonly number[],
  { sharesPrompt }: { readonly sharesPrompt: boolean },
): (ChatReply | undefined)[] {
  const { usage, choices } = reply;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const isEmptied = choices.map(({ finish, text }) => finish === "filter" && text === "");
  const first = isEmptied.indexOf(false);
  const share = (tokens: number, index: number): number =>
    total === 0 ? 0 : Math.floor(tokens * (weights[index] ?? 0) / total);
  const own = (index: number): Usage => ({
    prompt: sharesPrompt ? share(usage.prompt, index) : 0,
    cached: 0,
    completion: share(usage.completion, index),
    reasoning: share(usage.reasoning, index),
  });
  const others = choices.map((_, index) => own(index)).filter((_, index) => index !== first).reduce(
    addUsage,
    NOTHING,
  );
  const rest = {
    prompt: usage.prompt - others.prompt,
    completion: usage.completion - others.completion,
    reasoning: usage.reasoning - others.reasoning,
  };
  return choices.map((choice, index) => {
    if (isEmptied[index]) return undefined;
    const part = index === first ? { ...usage, ...rest } : own(index);
    if (isUnreported(usage)) markUnreported(part);
    return { ...reply, choices: [choice], usage: part };
  });
}

const NOTHING: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
