/**
 * What GraphMind's modules take a decision step: tokens with one vote and with all, and how much of each prompt repeats the one before it.
 *
 * @module
 */

import { getReplyRow } from "../../store/replies.ts";
import type { Store } from "../../store/open.ts";
import { type DataFrame, frameOf, rowsOf } from "../../report/frame.ts";
import type { GraphMindTrial } from "./trials.ts";

/** Role → its name in the paper's Tables 5 and 6, in their order; `Execute` is the model as actor, which they leave out. */
export const GRAPHMIND_MODULES: Readonly<Record<string, string>> = {
  "graphmind/verify-transition": "Verify Node Transition",
  "graphmind/locate": "Determine the Current Node",
  "graphmind/extract": "Extract Information",
  "graphmind/plan": "Plan with DSLs",
  "graphmind/verify-completion": "Verify Completion",
  "graphmind/update-entities": "Update Entity Information",
  "graphmind/execute": "Execute",
};

/** One row of `graphmindTokensFrame`. */
export interface ModuleTokens {
  /** Label of the study's row, e.g. `kg`. */
  readonly condition: string;
  /** Who asked, e.g. `graphmind/plan`. */
  readonly role: string;
  /** Completed episodes of the condition. */
  readonly episodes: number;
  /** Their decision steps. */
  readonly decisions: number;
  /** Requests a decision step, one vote. */
  readonly calls: number;
  /** Prompt tokens a decision step, one vote. */
  readonly prompt: number;
  /** Completion tokens a decision step, one vote. */
  readonly completion: number;
  /** Prompt tokens a decision step, all votes. */
  readonly promptAll: number;
  /** Completion tokens a decision step, all votes. */
  readonly completionAll: number;
  /** Share of the characters of a prompt (one vote) that repeat the beginning of the role's prompt before it in the episode, in [0, 1]. */
  readonly repeated: number;
  /** The same with all votes: a vote repeats its whole prompt. */
  readonly repeatedAll: number;
}

/** Conditions that Tables 5 and 6 hold against each other: of these, only what all that were played have played is counted. */
const COMPARED = ["kg", "sm", "kg-static"];

/**
 * Tokens by condition and role over the completed episodes of a study, each request counted once. KG, SM and a static graph are counted over the
 * layouts and missions that all of them have completed: a prompt grows with the map.
 *
 * Columns are those of `ModuleTokens`; rows in order of condition and of the paper's modules.
 *
 * @example
 * ```ts
 * import { graphmindTokensFrame } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(graphmindTokensFrame(store, "unplayed").height, 0);
 * ```
 */
export function graphmindTokensFrame(store: Store, study: string): DataFrame {
  const episodes = store.prepare(`
    ${COUNTED}
    select condition, count(*) as episodes, sum(steps) as decisions from counted group by condition`).all(study) as unknown as {
    readonly condition: string;
    readonly episodes: number;
    readonly decisions: number;
  }[];
  const calls = store.prepare(`
    ${COUNTED}
    select e.condition, c.episode, c.role, c.vote, c.key, c.prompt_tokens as prompt, c.completion_tokens as completion, min(c.id) as id
    from calls c join counted e on e.id = c.episode
    where c.kind <> 'wasted' and c.role like 'graphmind/%'
    group by c.episode, c.key order by id`).all(study) as unknown as Call[];
  const order = Object.keys(GRAPHMIND_MODULES);
  const groups = Map.groupBy(calls, ({ condition, role }) => JSON.stringify([condition, role]));
  const rows = [...groups.values()].flatMap((group): ModuleTokens[] => {
    const [{ condition, role }] = group as [Call, ...Call[]];
    const played = episodes.find((one) => one.condition === condition);
    if (!played) return [];
    const first = group.filter(({ vote }) => (vote ?? 0) === 0);
    const a = (some: readonly Call[], of: (call: Call) => number): number =>
      some.reduce((sum, call) => sum + of(call), 0) / played.decisions;
    const { alone, all } = repeated(store, group);
    return [{
      condition,
      role,
      episodes: played.episodes,
      decisions: played.decisions,
      calls: a(first, () => 1),
      prompt: a(first, ({ prompt }) => prompt),
      completion: a(first, ({ completion }) => completion),
      promptAll: a(group, ({ prompt }) => prompt),
      completionAll: a(group, ({ completion }) => completion),
      repeated: alone,
      repeatedAll: all,
    }];
  });
  return frameOf(
    rows.sort((a, b) =>
      a.condition < b.condition ? -1 : a.condition > b.condition ? 1 : order.indexOf(a.role) - order.indexOf(b.role)
    ) as unknown as Record<string, unknown>[],
    {
      condition: "text",
      role: "text",
      episodes: "integer",
      decisions: "integer",
      calls: "number",
      prompt: "number",
      completion: "number",
      promptAll: "number",
      completionAll: "number",
      repeated: "number",
      repeatedAll: "number",
    },
  );
}

