/** The port of ReasonPlanner's world model (Pham-Dinh et al. 2024, arXiv 2410.09252, §3.2). */

import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { TemporalFacts } from "../graph/temporal-facts.ts";
import type { Artefact } from "./memory.ts";

/** One step of an agent. */
export interface Experience {
  /** Agent step, from 0 (the reset). */
  readonly step: number;
  /** The task in the world's words. */
  readonly task: string;
  /** The action taken; a macro stands under its own name (`go to kitchen`). Absent at the reset. */
  readonly action?: string;
  /** The world's answer to it. */
  readonly response: string;
  /** What the agent would see, o. */
  readonly observation: string;
  /** The agent's place after it; absent where the world does not tell. */
  readonly place?: string;
}

/** The answer to a question, the entities that it rests on and the number of facts. */
export type WorldModelAnswer =
  | {
    readonly kind: "answer";
    readonly text: string;
    readonly entities: readonly string[];
    readonly facts: number;
  }
  /** Nothing in the graph bears on it: the agent should explore (§3.4). */
  | { readonly kind: "nothing" };

/** A world model of one agent. Errors of models propagate. */
export interface WorldModel {
  /** Takes in a step. Steps come in order, each once. */
  ingest(experience: Experience): Promise<void>;
  /** Answers a question from the facts, which it leaves as they are. */
  query(question: string, at: { readonly step: number }): Promise<WorldModelAnswer>;
  /** The graph. A fact that is told again is recorded as a change, too. */
  readonly graph: KnowledgeGraph;
  /** The facts of the graph, by entity and time. */
  readonly facts: TemporalFacts;
  /** Everything that the next episode of the chain starts from. */
  save(): Artefact;
  /**
   * Replaces the content by what an earlier world model saved.
   * @throws {TypeError} if the artefact is not a world model's.
   */
  load(artefact: Artefact): void;
}
