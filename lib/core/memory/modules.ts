/**
 * The modules that graph memories of facts and passages exchange. The memory itself is the store:
 * what it keeps, and how its times run. Its options name the other three, which `ModuleMemory`
 * runs:
 *
 * | port | what it does | modules |
 * |---|---|---|
 * | `Extraction` | reads the facts of a text | `openie` (HippoRAG 2), `arigraph`, `graphiti` |
 * | `ConflictResolution` | tells which known facts the new ones repeat or contradict | `none`, `arigraph`, `graphiti` |
 * | `Retrieval` | ranks facts and passages for a query | `ppr` (HippoRAG 2), `hybrid` (Zep) in `retrieval-modules.ts` |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md` (D301, D325).
 */

import { z } from "zod";
import { formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { OptionsOf } from "../text/registry.ts";
import * as arigraph from "./arigraph.prompts.ts";
import { extractTriplets } from "./arigraph-extraction.ts";
import { parseOutdate } from "./arigraph-replies.ts";
import * as graphiti from "./others/graphiti.prompts.ts";
import type { ExtractedFact, Verdict } from "./others/graphiti.prompts.ts";
import * as hipporag from "./others/hipporag.prompts.ts";
import { type Ask, numbered } from "./memory-kit.ts";

/** Options of every memory with modules. */
export interface ModuleOptions {
  /** Who reads the facts of a text. @default the memory's own paper */
  readonly extraction?: "openie" | "arigraph" | "graphiti";
  /** Who tells what new facts do to known ones. @default the memory's own paper */
  readonly conflictResolution?: "none" | "arigraph" | "graphiti";
  /** Who ranks facts and passages for a query. @default the memory's own paper */
  readonly retrieval?: "ppr" | "hybrid";
  /**
   * Whether texts are `observations` of a game, or `paragraphs` with a question as the cue.
   * @default {"observations"}
   */
  readonly texts?: "observations" | "paragraphs";
  /**
   * Last observations of a game, 0 … 10,000, which the method shows anyway and which are not
   * recalled.
   * @default {5}
   */
  readonly nPrev?: number;
}

export const moduleOptions = z.strictObject({
  extraction: z.enum(["openie", "arigraph", "graphiti"]).default("openie"),
  conflictResolution: z.enum(["none", "arigraph", "graphiti"]).default("none"),
  retrieval: z.enum(["ppr", "hybrid"]).default("ppr"),
  texts: z.enum(["observations", "paragraphs"]).default("observations"),
  nPrev: z.int().min(0).max(10_000).default(5),
}) satisfies OptionsOf<ModuleOptions>;

export type ModuleSettings = z.output<typeof moduleOptions>;

export interface TextToRead {
  readonly text: string;
  readonly step: number;
  readonly before: readonly string[];
  readonly recalled: readonly Triplet[];
}

export interface Extraction {
  readonly prompts: Readonly<Record<ModuleSettings["texts"], readonly Prompt[]>>;
  extract(
    ask: Ask,
    read: TextToRead,
    texts: ModuleSettings["texts"],
  ): Promise<readonly ExtractedFact[] | undefined>;
}

const onBoth = (prompts: readonly Prompt[]): Extraction["prompts"] => ({
  observations: prompts,
  paragraphs: prompts,
});

export const EXTRACTIONS: Readonly<Record<ModuleSettings["extraction"], Extraction>> = {
  openie: {
    prompts: onBoth([hipporag.namesPrompt, hipporag.tripletsPrompt]),
    extract: async (ask, { text }) => {
      const names = await ask(hipporag.namesPrompt, { text }, { parse: hipporag.parseNames }) ?? [];
      return await ask(hipporag.tripletsPrompt, { names: names.join("\n"), text }, {
        parse: hipporag.parseTriplets,
      });
    },
  },
  arigraph: {
    prompts: {
      observations: [arigraph.extractPrompt],
      paragraphs: [arigraph.extractParagraphPrompt],
    },
    extract: (ask, { text, recalled }, texts) =>
      extractTriplets(ask, recalled.map(formatTriplet), text, texts),
  },
  graphiti: {
    prompts: onBoth([graphiti.extractPrompt]),
    extract: (ask, { text, step, before }) => {
      const values = { before: before.slice(-GRAPHITI_PAPER.before), step: String(step), text };
      return ask(graphiti.extractPrompt, values, { parse: graphiti.parseExtract });
    },
  },
};

/** Constants of Zep's paper (§2.2) and of its code. */
export const GRAPHITI_PAPER = {
  /** Texts before the one that facts are read of (n, §2.2.1). */
  before: 4,
  /** Known facts, or names, that a new one is compared with (code). */
  related: 10,
} as const;

export interface ConflictResolution {
  readonly prompts: readonly Prompt[];
  judge(
    ask: Ask,
    facts: { readonly known: readonly Triplet[]; readonly fresh: readonly Triplet[] },
  ): Promise<readonly Verdict[]>;
}

export const CONFLICT_RESOLUTIONS: Readonly<
  Record<ModuleSettings["conflictResolution"], ConflictResolution>
> = {
  none: { prompts: [], judge: () => Promise.resolve([]) },
  arigraph: {
    prompts: [arigraph.outdatePrompt],
    judge: async (ask, { known, fresh }) => {
      const [existing, added] = [known, fresh].map((triplets) =>
        triplets.map(formatTriplet).join("\n")
      );
      const answer = await ask(arigraph.outdatePrompt, { existing, fresh: added }, {
        parse: parseOutdate,
      });
      const stale = new Set(answer?.stale.map(tripletKey));
      return known.flatMap((triplet, at): Verdict[] =>
        stale.has(tripletKey(triplet)) ? [{ kind: "contradicted", known: at }] : []
      );
    },
  },
  graphiti: {
    prompts: [graphiti.judgePrompt],
    judge: async (ask, { known, fresh }) => {
      const counts = { known: known.length, fresh: fresh.length };
      const options = {
        parse: graphiti.parseVerdicts(counts),
        form: graphiti.verdictsForm(counts),
      };
      const list = (triplets: readonly Triplet[]): string =>
        numbered(triplets.map(formatTriplet), "brackets");
      const values = { known: list(known), fresh: list(fresh) };
      return await ask(graphiti.judgePrompt, values, options) ?? [];
    },
  },
};