/** The completed episodes whose tokens are counted, as `counted`. */
const COUNTED = `
    with completed as (select * from episodes where study = ? and status = 'completed' and world = 'babyai'),
      compared as (select * from completed where condition in (${COMPARED.map((condition) => `'${condition}'`).join(", ")})),
      common as (
        select label from compared group by label
        having count(distinct condition) = (select count(distinct condition) from compared)
      ),
      counted as (
        select * from completed where label in (select label from common) or condition not in (select condition from compared)
      )`;

/** Tokens of the trials of a condition on maps of one size. */
export interface TrajectoryTokens {
  /** Label of the row in tables. */
  readonly condition: string;
  /** `2x2`, … */
  readonly rooms: string;
  /** Completed trials. */
  readonly trials: number;
  /** Input and output tokens a trial, one vote. */
  readonly tokens: number;
  /** The same with all votes. */
  readonly tokensAll: number;
}

/**
 * Tokens of whole trajectories in PutNextTo, by condition and size.
 *
 * @param trials the rows of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { graphmindTrajectories } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(graphmindTrajectories(store, []), []);
 * ```
 */
export function graphmindTrajectories(store: Store, trials: readonly GraphMindTrial[]): TrajectoryTokens[] {
  const sums = store.prepare(`
    select coalesce(sum(case when coalesce(vote, 0) = 0 then tokens end), 0) as first, coalesce(sum(tokens), 0) as every from (
      select vote, prompt_tokens + completion_tokens as tokens, min(id) from calls where episode = ? and kind <> 'wasted' group by key
    )`);
  const played = trials.filter(({ status, mission, condition }) =>
    status === "completed" && mission === "PutNextTo" && ["kg", "sm"].includes(condition)
  );
  return [...Map.groupBy(played, ({ condition, rooms }) => JSON.stringify([condition, rooms])).values()].map((cell) => {
    const [{ condition, rooms }] = cell as [GraphMindTrial, ...GraphMindTrial[]];
    const tokens = cell.map(({ episode }) => sums.get(episode));
    const mean = (of: "first" | "every"): number => tokens.reduce((sum, row) => sum + Number(row?.[of]), 0) / cell.length;
    return { condition, rooms, trials: cell.length, tokens: mean("first"), tokensAll: mean("every") };
  });
}

/** The rows of the frame. */
export function modulesOf(frame: DataFrame): ModuleTokens[] {
  return rowsOf<ModuleTokens>(frame);
}

interface Call {
  readonly condition: string;
  readonly episode: string;
  readonly role: string;
  readonly vote: number | null;
  readonly key: string;
  readonly prompt: number;
  readonly completion: number;
}

/** Characters that repeat the beginning of the role's prompt before them, as shares of all: of first votes alone, and of every request. */
function repeated(store: Store, calls: readonly Call[]): { readonly alone: number; readonly all: number } {
  const totals = { alone: 0, all: 0, aloneLength: 0, allLength: 0 };
  const [lastAlone, last] = [new Map<string, string>(), new Map<string, string>()];
  for (const { episode, vote, key } of calls) {
    const text = promptOf(store, key);
    totals.all += common(last.get(episode) ?? "", text);
    totals.allLength += text.length;
    last.set(episode, text);
    if ((vote ?? 0) > 0) continue;
    totals.alone += common(lastAlone.get(episode) ?? "", text);
    totals.aloneLength += text.length;
    lastAlone.set(episode, text);
  }
  return { alone: totals.alone / (totals.aloneLength || 1), all: totals.all / (totals.allLength || 1) };
}

/** The messages of a recorded request as one text. */
function promptOf(store: Store, key: string): string {
  const messages = getReplyRow(store, key)?.request.messages;
  return Array.isArray(messages) ? messages.map((message) => JSON.stringify(message)).join("\n") : "";
}

function common(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
