/**
 * A-MEM: a network of notes that link to each other and evolve (Xu et al. 2025, *A-MEM: Agentic
 * Memory for LLM Agents*, arXiv 2502.12110, §3).
 *
 * | paper | here |
 * |---|---|
 * | m_i = {c_i, t_i, K_i, G_i, X_i, e_i, L_i} (Eq. 1) | `Note`: content, time, keywords, tags, context, the vector of `textOf`, links |
 * | K_i, G_i, X_i ← LLM(c_i, t_i, P_s1) (Eq. 2) | `notePrompt` |
 * | e_i = f_enc(concat(c_i, K_i, G_i, X_i)) (Eq. 3) | `textOf`, `vectors` |
 * | M_near, the k notes of largest s_n,j (Eq. 4, 5) | `#nearest`, `near` |
 * | L_i ← LLM(m_n, M_near, P_s2); m_j* ← LLM(m_n, M_near ∖ m_j, m_j, P_s3) (Eq. 6, 7) | `evolvePrompt`, `#evolve` |
 * | M_retrieved, the k notes most like the query q (Eq. 8–10) | `recall`, `k` |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md` (D330 to D336).
 */

import { z } from "zod";
import type { OptionsOf } from "../../text/registry.ts";
import {
  evolutionForm,
  evolvePrompt,
  notePrompt,
  parseEvolution,
  parseNote,
} from "./a-mem.prompts.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "../memory.ts";
import { type Ask, askAt, memoryMaker, StoredMemory } from "../memory-kit.ts";
import { formatCue, formatObservation } from "../observation.ts";

/** Constants of the paper (§4.2) and of the authors' code. */
export const A_MEM_PAPER = { k: 10, near: 5 } as const;

/** Options of the memory. */
export interface AMemOptions {
  /** Notes recalled, 0 … 1,000, and at most as many linked ones as well. @default {10} */
  readonly k?: number;
  /**
   * Nearest earlier notes that a new note may be linked to and may change, 0 … 1,000.
   * @default {5}
   */
  readonly near?: number;
  /**
   * Last observations, 0 … 10,000, which the method shows anyway and which are not recalled.
   * @default {5}
   */
  readonly nPrev?: number;
}

const ID = "a-mem";
const aMemOptions = z.strictObject({
  k: z.int().min(0).max(1000).default(A_MEM_PAPER.k),
  near: z.int().min(0).max(1000).default(A_MEM_PAPER.near),
  nPrev: z.int().min(0).max(10_000).default(5),
}) satisfies OptionsOf<AMemOptions>;

/**
 * Makes networks of notes. Events: `malformed-reply` (no attributes, or no evolution) and
 * `dropped-entries` (unreadable keywords, tags, links or neighbours).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createAMem, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({
 *   "a-mem/note": ['{"keywords": ["chest"], "context": "Where the chest is.", "tags": ["container"]}'],
 * });
 * const memory = createAMem({ nPrev: 0 })({ model });
 * await memory.observe({ step: 1, goal: "Win.", observation: "A chest stands in the hall." });
 * const { sections } = await memory.recall({ step: 2, goal: "Win.", observation: "Fog.", plan: "Open the chest." });
 * assert.equal(sections["Relevant past observations"], "Game step #1\nA chest stands in the hall.");
 * assert.equal(sections["Notes on them"], "Game step #1: Where the chest is. (keywords: chest; tags: container)");
 * ```
 */
export const createAMem: MemoryMaker<AMemOptions> = memoryMaker({
  id: ID,
  description: "linked notes that evolve (A-MEM, Xu et al. 2025)",
  options: aMemOptions,
  prompts: [notePrompt, evolvePrompt],
  open: (context, settings) =>
    new AMemMemory({ id: ID, schema: z.array(noteSchema) }, context, settings),
});

const noteSchema = z.strictObject({
  time: z.number(),
  content: z.string(),
  keywords: z.array(z.string()).readonly(),
  context: z.string(),
  tags: z.array(z.string()).readonly(),
  links: z.array(z.int().min(0)),
});
type Note = z.output<typeof noteSchema>;

class AMemMemory extends StoredMemory<z.output<typeof aMemOptions>, Note[]> {
  #notes: Note[] = [];

  async observe(perception: Perception): Promise<void> {
    const ask = askAt(this.context, perception.step);
    const content = formatObservation(perception);
    const attributes = await ask(notePrompt, { content }, { parse: parseNote }) ??
      { keywords: [], context: "", tags: [] };
    const note: Note = { time: this.offset + perception.step, content, ...attributes, links: [] };
    await this.#evolve(
      note,
      await this.#nearest(textOf(note), this.options.near, this.#notes),
      ask,
    );
    this.#notes.push(note);
  }

  async recall(cue: Cue): Promise<Recollection> {
    const { k, nPrev } = this.options;
    const hidden = this.#notes.filter(({ time }) => time < this.shownFrom(cue, nPrev));
    const found = new Set<Note>();
    let linked = 0;
    for (const note of await this.#nearest(formatCue(cue), k, hidden)) {
      found.add(note);
      for (const other of note.links.map((index) => this.#notes[index] as Note)) {
        if (linked < k && !found.has(other) && hidden.includes(other) && found.add(other)) linked++;
      }
    }
    const episodes = [...found].map(({ content }) => content);
    const notes = [...found].map(describe);
    return {
      sections: {
        "Relevant past observations": episodes.join("\n\n"),
        "Notes on them": notes.join("\n"),
      },
      recalled: { episodes, notes },
    };
  }

  protected get body(): Note[] {
    return this.#notes;
  }

  protected set body(notes: Note[]) {
    this.#notes = notes;
    this.offset = notes.at(-1)?.time ?? 0;
  }

  async #evolve(note: Note, near: readonly Note[], ask: Ask): Promise<void> {
    if (near.length === 0) return;
    const neighbours = near.map((neighbour, at) => `Note ${at + 1}\n${show(neighbour)}`);
    const evolution = await ask(evolvePrompt, { neighbours, note: show(note) }, {
      parse: parseEvolution(near.length),
      form: evolutionForm(near.length),
    });
    if (!evolution) return;
    note.links = evolution.links.map((number) => this.#notes.indexOf(near[number - 1] as Note));
    if (evolution.tags.length > 0) note.tags = evolution.tags;
    for (const { number, context, tags } of evolution.neighbours) {
      Object.assign(near[number - 1] as Note, { context, tags });
    }
  }

  async #nearest(text: string, k: number, notes: readonly Note[]): Promise<Note[]> {
    if (notes.length === 0) return [];
    const found = await this.vectors.nearest(text, notes.map(textOf), k, "last");
    return found.map((index) => notes[index] as Note);
  }
}

/** The text that a note is embedded by (Eq. 3). */
function textOf({ content, keywords, tags, context }: Note): string {
  return [content, keywords.join(" "), tags.join(" "), context].filter((part) => part !== "").join(
    "\n",
  );
}

function show({ content, context, keywords, tags }: Note): string {
  return `${content}\nContext: ${context}\nKeywords: ${keywords.join(", ")}\nTags: ${
    tags.join(", ")
  }`;
}

function describe({ content, context, keywords, tags }: Note): string {
  return `${content.split("\n")[0]}: ${context} (keywords: ${keywords.join(" | ")}; tags: ${
    tags.join(" | ")
  })`;
}
