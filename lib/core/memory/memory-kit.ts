/**
 * What memories share: how they are made, saved and loaded; questions to models, whose unreadable
 * replies count as no answer; and numbered lists.
 */

import { z } from "zod";
import { type Answer, type AskOptions, createAsker } from "../llm/asker.ts";
import type { Prompt, PromptValues } from "../llm/prompt.ts";
import { scripted } from "../llm/scripted.ts";
import { createLexicalEmbedder } from "../retrieval/lexical.ts";
import { VectorCache } from "../retrieval/vector-cache.ts";
import type { Schema } from "../text/json.ts";
import { soundNumber } from "../text/read-lists.ts";
import { checkOptions } from "../text/registry.ts";
import type {
  Artefact,
  Cue,
  Memory,
  MemoryByHand,
  MemoryContext,
  MemoryEntry,
  MemoryMaker,
  Perception,
  Recollection,
} from "./memory.ts";
import { ObservationLog } from "./observation.ts";

/** Defaults for a cell: an asker of its `model`, and the lexical embedder. */
export function withDefaults<Given extends MemoryByHand>(
  given: Given,
): Given & Pick<MemoryContext, "ask" | "embedder"> {
  const { model = scripted({}), ask = createAsker({ model }) } = given;
  return { ...given, ask, embedder: given.embedder ?? createLexicalEmbedder() };
}

export function memoryMaker<Options extends object, Settings extends Record<string, unknown>>(
  { open, ...entry }:
    & Omit<MemoryEntry, "create" | "options" | "prompts" | "version">
    & Partial<Pick<MemoryEntry, "prompts" | "version">>
    & {
      readonly options: Schema<Settings>;
      open(context: MemoryContext, settings: Settings): Memory;
    },
): MemoryMaker<Options> {
  function create(options: object = {}): (context: MemoryByHand) => Memory {
    const settings = checkOptions(`the memory ${entry.id}`, entry.options, options);
    return (context) => open(withDefaults(context), settings);
  }
  return Object.assign(create, { version: "1", prompts: [], ...entry, create });
}

export abstract class StoredMemory<Options, Body> implements Memory {
  readonly id: string;
  protected readonly context: MemoryContext;
  protected readonly options: Options;
  protected readonly vectors: VectorCache;
  /**
   * Time of the last step of the episodes before this one; times count the steps of all episodes of
   * a chain.
   */
  protected offset = 0;
  readonly #schema: Schema<Body>;

  constructor(
    kept: { readonly id: string; readonly schema: Schema<Body> },
    context: MemoryContext,
    options: Options,
  ) {
    this.id = kept.id;
    this.#schema = kept.schema;
    this.context = context;
    this.options = options;
    this.vectors = new VectorCache(context.embedder);
  }

  abstract observe(perception: Perception): Promise<void>;
  abstract recall(cue: Cue): Promise<Recollection>;
  protected abstract get body(): Body;
  protected abstract set body(body: Body);

  save(): Artefact {
    return { kind: this.id, body: structuredClone(this.body) };
  }

  load(artefact: Artefact): void {
    this.body = readArtefact(artefact, this.id, this.#schema);
  }

  /**
   * Time from which on the method shows observations anyway: the last `nPrev` of this episode, and
   * its surplus.
   */
  protected shownFrom({ step, surplus = 0 }: Cue, nPrev: number): number {
    return Math.max(this.offset + 1, this.offset + step - nPrev - surplus);
  }
}

/** A memory of observations as texts, by how it recalls them. */
export function logMemory(
  id: string,
  recall: (cue: Cue, log: ObservationLog) => Promise<Recollection>,
): Memory {
  const log = new ObservationLog();
  return {
    id,
    observe: (perception) => Promise.resolve(log.add(perception)),
    recall: (cue) => recall(cue, log),
    save: () => ({ kind: id, body: log.before(Infinity) }),
    load: (artefact) => log.load(readArtefact(artefact, id, z.array(z.string()))),
  };
}

export type Ask = <Name extends string, T>(
  prompt: Prompt<Name>,
  values: PromptValues<Name>,
  options: AskOptions<T>,
) => Promise<T | undefined>;

export function askAt(context: MemoryContext, step: number): Ask {
  const ask = context.ask.at({ step });
  return async (prompt, values, options) =>
    valueOf(context, prompt, await ask(prompt, values, options));
}

/**
 * The value of an answer, with the event `dropped-entries` if elements were left out; `undefined`,
 * with the event `malformed-reply`, if it is unreadable.
 */
export function valueOf<T>(
  { onEvent }: Pick<MemoryContext, "onEvent">,
  { role }: Prompt,
  answer: Answer<T>,
): T | undefined {
  if (answer.kind === "ok") {
    if (answer.dropped) onEvent?.("dropped-entries", `${role}: ${answer.dropped}`);
    return answer.value;
  }
  onEvent?.("malformed-reply", `${role}: ${answer.problem}`);
  return undefined;
}

/**
 * The body of an artefact of a kind, read by its schema.
 * @throws {TypeError} if it is of another kind or shape.
 */
export function readArtefact<T>({ kind, body }: Artefact, own: string, schema: Schema<T>): T {
  const parsed = schema.safeParse(body);
  if (kind === own && parsed.success) return parsed.data;
  throw new TypeError(
    `cannot load the memory: wanted what the memory ${own} saved, got ${
      JSON.stringify(kind)
    }; start from none`,
  );
}

export function numbered(texts: readonly string[], form?: "brackets"): string {
  return texts.map((text, at) =>
    `${form ? `[${at + 1}]` : `${at + 1}.`} ${text.replaceAll("\n", " ")}`
  ).join("\n");
}

export function numberOf(count: number): z.ZodType<number> {
  return soundNumber.refine(
    (number) => Number.isInteger(number) && number >= 1 && number <= count,
    `there are numbers from 1 to ${count}`,
  );
}

export function numberForm(count: number, first = 1): z.ZodType<number> {
  return z.literal(Array.from({ length: count + 1 - first }, (_, at) => first + at));
}
