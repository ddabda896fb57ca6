/**
 * The places an agent has visited, their layout, and paths between them: the spatial part of
 * AriGraph (arXiv 2407.04363, §3).
 */

import { COMPASS, type Compass, opposite } from "../graph/compass.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { distancesFrom, shortestPath } from "../graph/paths.ts";
import { normaliseEntity, type Triplet } from "../graph/triplet.ts";
import type { Navigation } from "./memory.ts";

/** Follows an agent through places. It reads paths from a graph and never changes that graph. */
export class Navigator implements Navigation {
  readonly #graph: KnowledgeGraph;
  readonly #places = new Set<string>();
  #here: string | undefined;

  /** Reads the places and exits of a graph; it changes nothing in it. */
  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
  }

  /** The visited places, in normal form, in order of the first visit. */
  get places(): ReadonlySet<string> {
    return this.#places;
  }

  /** The present place; `undefined` where the world does not tell. */
  get here(): string | undefined {
    return this.#here;
  }

  /**
   * Takes in the place that an action led to. After a move it returns (here, r, before) and its
   * reverse, where r is "is <direction> of" for the first of north, east, south, west in the
   * action, else "can be achieved from". A macro returns none.
   */
  arrive(
    location: string | undefined,
    by: { readonly action?: string; readonly macro?: boolean } = {},
  ): Triplet[] {
    const here = location === undefined ? "" : normaliseEntity(location);
    if (here === "") return [];
    const before = this.#here;
    this.#here = here;
    this.#places.add(here);
    if (before === undefined || before === here || by.action === undefined || by.macro) return [];
    const action = by.action.toLowerCase();
    const direction = COMPASS.find((word) => action.includes(word));
    return [
      { subject: here, relation: relationOf(direction), object: before },
      { subject: before, relation: relationOf(direction && opposite(direction)), object: here },
    ];
  }

  /** Adds the places that an earlier memory had visited. */
  restore(places: Iterable<string>): void {
    for (const place of places) this.#places.add(place);
  }

  destinations(which: "reachable" | "known" = "reachable"): string[] {
    if (this.#here === undefined) return [];
    if (which === "known") return [...this.#places];
    const reachable = distancesFrom(this.#graph, this.#here, this.#places);
    return [...this.#places].filter((place) => place !== this.#here && reachable.has(place));
  }

  route(destination: string): Compass[] | undefined {
    if (this.#here === undefined) return undefined;
    const path = shortestPath(this.#graph, {
      from: this.#here,
      to: normaliseEntity(destination),
      places: this.#places,
    });
    return path && [...path.moves];
  }
}

function relationOf(direction: Compass | undefined): string {
  return direction === undefined ? "can be achieved from" : `is ${direction} of`;
}
