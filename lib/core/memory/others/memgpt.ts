/**
 * MemGPT: a memory that the model manages by function calls, as an operating system pages (Packer
 * et al. 2023, *MemGPT: Towards LLMs as Operating Systems*, arXiv 2310.08560, §2).
 *
 * | paper | here |
 * |---|---|
 * | working context (core memory) | `#core`: the blocks `task` and `world`, `limit` characters each |
 * | FIFO queue, with the recursive summary at its head | the messages from `#first` on, `#summary` |
 * | recall storage; archival storage | `#messages`; `#archive` |
 * | queue manager: warning, flush and eviction at 70 %, 100 % and 50 % of the window | `#makeRoom`, `MEMGPT_PAPER` |
 * | function executor, function chaining | `#call`, at most `calls` a step |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md` (D349 to D357).
 */

import { z } from "zod";
import type { ToolCall } from "../../llm/chat-model.ts";
import { topK } from "../../retrieval/top-k.ts";
import { parseJson } from "../../text/json.ts";
import type { OptionsOf } from "../../text/registry.ts";
import { readText } from "../../text/reply-text.ts";
import { renderSections } from "../../text/sections.ts";
import { loadTokenCounter } from "../../text/tokens.ts";
import {
  BLOCKS,
  FUNCTION_SPECS,
  FUNCTIONS,
  managePrompt,
  parseDone,
  summarisePrompt,
} from "./memgpt.prompts.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "../memory.ts";
import { type Ask, askAt, memoryMaker, StoredMemory } from "../memory-kit.ts";
import { formatObservation } from "../observation.ts";

/** Constants of the paper (§2.2: shares of the window) and of the authors' code (limit, page). */
export const MEMGPT_PAPER = {
  warning: 0.7,
  flush: 1,
  eviction: 0.5,
  limit: 2000,
  page: 5,
} as const;

/** Options of the memory. */
export interface MemGptOptions {
  /**
   * Tokens of the message queue, 100 … 1,000,000: half of a window of 8,192 (D352).
   * @default {4096}
   */
  readonly window?: number;
  /** Characters of a block of core memory, 100 … 1,000,000. @default {2000} */
  readonly limit?: number;
  /** Function calls of one step, 1 … 100. @default {10} */
  readonly calls?: number;
  /**
   * Last observations, 0 … 10,000, which the method shows anyway and which are not recalled.
   * @default {5}
   */
  readonly nPrev?: number;
}

const ID = "memgpt";
const memGptOptions = z.strictObject({
  window: z.int().min(100).max(1_000_000).default(4096),
  limit: z.int().min(100).max(1_000_000).default(MEMGPT_PAPER.limit),
  calls: z.int().min(1).max(100).default(10),
  nPrev: z.int().min(0).max(10_000).default(5),
}) satisfies OptionsOf<MemGptOptions>;

/**
 * Makes memories that a model manages. Events: `malformed-reply` (the calls before it hold; the
 * summary stays), `refused-call` (the model is told why) and `call-limit`.
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createMemGpt, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const call = { id: "1", name: "core_memory_append", arguments: '{"label": "world", "content": "chest, is in, hall"}' };
 * const model = scripted({ "memgpt/manage": [{ choices: [{ text: "", toolCalls: [call], finish: "tools" }] }, "done"] });
 * const memory = createMemGpt()({ model });
 * const seen = { step: 1, goal: "Win.", observation: "A chest stands in the hall." };
 * await memory.observe(seen);
 * const { sections } = await memory.recall({ ...seen, plan: "" });
 * assert.deepEqual(sections, { "Core memory": "world:\nchest, is in, hall" });
 * ```
 */
export const createMemGpt: MemoryMaker<MemGptOptions> = memoryMaker({
  id: ID,
  version: "3",
  description:
    "core, recall and archival memory, managed by function calls (MemGPT, Packer et al. 2023)",
  options: memGptOptions,
  prompts: [managePrompt, summarisePrompt],
  open: (context, settings) => new MemGptMemory({ id: ID, schema: bodySchema }, context, settings),
});

