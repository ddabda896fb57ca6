/**
 * GraphMind's module "Extract Information" (Shin et al. 2026, App. A.1), which the room graph and the stacked memory share.
 *
 * @module
 */

import type { RoomContents } from "../graph/room-graph.ts";
import type { Prompt } from "../llm/prompt.ts";
import { askAt } from "./ask.ts";
import type { MemoryContext, Perception } from "./memory.ts";
import { extractPrompt, parseExtracted, type ReadContents } from "./room-graph.prompts.ts";
import { describeView } from "./view.ts";

/** What a model sees in a perception; `undefined` where its reply stayed unreadable. */
export async function extractContents(context: MemoryContext, perception: Perception, image: boolean): Promise<RoomContents | undefined> {
  const images = image && perception.image ? [perception.image] : [];
  const values = { observation: describeView(perception) };
  const read = await askAt(context, perception.step)(extractPrompt, values, { parse: parseExtracted, images });
  return contentsOf(context, extractPrompt, read);
}

/** The contents that were read, after the event `dropped-fact` for each part of the answer that makes no sense. */
export function contentsOf({ onEvent }: MemoryContext, { role }: Prompt, read: ReadContents | undefined): RoomContents | undefined {
  for (const fact of read?.dropped ?? []) onEvent?.("dropped-fact", `${role}: ${fact}`);
  return read?.contents;
}
