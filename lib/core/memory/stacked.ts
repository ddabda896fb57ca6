/**
 * The baseline that stacks what it sees: each answer of the extractor is appended to a list, and
 * nothing is merged (GraphMind, Shin et al. 2026, §4, "Stacked Memory").
 */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import type { MemoryMaker } from "./memory.ts";
import { memoryMaker, readArtefact } from "./memory-kit.ts";
import { describeContents, extractContents } from "./room-graph-text.ts";
import type { PromptOrder } from "./observation.ts";
import { ROOM_GRAPH_PROMPTS } from "./room-graph.prompts.ts";

/** Options of the memory. */
export interface StackedOptions {
  /** Whether the extractor is shown pictures, where the world gives any. @default {true} */
  readonly image?: boolean;
  /** The layout of the prompt, as in `RoomGraphOptions`. @default {"paper"} */
  readonly order?: PromptOrder;
}

const ID = "stacked";
const stackedOptions = z.strictObject({
  image: z.boolean().default(true),
  order: z.enum(["paper", "cacheable"]).default("paper"),
}) satisfies OptionsOf<StackedOptions>;

/**
 * Makes stacked memories. Events: `malformed-reply` (nothing is appended) and `dropped-fact` (a
 * relation or direction of the wrong kind).
 *
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createStacked, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "graphmind/extract": ['{"current_room_entities": ["Grey_Ball"]}'] });
 * const memory = createStacked()({ model });
 * const seen = { step: 1, goal: "Win.", observation: "Wall; Grey_Ball; Wall" };
 * await memory.observe(seen);
 * const { sections } = await memory.recall({ ...seen, plan: "" });
 * assert.match(sections["Stacked memory"] ?? "", /^Observation 1\nEntities: grey ball/);
 * ```
 */
export const createStacked: MemoryMaker<StackedOptions> = memoryMaker({
  id: ID,
  description: "what the extractor of the room graph saw, one entry after the other",
  options: stackedOptions,
  version: "2",
  prompts: Object.values(ROOM_GRAPH_PROMPTS).map(({ extract }) => extract),
  open: (context, options) => {
    const stack: string[] = [];
    return {
      id: ID,
      observe: async (perception) => {
        const contents = await extractContents(context, perception, options);
        if (contents) stack.push(describeContents(contents));
      },
      recall: () => {
        const text = stack.map((entry, index) => `Observation ${index + 1}\n${entry}`).join("\n\n");
        return Promise.resolve({
          sections: { "Stacked memory": text },
          recalled: { stacked: stack },
          beliefs: { observations: stack.length },
        });
      },
      save: () => ({ kind: ID, body: [...stack] }),
      load: (artefact) =>
        void stack.splice(0, Infinity, ...readArtefact(artefact, ID, z.array(z.string()))),
    };
  },
});
