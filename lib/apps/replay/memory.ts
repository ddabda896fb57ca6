/** Feeds the logged answers to our AriGraph memory and compares it with what theirs printed. */

import { distancesFrom } from "../../core/graph/paths.ts";
import type { KnowledgeGraph } from "../../core/graph/knowledge-graph.ts";
import { normaliseEntity, type Triplet, tripletKey } from "../../core/graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../../core/memory/arigraph-options.ts";
import { createAriGraph } from "../../core/memory/arigraph.ts";
import type { StaleAnswer } from "../../core/memory/arigraph-replies.ts";
import type { Memory } from "../../core/memory/memory.ts";
import { Navigator } from "../../core/memory/navigator.ts";
import { createLexicalEmbedder } from "../../core/retrieval/lexical.ts";
import { unexploredExits } from "../../core/retrieval/unexplored-exits.ts";
import { loggedAsker, staleAsLogged, tripletAsWritten, without, written } from "./answers.ts";
import { faultsOf, touchingItems, twoPasses } from "./recalls.ts";
import type { StepFindings } from "./report.ts";
import type { Attempt, Step } from "./steps.ts";
import { headersIn } from "./texts.ts";

export interface LastAction {
  readonly action: string;
  readonly macro: boolean;
  /** The last room that the moves of the macro showed. */
  readonly room: string | undefined;
}

export class ReplayedMemory {
  readonly #attempt: Attempt;
  readonly #memory: Memory;
  readonly graph: KnowledgeGraph;
  readonly navigator: Navigator;
  /** The models' answers on the present step, by role. */
  #answers: Readonly<Record<string, unknown>> = {};
  /** Room → its raw name in triplets that lead out of it, in the version that kept it. */
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
    this.graph = graph as KnowledgeGraph;
    this.navigator = navigation as Navigator;
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
    this.#holdExits(step, findings);
    this.#holdRecall(step, fresh, findings);
  }

  /** Returns the logged stale triplets in our graph, except those between two known rooms. */
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

  /** Whether a later recall shows that a deleted triplet was extracted again on the same step. */
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
   * Checks that stale triplets are gone, and that none has a word that the authors' code excludes.
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

  /** Returns the moves of a known path to the place, or why there is none. */
  route(place: string): readonly string[] | "already there" | "no way" {
    if (normaliseEntity(place) === this.navigator.here) return "already there";
    return this.navigator.route(place) ?? "no way";
  }

  distancesTo(place: string): ReadonlyMap<string, number> {
    return distancesFrom(this.graph, normaliseEntity(place), this.navigator.places);
  }

  /** Keeps the raw name of the room that was left in connecting triplets, as one version did. */
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
