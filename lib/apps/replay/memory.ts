/**
 * Feeds the logged answers of the authors' models to our own AriGraph memory and compares it with
 * what theirs printed.
 */

import { distancesFrom } from "../../core/graph/paths.ts";
import type { KnowledgeGraph } from "../../core/graph/knowledge-graph.ts";
import {
  normaliseEntity,
  parseTriplet,
  type Triplet,
  tripletKey,
} from "../../core/graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../../core/memory/arigraph-options.ts";
import { createAriGraph } from "../../core/memory/arigraph.ts";
import {
  parseEntities,
  parseOutdate,
  type StaleAnswer,
} from "../../core/memory/arigraph-replies.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { Navigator } from "../../core/memory/navigator.ts";
import { createLexicalEmbedder } from "../../core/retrieval/lexical.ts";
import { unexploredExits } from "../../core/retrieval/unexplored-exits.ts";
import {
  itemsAsLogged,
  loggedAsker,
  staleAsLogged,
  tripletAsWritten,
  without,
  written,
} from "./answers.ts";
import { faultsOf, touchingItems, twoPasses } from "./recalls.ts";
import type { StepFindings } from "./report.ts";
import type { Attempt, Step } from "./steps.ts";
import { headersIn, withoutLastBreaks } from "./texts.ts";

/** The action that led to a step. */
export interface LastAction {
  readonly action: string;
  readonly macro: boolean;
  /** The last room that the moves of the macro showed. */
  readonly room: string | undefined;
}

