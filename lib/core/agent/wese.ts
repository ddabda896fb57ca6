/**
 * WESE: weak exploration to strong exploitation (Huang et al. 2024, arXiv 2404.07456, Algorithms 1
 * to 3). SESE is the same with the strong model in every role.
 *
 * | paper | here |
 * |---|---|
 * | Θ_w, Θ_s | the models bound to `wese/explore`, `wese/extract`, `wese/task-entities`, and to `wese/act` |
 * | P_e, P_t | `WesePrompts.explore`, `.act` or `.react` |
 * | N_e, N_t | `explorationSteps`, `maxSteps` |
 * | A_e, the actions of exploration | `exploringForms` |
 * | F_i, K′ | `turn.observation`, the triplets of `wese/extract` |
 * | K, G, M[h][t] = r | the `KnowledgeGraph`; `pairs` says whether a later relation of a pair replaces the earlier one |
 * | K̃, Algorithm 2 | `tripletsBetween`, `oneHop` |
 *
 * Choices that the paper leaves open are in `docs/explanation/deviations/wese.md`.
 */

import { z } from "zod";
import type { ActionSpec } from "../env/environment.ts";
import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { formatTriplet, type Triplet } from "../graph/triplet.ts";
import { oneHop, tripletsBetween } from "../retrieval/one-hop.ts";
import { withExamples } from "./examples.ts";
import type { Episode, MethodEntry, MethodMaker, Pass } from "./method.ts";
import { type Rollout, rollOut } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";
import { asksQuestion, playText, TEXT_AGENT_STEPS, usualSteps } from "./text-agent.ts";
import { type TextAgentOptions, textAgentOptions } from "./text-agent-options.ts";
import { withShortAction } from "./text-history.ts";
import {
  ENOUGH,
  KNOWLEDGE_TITLE,
  parseEntities,
  parseExtracted,
  type WesePrompts,
  wesePrompts,
} from "./wese.prompts.ts";

/** Constants of the paper. */
export const WESE_PAPER = {
  /** N_e = N_t (§4.1.1, §4.2.1). */
  steps: TEXT_AGENT_STEPS,
  /** Triplets that are shown for a question (§4.2.1). */
  questionTriplets: 10,
} as const;

/** Options of the method: those of every text agent, which hold for the exploitation, and these. */
export interface WeseOptions extends TextAgentOptions {
  /** The base method that exploits. @default {"react"} */
  readonly base?: "act" | "react";
  /**
   * N_e, 1 … 1,000,000.
   * @default 8 for questions, 50 for other worlds; `maxSteps`, N_t, likewise
   */
  readonly explorationSteps?: number;
  /**
   * Which triplets are retrieved: those that touch an entity of the task (§3.2), or those between
   * two of them (Algorithm 2).
   * @default {"one-hop"}
   */
  readonly retrieval?: "one-hop" | "between";
  /**
   * Most triplets that are shown, 0 … 10,000.
   * @default 10 for questions, any number for other worlds
   */
  readonly triplets?: number;
  /**
   * Which of several relations from one thing to another are kept: the last one (Algorithm 1) or
   * all.
   * @default {"last"}
   */
  readonly pairs?: "last" | "all";
}

const weseOptions = z.strictObject({
  ...textAgentOptions.shape,
  base: z.enum(["act", "react"]).default("react"),
  explorationSteps: z.int().min(1).max(1_000_000).exactOptional(),
  retrieval: z.enum(["one-hop", "between"]).default("one-hop"),
  triplets: z.int().min(0).max(10_000).exactOptional(),
  pairs: z.enum(["last", "all"]).default("last"),
});

/**
 * WESE: a pass `explore`, whose feedback becomes a graph, then a pass `exploit` in a fresh world,
 * with what the graph holds on the task. Nothing is left to the next episode. It reports what Act
 * reports, `dropped-entries` (unreadable triplets and names), `stopped-exploring`, and `retrieved`
 * (how many triplets for which entities).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createWese } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createWese({ base: "act", retrieval: "between" }).id, "wese");
 * assert.throws(() => createWese({ explorationSteps: 0 }), /explorationSteps/);
 * ```
 */
export const createWese: MethodMaker<WeseOptions> = twoPasses(
  "wese",
  "weak exploration, a graph of it, then strong exploitation in a fresh world (WESE)",
);

/**
 * SESE as studies name it: WESE with roles of its own (`sese/…`), so that one role map can bind
 * them to the strong model.
 */
export const sese: MethodEntry = twoPasses(
  "sese",
  "strong exploration, a graph of it, then strong exploitation in a fresh world (SESE)",
);

