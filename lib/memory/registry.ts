/**
 * The memories that can be named on the command line and in a study.
 *
 * @module
 */

import type { Prompt } from "../llm/prompt.ts";
import type { Schema } from "../text/json.ts";
import { arigraphOptions } from "./arigraph-options.ts";
import { arigraphAsks, arigraphPrompts, createAriGraph } from "./arigraph.ts";
import { createFullHistory, fullHistoryOptions } from "./full-history.ts";
import type { MemoryFactory } from "./memory.ts";
import { createNoMemory, noneOptions } from "./none.ts";
import { checkOptions } from "./options.ts";
import { createPassages, passagesOptions } from "./passages.ts";
import { createRag, ragOptions } from "./rag.ts";
import { createRoomGraph, roomGraphOptions, roomGraphPrompts } from "./room-graph.ts";
import { createSimulacra, simulacraOptions, simulacraPrompts } from "./simulacra.ts";
import { createStacked, stackedOptions, stackedPrompts } from "./stacked.ts";
import { createSummary, summaryOptions, summaryPrompts } from "./summary.ts";

/** A memory by its id. */
export interface MemoryEntry {
  /** What it keeps, in one line without a full stop; lists show it. */
  readonly description: string;
  /** Raised when what it does changes: with id, options and prompts it is its part of an episode's identity. */
  readonly version: string;
  /** What its options may be; reading them fills in the defaults. */
  readonly options: Schema<Record<string, unknown>>;
  /** Its prompts: their hash is part of an episode's identity. */
  readonly prompts: readonly Prompt[];
  /** Those of the prompts that may be asked under these options, which have been read; left out: all. Only for their roles a model is wanted. */
  asks?(options: Readonly<Record<string, unknown>>): readonly Prompt[];
  /** Makes a factory over the options; absent ones take their defaults. @throws {UsageError} if one is unknown or out of range. */
  create(options: Readonly<Record<string, unknown>>): MemoryFactory;
}

/**
 * All memories by id.
 *
 * @example
 * ```ts
 * import { MEMORIES } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.throws(() => MEMORIES["arigraph"]!.create({ k: -1 }), /arigraph cannot take these options: k/);
 * ```
 */
export const MEMORIES: Readonly<Record<string, MemoryEntry>> = {
  arigraph: {
    description: "a knowledge graph with episodic memory (AriGraph)",
    version: "1",
    options: arigraphOptions,
    prompts: arigraphPrompts,
    asks: (options) => arigraphAsks(arigraphOptions.parse(options)),
    create: (options) => createAriGraph(checkOptions("the memory arigraph", arigraphOptions, options)),
  },
  "full-history": {
    description: "all observations and actions",
    version: "1",
    options: fullHistoryOptions,
    prompts: [],
    create: (options) => createFullHistory(checkOptions("the memory full-history", fullHistoryOptions, options)),
  },
  none: {
    description: "nothing",
    version: "1",
    options: noneOptions,
    prompts: [],
    create: (options) => createNoMemory(checkOptions("the memory none", noneOptions, options)),
  },
  passages: {
    description: "texts as they were: all of them, or those most like the question",
    version: "1",
    options: passagesOptions,
    prompts: [],
    create: (options) => createPassages(checkOptions("the memory passages", passagesOptions, options)),
  },
  rag: {
    description: "the past observations most like the present one and the plan",
    version: "1",
    options: ragOptions,
    prompts: [],
    create: (options) => createRag(checkOptions("the memory rag", ragOptions, options)),
  },
  "room-graph": {
    description: "a map of rooms that a model builds from what it sees (GraphMind)",
    version: "1",
    options: roomGraphOptions,
    prompts: roomGraphPrompts,
    create: (options) => createRoomGraph(checkOptions("the memory room-graph", roomGraphOptions, options)),
  },
  simulacra: {
    description: "a memory stream searched by recency, importance and relevance, with reflections (Park et al. 2023)",
    version: "1",
    options: simulacraOptions,
    prompts: simulacraPrompts,
    create: (options) => createSimulacra(checkOptions("the memory simulacra", simulacraOptions, options)),
  },
  stacked: {
    description: "what the extractor of the room graph saw, one entry after the other",
    version: "1",
    options: stackedOptions,
    prompts: stackedPrompts,
    create: (options) => createStacked(checkOptions("the memory stacked", stackedOptions, options)),
  },
  summary: {
    description: "a summary of at most three paragraphs, rewritten at every step",
    version: "1",
    options: summaryOptions,
    prompts: summaryPrompts,
    create: (options) => createSummary(checkOptions("the memory summary", summaryOptions, options)),
  },
};
