/** The data of the pages by address, as JSON-able values. */

import { UsageError } from "../../core/errors.ts";
import { findEpisode } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { readGraph } from "./graph.ts";
import { parsePlace, readEpisode, readStep } from "./record.ts";
import { search, SEARCH_KINDS, type SearchKind } from "./search.ts";
import { readStudies, readStudy } from "./studies.ts";
import type { Tally } from "./tally.ts";
import { truthReader } from "./truth.ts";

export interface Source {
  readonly store: Store;
  readonly tally: Tally;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Reads `studies`, `study/<id>`, `episode/<id>`, `graph/<id>`, `step/<id>/<pass.step>`,
 * `truth/<id>/<pass.step>` or `search/<kind>?q=…&from=…`.
 */
export function readData(
  { store, tally, now }: Source,
  path: readonly string[],
  query: URLSearchParams,
): unknown {
  const [kind, id = "", more = ""] = path;
  switch (kind) {
    case "studies":
      return readStudies(store, tally, now());
    case "study":
      return readStudy(store, tally, id);
    case "episode":
      return readEpisode(store, id);
    case "graph": {
      const episode = findEpisode(store, id);
      return episode && readGraph(store, episode);
    }
    case "step": {
      const place = parsePlace(more);
      return place && readStep(store, id, place);
    }
    case "truth": {
      const [episode, place] = [findEpisode(store, id), parsePlace(more)];
      return episode && place && truthReader(store, episode)(place);
    }
    case "search":
      if (!SEARCH_KINDS.includes(id as SearchKind)) {
        throw new UsageError(`"${id}" cannot be searched; choose from ${SEARCH_KINDS.join(", ")}`);
      }
      return search(store, id as SearchKind, query.get("q") ?? "", query.get("from") ?? undefined);
    default:
      return undefined;
  }
}