interface Setting {
  readonly episode: Episode;
  readonly prompts: WesePrompts;
  readonly options: z.output<typeof weseOptions>;
  readonly graph: KnowledgeGraph;
}

function twoPasses(id: "wese" | "sese", description: string): MethodMaker<WeseOptions> {
  const prompts = wesePrompts(id);
  const entry = {
    id,
    description,
    version: "3",
    options: weseOptions,
    prompts: Object.values(prompts),
  };
  return withExamples(methodEntry(entry, async (episode, options) => {
    const setting = { episode, prompts, options, graph: new KnowledgeGraph() };
    const explored = await explore(setting); // Alg. 3, l. 1–8
    const exploited = await exploit(setting); // Alg. 3, l. 9–15
    return { passes: [{ kind: "explore", ...explored }, { kind: "exploit", ...exploited }] };
  }));
}

async function explore({ episode, prompts, options, graph }: Setting): Promise<Omit<Pass, "kind">> {
  const limits = { ...options, pass: 0, maxSteps: options.explorationSteps ?? usualSteps };
  return await rollOut(episode, limits, async (rollout) => {
    rollout.graph = graph;
    await playText(rollout, {
      prompt: prompts.explore,
      options: {
        ...options,
        stopOnLoop: false,
        actions: options.actions === "possible" ? "possible" : "forms",
      },
      forms: exploringForms(rollout.world.spec.actions),
      ends: (action) => action.toLowerCase().replaceAll(/[^a-z]/g, "") === ENOUGH,
      onTurn: (rollout, action) =>
        action === undefined ? Promise.resolve(undefined) : extract(rollout, action),
    });
    return rollout.result;
  });

  async function extract(rollout: Rollout, action: string): Promise<undefined> {
    const { goal, observation } = rollout.turn;
    const shown = withShortAction({ action, observation: observation.trim() });
    const triplets = await rollout.ask(prompts.extract, { goal, ...shown }, {
      parse: parseExtracted,
    });
    for (const triplet of triplets ?? []) {
      addTriplet(graph, triplet, { time: rollout.step, pairs: options.pairs });
    }
  }
}

/**
 * Algorithm 1: M[h][t] ← r, which forgets an earlier relation of the pair unless `pairs` keeps all.
 */
function addTriplet(
  graph: KnowledgeGraph,
  triplet: Triplet,
  { time, pairs }: { readonly time: number; readonly pairs: "last" | "all" },
): void {
  if (graph.has(triplet)) return;
  if (pairs === "last") {
    for (const old of graph.incident(triplet.subject)) {
      if (old.subject === triplet.subject && old.object === triplet.object) graph.remove(old, time);
    }
  }
  graph.add(triplet, time);
}

async function exploit({ episode, prompts, options, graph }: Setting): Promise<Omit<Pass, "kind">> {
  const limits = { ...options, pass: 1, maxSteps: options.maxSteps ?? usualSteps };
  return await rollOut(episode, limits, async (rollout) => {
    const most = options.triplets ??
      (asksQuestion(rollout.world.spec) ? WESE_PAPER.questionTriplets : Infinity);
    const extra: Record<string, string> = {};
    rollout.graph = graph;
    await playText(rollout, {
      prompt: options.base === "act" ? prompts.act : prompts.react,
      options,
      extra,
      onTurn: async (rollout, action) => {
        if (action !== undefined) return undefined;
        const triplets = (await retrieve(rollout, most)).map(formatTriplet);
        extra[KNOWLEDGE_TITLE] = triplets.join("\n");
        return { recalled: { triplets } };
      },
    });
    return rollout.result;
  });

  async function retrieve(rollout: Rollout, most: number): Promise<Triplet[]> {
    const known = graph.entities();
    if (known.length === 0) return [];
    const values = { goal: rollout.turn.goal, entities: known.join("\n") };
    const entities = await rollout.ask(prompts.entities, values, { parse: parseEntities(known) });
    if (!entities) return [];
    const triplets = (options.retrieval === "between" ? tripletsBetween : oneHop)(
      graph,
      entities,
      most,
    );
    rollout.report(
      "retrieved",
      `${triplets.length} triplets for ${entities.length} of ${known.length} entities`,
    );
    return triplets;
  }
}

/** A_e (§3.3): the forms that a world marks as exploring, and those that only look. */
function exploringForms(actions: readonly ActionSpec[]): readonly ActionSpec[] {
  return actions.filter(({ name, explores }) =>
    explores || /^(?:look|inventory|examine|open|read)\b/.test(name)
  );
}
