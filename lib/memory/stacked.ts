/**
 * The baseline that stacks what it saw: each answer of the extractor is appended to a list, and nothing is ever merged (GraphMind, Shin et al.
 * 2026, §4, "Stacked Memory").
 *
 * @module
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Memory, MemoryContext, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";
import { describeContents } from "./room-graph-text.ts";
import { extractPrompt, parseExtracted } from "./room-graph.prompts.ts";
import { describeView } from "./view.ts";

/** Options of the memory; absent ones take their defaults. */
export interface StackedOptions {
  /** Whether pictures are shown to the extractor, where the world gives any. @default {true} */
  readonly image?: boolean;
}

/** Reads the options, as a study gives them. */
export const stackedOptions = z.strictObject(
  {
    image: z.boolean().default(true),
  } satisfies Record<keyof StackedOptions, z.ZodType>,
);

/** All prompts of the memory: the room graph's role `graphmind/extract`, worded alike, so that only the structure differs. */
export const stackedPrompts: readonly Prompt[] = [extractPrompt];

/**
 * Makes stacked memories. What they report: `malformed-reply` (an answer that stayed unreadable: nothing is appended), `dropped-fact` (a relation
 * or direction of the wrong kind).
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createStacked } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "graphmind/extract": ['{"current_room_entities": ["Grey_Ball"]}'] });
 * const memory = createStacked()({ ask: createAsker({ model }), embedder: createLexicalEmbedder() });
 * const seen = { step: 1, goal: "Win.", observation: "Wall; Grey_Ball; Wall" };
 * await memory.observe(seen);
 * const { sections } = await memory.recall({ ...seen, plan: "" });
 * assert.match(sections["Stacked memory"] ?? "", /^Observation 1\nEntities: grey ball/);
 * ```
 */
export function createStacked(options: StackedOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory stacked", stackedOptions, options);
  return (context) => new StackedMemory(context, checked);
}

const ID = "stacked";

/** The memory as studies name it. */
export const stacked: MemoryEntry = {
  id: ID,
  description: "what the extractor of the room graph saw, one entry after the other",
  version: "1",
  options: stackedOptions,
  prompts: stackedPrompts,
  create: createStacked,
};

class StackedMemory implements Memory {
  readonly id = ID;
  readonly #context: MemoryContext;
  readonly #image: boolean;
  readonly #stack: string[] = [];

  constructor(context: MemoryContext, { image }: z.output<typeof stackedOptions>) {
    this.#context = context;
    this.#image = image;
  }

  async observe(perception: Perception): Promise<void> {
    const { ask, onEvent } = this.#context;
    const images = this.#image && perception.image ? [perception.image] : [];
    const values = { observation: describeView(perception) };
    const answer = await ask.at({ step: perception.step })(extractPrompt, values, { parse: parseExtracted, images });
    if (answer.kind === "malformed") {
      onEvent?.("malformed-reply", `${extractPrompt.role}: ${answer.problem}`);
      return;
    }
    for (const what of answer.value.dropped) onEvent?.("dropped-fact", `${extractPrompt.role}: ${what}`);
    this.#stack.push(describeContents(answer.value.contents));
  }

  recall(): Promise<Recollection> {
    const text = this.#stack.map((entry, index) => `Observation ${index + 1}\n${entry}`).join("\n\n");
    return Promise.resolve({
      sections: { "Stacked memory": text },
      recalled: { stacked: this.#stack },
      beliefs: { observations: this.#stack.length },
    });
  }

  save(): Artefact {
    return { kind: ID, body: [...this.#stack] };
  }

  load(artefact: Artefact): void {
    this.#stack.splice(0, Infinity, ...readArtefact(artefact, ID, z.array(z.string())));
  }
}
