/**
 * Votes on one question in one call, where an endpoint draws several choices of a prompt: the prompt is sent, and paid, once.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { ModelError } from "../errors.ts";
import type { ChatModel, ChatReply, ChatRequest, Choice, Usage } from "./chat-model.ts";
import { isUnreported, markUnreported } from "./openai-reply.ts";

/** Options of `withVoteBatches`. */
export interface VoteBatchOptions {
  /** The model at its endpoint, e.g. `gpt-4o at api.openai.com`. */
  readonly place: string;
  /** Returns the record's key of a request. */
  readonly keyOf: (request: ChatRequest) => string;
  /** Called before the votes of an answered request are returned, the last of which ends its attempt. */
  readonly onDealt: (sent: ChatRequest, last: ChatRequest) => void;
}

/**
 * Sends equal requests that differ in their vote alone, and are made at the same time, as one request for as many choices, and deals these out in
 * order. Each vote gets one reply with its part of the usage: the first the prompt, each its share of the completion. An endpoint that refuses
 * several choices, or gives fewer, is asked for each vote by itself from then on.
 */
export function withVoteBatches(model: ChatModel, { place, keyOf, onDealt }: VoteBatchOptions): ChatModel {
  const gathering = new Map<string, ChatRequest[]>();
  const sending = new Map<string, Promise<Promise<ChatReply>[]>>();

  /** Answers the votes in order; waits for what they have in common alone. */
  async function send(votes: readonly ChatRequest[]): Promise<Promise<ChatReply>[]> {
    const [first] = votes;
    const alone = (): Promise<ChatReply>[] => votes.map((vote) => model.chat(vote));
    if (!first || votes.length === 1 || refusing.has(place)) return alone();
    const sent = { ...first, n: votes.length };
    try {
      const parts = dealt(await model.chat(sent));
      onDealt(sent, votes[parts.findLastIndex((part) => part !== undefined)] ?? sent);
      return parts.slice(0, votes.length).map((part, index) => part ? Promise.resolve(part) : model.chat(votes[index] as ChatRequest));
    } catch (error) {
      if (!(error instanceof ModelError) || error.kind !== "bad-request") throw error;
      const replies = alone();
      replies[0]?.then(() => refusing.add(place), () => {}); // it was the number of choices that was refused
      return replies;
    }
  }

  async function gathered(group: string): Promise<Promise<ChatReply>[]> {
    await setImmediate();
    const votes = gathering.get(group) ?? [];
    gathering.delete(group);
    sending.delete(group);
    return await send(votes);
  }

  return {
    id: model.id,
    chat: async (request) => {
      if (request.sample?.vote === undefined || (request.n ?? 1) > 1) return await model.chat(request);
      const { vote: _, ...sample } = request.sample;
      const group = keyOf({ ...request, sample });
      const place = gathering.getOrInsertComputed(group, () => []).push(request) - 1;
      const replies = await sending.getOrInsertComputed(group, () => gathered(group));
      return await (replies[place] as Promise<ChatReply>);
    },
  };
}

/** The models that refused several choices, with their endpoints. */
const refusing = new Set<string>();

/**
 * Makes one reply of each choice; `undefined` of one that a filter emptied, which is to be asked by itself. What no other has a share of, the prompt
 * too, is the first one's that is left.
 */
function dealt(reply: ChatReply): (ChatReply | undefined)[] {
  const length = reply.choices.reduce((sum, { text }) => sum + text.length, 0);
  const share = (tokens: number, { text }: Choice): number => length === 0 ? 0 : Math.floor(tokens * text.length / length);
  const isEmptied = ({ finish, text }: Choice): boolean => finish === "filter" && text === "";
  const first = reply.choices.findIndex((choice) => !isEmptied(choice));
  const left = { completion: reply.usage.completion, reasoning: reply.usage.reasoning };
  const shares = reply.choices.map((choice, index): Usage => {
    if (index === first) return NOTHING;
    const [completion, reasoning] = [share(reply.usage.completion, choice), share(reply.usage.reasoning, choice)];
    left.completion -= completion;
    left.reasoning -= reasoning;
    return { ...NOTHING, completion, reasoning };
  });
  return reply.choices.map((choice, index) => {
    if (isEmptied(choice)) return undefined;
    const usage: Usage = index === first ? { ...reply.usage, ...left } : shares[index] ?? NOTHING;
    if (isUnreported(reply.usage)) markUnreported(usage);
    return { ...reply, choices: [choice], usage };
  });
}

const NOTHING: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