/** The memory of one attempt. */
export class ReplayedMemory {
  readonly #attempt: Attempt;
  readonly #memory: Memory;
  readonly graph: KnowledgeGraph;
  readonly navigator: Navigator;
  /** The models' answers on the present step, by role. */
  #answers: Readonly<Record<string, unknown>> = {};
  /**
   * Room → the raw name that it has in triplets that lead out of it, in the version that kept it.
   */
  readonly #rawNames: ReadonlyMap<string, string>;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
    const { staleAgainst, deletes } = attempt.rules;
    // all that the logs were played under; what is recalled is compared otherwise
    this.#memory = createAriGraph({
      variant: "authors",
      staleAgainst,
      stale: deletes,
      outdateFilter: false,
    })({
      ask: loggedAsker(() => this.#answers),
      embedder: createLexicalEmbedder(),
    });
    const { graph, navigation } = this.#memory;
    if (!graph || !(navigation instanceof Navigator)) {
      throw new TypeError("cannot replay: the memory has no graph or no navigator");
    }
    this.graph = graph;
    this.navigator = navigation;
    this.#rawNames = rawNamesIn(attempt);
  }

  /** Observes a step, and compares the log's graph, triplets, exits and recall with the result. */
  async observe(
    step: Step,
    lastAction: LastAction | undefined,
    findings: StepFindings,
  ): Promise<void> {
    const { rules } = this.#attempt;
    const fresh = step.fresh.map(tripletAsWritten);
    const old = this.#standingStale(step);
    const stays = new Set(
      rules.deletes ? old.filter((triplet) => this.#neverGone(triplet, step)).map(tripletKey) : [],
    );
    const stood = fresh.filter((triplet) => this.graph.has(triplet));
    if (rules.staleAgainst === "new") findings.hold("fresh", "[]", JSON.stringify(written(stood)));

    const stale = staleAsLogged(step.outdated).stale.filter((triplet) =>
      !stays.has(tripletKey(triplet))
    );
    this.#answers = {
      "arigraph/extract": fresh,
      "arigraph/outdate": { stale, ignored: 0 } satisfies StaleAnswer,
    };
    const before = this.navigator.here;
    const location = headersIn(step.observation).at(-1) ?? lastAction?.room ?? before;
    const by = {
      action: lastAction?.action,
      macro: lastAction?.macro && !rules.passagesAfterMacro,
    };
    const known = new Set([...this.graph.triplets(), ...fresh].map(tripletKey));
    await this.#memory.observe({
      step: step.number,
      goal: "",
      observation: step.observation,
      location,
      ...by,
    });
    this.#keepRawName({ before, by, known, time: step.number });

    if (rules.deletes) this.#holdStale(old, { stays, fresh, time: step.number }, findings);
    this.#holdGraph(step, old, findings);
    this.#holdParsing(step, findings);
    this.#holdExits(step, findings);
    this.#holdRecall(step, fresh, findings);
    this.#holdEpisodes(step, findings);
  }

  /**
   * Returns the logged stale triplets that our graph holds and that may be removed: not those
   * between two known rooms.
   */
  #standingStale(step: Step): Triplet[] {
    const rooms = new Set([
      ...this.navigator.places,
      ...headersIn(step.observation).slice(-1).map(normaliseEntity),
    ]);
    const old = new Map(
      staleAsLogged(step.outdated).stale.map((triplet) => [tripletKey(triplet), triplet]),
    );
    return [...old.values()].filter((triplet) =>
      this.graph.has(triplet) && !(rooms.has(triplet.subject) && rooms.has(triplet.object))
    );
  }

  /**
   * Whether a later recall shows that a deleted triplet was extracted again on the same step; only
   * where no graph is logged.
   */
  #neverGone(triplet: Triplet, step: Step): boolean {
    if (step.graph || this.#attempt.rules.recall !== "search") return false;
    const [text = ""] = written([triplet]);
    for (const later of this.#attempt.steps.slice(step.number - 1)) {
      if (later.number > step.number && later.fresh.includes(text)) return false;
      if (later.recalled?.includes(text)) return true;
    }
    return false;
  }

  /**
   * Checks that the triplets that the log's models call stale are gone and contain no word that the
   * authors' code excludes.
   */
  #holdStale(
    old: readonly Triplet[],
    { stays, fresh, time }: {
      readonly stays: ReadonlySet<string>;
      readonly fresh: readonly Triplet[];
      readonly time: number;
    },
    findings: StepFindings,
  ): void {
    for (const triplet of old) {
      const [text = ""] = written([triplet]);
      const excluded = this.#attempt.rules.staleAgainst === "new" &&
        ARIGRAPH_PAPER.outdateExclusions.some((word) => text.includes(word));
      const kept = stays.has(tripletKey(triplet));
      const stands = !kept && without([triplet], fresh).length > 0 &&
        this.graph.remove(triplet, time);
      findings.hold(
        "stale",
        `${text}: ${excluded ? "never offered as stale" : "gone"}`,
        `${text}: ${kept ? "recalled before it is new again" : stands ? "stands" : "gone"}`,
        kept ? "reextracted" : stands && fresh.length === 0 ? "not-asked" : undefined,
      );
    }
  }

  #holdGraph(step: Step, old: readonly Triplet[], findings: StepFindings): void {
    if (!step.graph) return;
    const ours = this.graph.triplets();
    const logged = step.graph.map(tripletAsWritten);
    const [missing, extra] = [without(logged, ours), without(ours, logged)];
    const again = missing.length > 0 && extra.length === 0 && without(missing, old).length === 0;
    const [wanted, got] = missing.length + extra.length > 0
      ? [missing, extra].map((triplets) => `also ${written(triplets).join("; ")}`)
      : [step.graph, written(ours)];
    if (!findings.hold("graph", wanted, got, again ? "reextracted" : undefined)) {
      this.#resynchronise(logged, step.number);
    }
  }

  /** Replaces the graph by the logged one, order included. */
  #resynchronise(logged: readonly Triplet[], time: number): void {
    const ours = this.graph.triplets();
    let same = 0;
    while (
      same < ours.length && same < logged.length &&
      tripletKey(ours[same] as Triplet) === tripletKey(logged[same] as Triplet)
    ) same++;
    for (const triplet of ours.slice(same)) this.graph.remove(triplet, time);
    for (const triplet of logged.slice(same)) this.graph.add(triplet, time);
  }

  /** Compares what our parsers read in the models' answers with what the authors' code read. */
  #holdParsing(step: Step, findings: StepFindings): void {
    const { deepest } = ARIGRAPH_PAPER;
    if (step.entities.trimStart().startsWith("{")) {
      const read = parseEntities(deepest)(step.entities);
      const wanted = [...itemsAsLogged(step.entities)].map((
        [name, importance],
      ) => [name.trim(), Math.min(Math.ceil(importance), deepest)]);
      findings.hold("parsing", wanted, read.kind === "ok" ? [...read.value] : read.problem);
    }
    const normal = staleAsLogged(step.outdated).stale.map((triplet) =>
      parseTriplet(written([triplet])[0] ?? "")
    );
    const wanted = written(normal.filter((triplet) => triplet !== undefined));
    const ours = parseOutdate(step.outdated);
    const cause = step.outdated.split("[[").length > 2 ? "nested-answer" : undefined;
    findings.hold(
      "parsing",
      wanted,
      ours.kind === "ok" ? written(ours.value.stale) : ours.problem,
      cause,
    );
  }

  #holdExits(step: Step, findings: StepFindings): void {
    if (step.exits.size === 0) return;
    for (const place of new Set([...step.exits.keys(), ...this.navigator.places])) {
      const logged = step.exits.get(place);
      const ours = this.navigator.places.has(place)
        ? unexploredExits(this.graph, place)
        : undefined;
      findings.hold(
        "exits",
        `${place}: ${logged?.toSorted().join(", ") ?? "not listed"}`,
        `${place}: ${ours?.toSorted().join(", ") ?? "not known"}`,
      );
    }
  }

  #holdRecall(step: Step, fresh: readonly Triplet[], findings: StepFindings): void {
    const { recalled } = step;
    if (!recalled) return;
    switch (this.#attempt.rules.recall) {
      case "passes":
        findings.hold("recalled", recalled, written(twoPasses(this.graph, step.items.keys())));
        break;
      case "touching": {
        const texts = recalled.map((text) => text.replace(/^Step \d+: /, ""));
        const { first, second, length } = touchingItems(this.graph, step.items.keys());
        const tail = texts.slice(first.length).filter((text) => !written(second).includes(text));
        findings.hold("recalled", [...texts.slice(0, first.length), ...tail, texts.length], [
          ...written(first),
          length,
        ]);
        break;
      }
      case "search": {
        const faults = faultsOf({
          recalled,
          fresh,
          graph: this.graph,
          items: step.items,
          length: step.recalledLength,
        });
        findings.hold("recalled", faults.join("; "), "");
      }
    }
  }

  #holdEpisodes(step: Step, findings: StepFindings): void {
    const { rules, steps } = this.#attempt;
    if (!rules.episodes || !step.episodes) return;
    const { back, all } = rules.episodes;
    const past = steps.slice(0, Math.max(0, step.number - back));
    const known = new Set(past.map(({ observation }) => withoutLastBreaks(observation)));
    // one version adds inventory and action to the observation
    const strange = step.episodes.filter((episode) =>
      !known.has(withoutLastBreaks(episode.replace(/\nInventory: [^]*$/, "")))
    );
    const most = Math.min(ARIGRAPH_PAPER.k, step.number - 1);
    const right = all ? step.episodes.length === most : step.episodes.length <= most;
    findings.hold("episodes", [...strange, right ? "" : `${step.episodes.length} episodes`], [
      right ? "" : `${most} episodes`,
    ]);
  }

  /** Returns the moves of a known path to the place, or why there is none. */
  route(place: string): readonly string[] | "already there" | "no way" {
    if (normaliseEntity(place) === this.navigator.here) return "already there";
    return this.navigator.route(place) ?? "no way";
  }

  /** Returns known place → number of moves from it to the given one. */
  distancesTo(place: string): ReadonlyMap<string, number> {
    return distancesFrom(this.graph, normaliseEntity(place), this.navigator.places);
  }

  /**
   * Does as one version, which kept the raw name of the room that was left in the triplets that
   * connect it with the next room.
   */
  #keepRawName({ before, by, known, time }: {
    readonly before: string | undefined;
    readonly by: { readonly action?: string; readonly macro?: boolean };
    readonly known: ReadonlySet<string>;
    readonly time: number;
  }): void {
    const { here = "" } = this.navigator;
    const raw = this.#rawNames.get(before ?? here);
    if (raw === undefined) return;
    const walk = new Navigator(this.graph);
    walk.arrive(before ?? raw); // at the start the two names of a room counted as two rooms
    for (const passage of walk.arrive(here, before === undefined ? { action: "start" } : by)) {
      if (!known.has(tripletKey(passage))) this.graph.remove(passage, time);
      const named = (end: string): string => end === before ? raw : end;
      this.graph.add({
        subject: named(passage.subject),
        relation: passage.relation,
        object: named(passage.object),
      }, time);
    }
  }
}

/** Room → the game's own spelling, where recalled passages have it. */
function rawNamesIn(attempt: Attempt): Map<string, string> {
  const raw = attempt.steps.some((step) =>
    step.recalled?.some((text) => /\blivingroom\b/.test(text))
  );
  return new Map(raw ? [["living room", "livingroom"]] : []);
}
