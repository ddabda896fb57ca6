/**
 * What a memory believed in an episode, compared with the world's truth at every step.
 *
 * | measure | here |
 * |---|---|
 * | precision, recall | as `lib/lab/truth/judge.ts` defines them, at each step, then their mean over the steps |
 * | staleness | steps from a change of the world that the agent was shown to the end of the belief that it made false; one that is held to the end counts to there |
 * | needed | share of the steps whose next right action needs a fact about another place at which the recollection gives that fact |
 *
 * At step s a memory was shown the world after step s − 1, and is compared with the truth of that.
 */

import { mean } from "simple-statistics";
import { normaliseEntity, tripletKey } from "../../core/graph/triplet.ts";
import type { Store } from "../store/open.ts";
import { type GraphChangeRow, listGraphChanges, listTurns, type TurnRow } from "../store/turns.ts";
import { judge, type RecordedTruth, recordedTruths } from "./judge.ts";
import type { Judgement, Row } from "./claims.ts";
import { neededFacts } from "./needs.ts";

/** A belief measure of an episode: its value, or why there is none. */
export type Belief = number | string;

/** The beliefs of an episode. */
export interface Beliefs {
  /** Mean over the steps, in [0, 1]. */
  readonly precision: Belief;
  /** Mean over the steps, in [0, 1]. */
  readonly recall: Belief;
  /** Mean number of steps that a belief outlived the fact; 0 where none became false. */
  readonly stale: Belief;
  /** In [0, 1]. */
  readonly needed: Belief;
  /** Precision and recall by agent step; absent where a step has none. */
  readonly steps: readonly {
    readonly step: number;
    readonly precision?: number;
    readonly recall?: number;
  }[];
}

/**
 * Measures the beliefs of a recorded episode.
 *
 * @param options `tellsNext`: whether the goal names the thing to find, which decides the next
 *   right action
 *
 * @example
 * ```ts
 * import { beliefsOf } from "labyrinth/lab";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(beliefsOf(store, "unplayed", { tellsNext: true }).precision, "no truth was recorded");
 * ```
 */
export function beliefsOf(
  store: Store,
  episode: string,
  { tellsNext }: { readonly tellsNext: boolean },
): Beliefs {
  const turns = listTurns(store, episode);
  const truths = recordedTruths(store, episode, turns);
  const none = (reason: string, needed: Belief = reason): Beliefs => ({
    precision: reason,
    recall: reason,
    stale: reason,
    needed,
    steps: [],
  });
  if (truths.length === 0) return none("no truth was recorded");
  if (!judge([], truths.slice(0, 1))) return none("its world's truth is no map of triplets");
  const changes = listGraphChanges(store, episode);
  const judged = judgedSteps(turns, truths, changes);
  const needed = tellsNext
    ? neededShare(judged)
    : "its world does not tell what the next right action is";
  if (turns.every(({ graphSize }) => graphSize === undefined)) {
    return none("it keeps no triplets", needed);
  }
  const steps = judged.map(({ step, judgement }) => ({ step, ...sharesOf(judgement) }));
  const values = (of: "precision" | "recall"): number[] => steps.flatMap((step) => step[of] ?? []);
  const isComparable = changes.length === 0 || values("precision").length > 0;
  if (!isComparable || steps.length === 0) {
    return none("nothing of it can be compared with the world", needed);
  }
  const over = (of: "precision" | "recall"): Belief =>
    values(of).length === 0 ? "it held no triplet" : mean(values(of));
  return {
    precision: over("precision"),
    recall: over("recall"),
    stale: staleSteps(judged),
    needed,
    steps,
  };
}

interface JudgedStep {
  readonly step: number;
  readonly turn: TurnRow;
  readonly truth: RecordedTruth;
  readonly judgement: Judgement;
}

function judgedSteps(
  turns: readonly TurnRow[],
  truths: readonly RecordedTruth[],
  changes: readonly GraphChangeRow[],
): JudgedStep[] {
  const changed = Map.groupBy(changes, ({ pass, step }) => `${pass}.${step}`);
  const standing = new Map<string, Row>();
  return turns.flatMap((turn): JudgedStep[] => {
    for (const change of changed.get(`${turn.pass}.${turn.step}`) ?? []) {
      if (change.op === "add") {
        standing.set(tripletKey(change), [change.subject, change.relation, change.object]);
      } else standing.delete(tripletKey(change));
    }
    const shown = truths.filter(({ pass, step }) => pass === turn.pass && step < turn.step);
    const truth = shown.at(-1);
    const judgement = truth && judge([...standing.values()], shown);
    return judgement ? [{ step: turn.step, turn, truth, judgement }] : [];
  });
}

/** Precision and recall of a memory, in [0, 1]; absent where nothing can be compared. */
function sharesOf(
  { memory, world }: Judgement,
): { readonly precision?: number; readonly recall?: number } {
  const count = (list: readonly { readonly verdict: string }[], verdict: string): number =>
    list.filter((one) => one.verdict === verdict).length;
  const share = (part: number, all: number): number | undefined =>
    all === 0 ? undefined : part / all;
  const right = count(memory, "right");
  const known = count(world, "right");
  return {
    precision: share(right, right + count(memory, "stale") + count(memory, "wrong")),
    recall: share(known, known + count(world, "missing")),
  };
}

function staleSteps(judged: readonly JudgedStep[]): number {
  const running = new Map<string, number>();
  const ended: number[] = [];
  for (const { judgement } of judged) {
    const stale = new Set(
      judgement.memory.filter(({ verdict }) => verdict === "stale").map(({ row }) =>
        row.join("\n")
      ),
    );
    for (const [key, steps] of running) {
      if (stale.has(key)) continue;
      ended.push(steps);
      running.delete(key);
    }
    for (const key of stale) running.set(key, (running.get(key) ?? 0) + 1);
  }
  const all = [...ended, ...running.values()];
  return all.length === 0 ? 0 : mean(all);
}

function neededShare(judged: readonly JudgedStep[]): Belief {
  const asked = judged.flatMap(({ turn, truth, judgement }) => {
    const facts = truth.game && neededFacts(turn.goal, truth.game, judgement.world);
    return facts ? [{ facts, given: linesOf(turn.details["recalled"]) }] : [];
  });
  if (asked.length === 0) return "no action needed a fact about another place";
  if (asked.every(({ given }) => given === undefined)) return "what it recalls is not on record";
  return mean(asked.map(({ facts, given = [] }) => Number(givesAll(given, facts))));
}

function givesAll(lines: readonly string[], facts: readonly (readonly string[])[]): boolean {
  return facts.every((names) => lines.some((line) => names.every((name) => holds(line, name))));
}

/** The lines of a recorded recollection in normal form; `undefined` where none is recorded. */
function linesOf(recalled: unknown): string[] | undefined {
  if (typeof recalled !== "object" || recalled === null) return undefined;
  return Object.values(recalled).flat().map((line) => normaliseEntity(String(line)));
}

function holds(text: string, name: string): boolean {
  return new RegExp(`(?<![\\p{L}\\d])${RegExp.escape(name)}(?![\\p{L}\\d])`, "u").test(text);
}
