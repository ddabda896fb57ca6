/**
 * Notices servers that cut a prompt to their window without a word (Ollama, LM Studio): only the
 * tokens that they report as read show it.
 */

import { Buffer } from "node:buffer";
import { countTokens } from "../text/tokens.ts";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { promptText } from "./openai-reply.ts";

/**
 * The share of our o200k count below which a server has not read the whole prompt. Other tokenizers
 * need 0.77 times (numbers) to 4.9 times (Thai) as many tokens as o200k; templates, tools and
 * pictures add to what is read.
 */
const MIN_SHARE = 1 / 2;

/**
 * Prompts with fewer tokens by our count are not judged: no server has such a small window by
 * default.
 */
const MIN_TOKENS = 1000;

/**
 * Tokens for each byte that are more than half of those of prose (0.1 to 0.3): where so many were
 * read, the prompt is not counted.
 */
const SURELY_WHOLE = 1 / 5;

/**
 * The tokens of a prompt, and those that its server read, where it has cut it; `undefined` where it
 * has not, or reports none.
 */
async function cutOf(
  request: ChatRequest,
  { usage }: ChatReply,
): Promise<{ read: number; sent: number } | undefined> {
  if (usage.cached >= usage.prompt) return undefined; // nothing is reported, or what a cache holds is counted apart
  const read = usage.prompt + usage.cached;
  const text = promptText(request);
  if (read >= Buffer.byteLength(text) * SURELY_WHOLE) return undefined;
  const sent = await countTokens(text);
  return sent >= MIN_TOKENS && read < sent * MIN_SHARE ? { read, sent } : undefined;
}

export function withWindowWatch(
  model: ChatModel,
  onCut: (request: ChatRequest, what: string) => void,
): ChatModel {
  return {
    id: model.id,
    chat: async (request) => {
      const reply = await model.chat(request);
      const cut = await cutOf(request, reply);
      if (cut) onCut(request, `it read ${inWords(cut.read)} of about ${inWords(cut.sent)} tokens`);
      return reply;
    },
  };
}

function inWords(tokens: number): string {
  return tokens.toLocaleString("en");
}