const bodySchema = z.strictObject({
  core: z.record(z.enum(BLOCKS), z.string()),
  archive: z.array(z.string()),
  messages: z.array(z.strictObject({ time: z.number(), text: z.string() })),
  first: z.int().min(0),
  summary: z.string(),
});
type Body = z.output<typeof bodySchema>;
type Arguments<Name extends keyof typeof FUNCTIONS> = z.output<
  (typeof FUNCTIONS)[Name]["arguments"]
>;

class MemGptMemory extends StoredMemory<z.output<typeof memGptOptions>, Body> {
  #body: Body = { core: { task: "", world: "" }, archive: [], messages: [], first: 0, summary: "" };
  /** What searches of this step have brought: messages by their time, and texts of the archive. */
  #found: { readonly messages: Set<Body["messages"][number]>; readonly archive: Set<string> } = {
    messages: new Set(),
    archive: new Set(),
  };
  #plan = "";

  async observe(perception: Perception): Promise<void> {
    const { step, goal } = perception;
    const ask = askAt(this.context, step);
    const message = { time: this.offset + step, text: formatObservation(perception) };
    const pressure = await this.#makeRoom(message.text, goal, ask);
    this.#found = { messages: new Set(), archive: new Set() };
    const { core, archive, messages, first, summary } = this.#body;
    const values = {
      goal,
      core: BLOCKS.map((label) =>
        `${label} (${core[label].length} of ${this.options.limit} characters):\n${core[label]}`
      ).join("\n"),
      stores:
        `${messages.length} messages, ${first} of them evicted; ${archive.length} texts in archival memory`,
      summary,
      queue: messages.slice(first).map(({ text }) => text),
      pressure,
      plan: this.#plan,
      message: message.text,
    };
    const report = (kind: string, detail: string): void => this.context.onEvent?.(kind, detail);
    await ask(managePrompt, values, {
      parse: parseDone,
      tools: {
        specs: FUNCTION_SPECS,
        most: this.options.calls,
        call: (call) => this.#call(call),
        onSpent: () => report("call-limit", `${this.options.calls} calls on one step`),
      },
    });
    messages.push(message);
  }

  recall(cue: Cue): Promise<Recollection> {
    this.#plan = cue.plan;
    const { core, messages, first, summary } = this.#body;
    const shownFrom = this.shownFrom(cue, this.options.nPrev);
    const queue = messages.filter((message, index) =>
      message.time < shownFrom && (index >= first || this.#found.messages.has(message))
    );
    const episodes = queue.map(({ text }) => text);
    const archive = [...this.#found.archive];
    const sections = {
      "Core memory": BLOCKS.filter((label) => core[label] !== "").map((label) =>
        `${label}:\n${core[label]}`
      ).join("\n\n"),
      ...(summary === "" ? {} : { "Summary of what has happened": summary }),
      ...(episodes.length > 0 ? { "Relevant past observations": episodes.join("\n\n") } : {}),
      ...(archive.length > 0 ? { "Found in archival memory": archive.join("\n") } : {}),
    };
    return Promise.resolve({
      sections,
      recalled: { core: sections["Core memory"].split("\n"), episodes, archive },
    });
  }

  protected get body(): Body {
    return this.#body;
  }

  protected set body(body: Body) {
    this.#body = body;
    this.offset = body.messages.at(-1)?.time ?? 0;
    this.#found = { messages: new Set(), archive: new Set() };
    this.#plan = "";
  }

  /**
   * The queue manager (§2.2): if a message does not fit, the oldest half window leaves the queue,
   * and a summary of it and of the previous summary stays. Returns the warning for a nearly full
   * queue, else an empty text.
   */
  async #makeRoom(message: string, goal: string, ask: Ask): Promise<string> {
    const body = this.#body;
    const { window } = this.options;
    const tokensOf = await loadTokenCounter();
    const tokens = body.messages.slice(body.first).map(({ text }) => tokensOf(text));
    const total = tokens.reduce((sum, count) => sum + count, tokensOf(message));
    if (total <= MEMGPT_PAPER.flush * window) {
      return total < MEMGPT_PAPER.warning * window
        ? ""
        : `${total} of ${window} tokens of the queue are used; its oldest messages will soon leave it.`;
    }
    let end = 0;
    for (let evicted = 0; end < tokens.length && evicted < MEMGPT_PAPER.eviction * window; end++) {
      evicted += tokens[end] as number;
    }
    const history = body.messages.slice(body.first, body.first + end).map(({ text }) => text);
    if (end > 0) {
      const parse = readText({ longest: LONGEST_SUMMARY });
      body.summary =
        await ask(summarisePrompt, { goal, summary: body.summary, history }, { parse }) ??
          body.summary;
    }
    body.first += end;
    return "";
  }

  async #call({ name, arguments: text }: ToolCall): Promise<string> {
    const known = Object.hasOwn(FUNCTIONS, name) ? name as keyof typeof FUNCTIONS : undefined;
    const read = known && parseJson<unknown>(FUNCTIONS[known].arguments)(text);
    const answer = known === undefined || read === undefined
      ? { refused: `there is no such function; there are ${Object.keys(FUNCTIONS).join(", ")}` }
      : read.kind === "ok"
      ? await this.#execute(known, read.value)
      : { refused: read.problem };
    const title = `${name.slice(0, 64)} ${text.slice(0, 120)}`.replaceAll("\n", " ");
    if (typeof answer !== "string") {
      this.context.onEvent?.(
        "refused-call",
        `${title}: ${answer.refused}`.slice(0, 300).replaceAll("\n", " "),
      );
    }
    return renderSections({
      [title]: typeof answer === "string" ? answer : `Refused: ${answer.refused}.`,
    });
  }

  /** The function executor (§2.3): a function's result, or why it is refused. */
  async #execute(
    name: keyof typeof FUNCTIONS,
    given: unknown,
  ): Promise<string | { readonly refused: string }> {
    const { core, archive, messages } = this.#body;
    switch (name) {
      case "core_memory_append": {
        const { label, content } = given as Arguments<typeof name>;
        return this.#write(label, core[label] === "" ? content : `${core[label]}\n${content}`);
      }
      case "core_memory_replace": {
        const { label, old_content, new_content } = given as Arguments<typeof name>;
        if (!core[label].includes(old_content)) {
          return { refused: `the block ${label} does not hold the old text` };
        }
        return this.#write(label, core[label].replaceAll(old_content, () => new_content));
      }
      case "archival_memory_insert":
        archive.push((given as Arguments<typeof name>).content);
        return "Stored.";
      case "archival_memory_search": {
        const { query, page } = given as Arguments<typeof name>;
        const similarities = await this.vectors.similarities(query, archive);
        const texts = pageOf(topK(similarities, archive.length, { ties: "last" }), page).map((
          index,
        ) => archive[index] as string);
        for (const text of texts) this.#found.archive.add(text);
        return texts.join("\n\n") || "Nothing found.";
      }
      case "conversation_search": {
        const { query, page } = given as Arguments<typeof name>;
        const matching = messages.filter(({ text }) =>
          text.toLowerCase().includes(query.toLowerCase())
        ).reverse();
        const found = pageOf(matching, page);
        for (const message of found) this.#found.messages.add(message);
        return found.map(({ text }) => text).join("\n\n") || "Nothing found.";
      }
    }
  }

  #write(label: (typeof BLOCKS)[number], text: string): string | { readonly refused: string } {
    const { limit } = this.options;
    if (text.length > limit) {
      return {
        refused:
          `the block ${label} would have ${text.length} characters and may have ${limit}; shorten it, or use archival_memory_insert`,
      };
    }
    this.#body.core[label] = text;
    return "Written.";
  }
}

const LONGEST_SUMMARY = 8000;

function pageOf<T>(results: readonly T[], page: number): readonly T[] {
  return results.slice(page * MEMGPT_PAPER.page, (page + 1) * MEMGPT_PAPER.page);
}
