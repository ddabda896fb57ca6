/**
 * MemGPT's prompts, functions and parsers (Packer et al. 2023, arXiv 2310.08560, §2). Names of
 * functions and arguments are the authors'; the wording is ours.
 */

import { z } from "zod";
import type { ToolSpec } from "../../llm/chat-model.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { mend } from "../../text/reading-rules.ts";
import { completeSentences, reader, type ReplyParser } from "../../text/reply-text.ts";

export const BLOCKS = ["task", "world"] as const;

const label = z.enum(BLOCKS).describe("The block: task or world.");
const content = z.string().min(1).refine(
  (text) => mend("name", text) !== "",
  "it is a placeholder, not a text",
);
const query = z.string().min(1).max(1000);
const page = z.int().min(0).max(1000).default(0).describe("Page of the results, from 0.");

/** Fields that are null are absent: models write it for an optional argument. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/**
 * A function: its purpose, the schema of its arguments as a model sees it, and the one that reads
 * them, which ignores null and unknown arguments such as the authors' `request_heartbeat`.
 */
function told<Shape extends z.core.$ZodLooseShape>(
  description: string,
  shape: Shape,
): {
  readonly description: string;
  readonly told: z.ZodType;
  readonly arguments: z.ZodPreprocess<z.ZodObject<Shape>>;
} {
  return {
    description,
    told: z.strictObject(shape),
    arguments: z.preprocess(withoutNulls, z.object(shape)),
  };
}

export const FUNCTIONS = {
  core_memory_append: told("Appends a line to a block of core memory.", { label, content }),
  core_memory_replace: told(
    "Replaces a text in a block of core memory, which must occur there exactly; an empty new text deletes it.",
    { label, old_content: z.string().min(1), new_content: z.string() },
  ),
  archival_memory_insert: told(
    "Stores a text in archival memory, which has no limit. Word it so that a search finds it.",
    { content },
  ),
  archival_memory_search: told(
    "Searches archival memory for texts of similar meaning, most similar first.",
    { query, page },
  ),
  conversation_search: told(
    "Searches all messages so far, also evicted ones, for a text, whatever its case, latest first.",
    { query, page },
  ),
} as const;

export const FUNCTION_SPECS: readonly ToolSpec[] = Object.entries(FUNCTIONS).map(
  ([name, { description, told: schema }]) => {
    let known: ToolSpec["parameters"] | undefined; // made where they are asked for: it takes time
    return {
      name,
      description,
      get parameters() {
        const { $schema: _, ...parameters } = known ??= z.toJSONSchema(schema, { io: "input" });
        return structuredClone(parameters); // who sends them may add to them
      },
    };
  },
);

export const managePrompt: Prompt<
  "goal" | "core" | "stores" | "summary" | "queue" | "pressure" | "plan" | "message"
> = {
  role: "memgpt/manage",
  instructions:
    `You manage the memory of an agent that plays a text game. Others plan and act; they see the core memory, the summary, the queue of messages and what you have found by searching for this step, and nothing else of the past.

- Core memory has two small blocks, which are always seen: "task" (what the goal needs, what to do next, what failed) and "world" (how places lie, where things are and in which state). Keep them true and short: core_memory_append for what is new, core_memory_replace for what has changed or is no longer needed.
- Archival memory is unlimited and seen only where it is searched: archival_memory_insert for what may matter later and does not fit into core memory.
- Old messages leave the queue when it is full; a summary of them stays. Under memory pressure, save now what must not be lost.
- Bring back what the present situation calls for: archival_memory_search, and conversation_search for past messages.

Call functions as needed, several at once where they do not depend on each other. When the memory is in order, answer with the word: done`,
  sections: {
    goal: "Main goal",
    summary: "Summary of evicted messages",
    queue: "Message queue",
    core: "Core memory",
    stores: "Stores",
    pressure: "Memory pressure",
    plan: "Current plan",
    message: "New message",
  },
  // calls written as text come one at a time: a small model writes dozens in a row
  sampling: { temperature: 0, maxTokens: 1000, stop: ["}\n{"] },
};

export const parseDone: ReplyParser<true> = reader((text) => {
  const isCall = /\w_\w+\(|(?:not|n['’]t)\s(?:\w+ ){0,2}done\b/i.test(text);
  if (text.length < 2000 && /\bdone\b/i.test(text) && !isCall) return { kind: "ok", value: true };
  return { kind: "malformed", problem: "it is not the word: done" };
}, { completed: completeSentences });

export const summarisePrompt: Prompt<"goal" | "summary" | "history"> = {
  role: "memgpt/summarise",
  instructions:
    `The oldest messages of an agent that plays a text game are about to leave its sight. Write one summary in place of the previous summary and these messages, which holds all of them that may still matter for the goal: places and ways, things and their states, what was tried and what came of it.

Answer with the summary alone, in plain text of at most three short paragraphs.`,
  sections: {
    goal: "Main goal",
    summary: "Previous summary",
    history: "History of observations and actions",
  },
  sampling: { temperature: 0, maxTokens: 1000 },
};
