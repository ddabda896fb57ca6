/**
 * What became of WESE's episodes: reward, steps, and what the exploring and the acting model took. One row an episode, from the store alone.
 *
 * @module
 */

import { isOffline, priceOf } from "../../llm/prices.ts";
import { bindingOf, modelIdOf, ROLE_MAPS } from "../../llm/roles.ts";
import type { Store } from "../../store/open.ts";
import { type DataFrame, frameOf, type FrameSchema, rowsOf } from "../../report/frame.ts";

/** One row of `weseTrialsFrame`. */
export interface WeseTrial {
  /** Id of the episode. */
  readonly episode: string;
  /** `alfworld`, `fresh` (households drawn anew), `scienceworld`, `hotpotqa` or `fever`. */
  readonly world: string;
  /** Type of the task, e.g. `clean`, `boil`. */
  readonly task: string;
  /** Where the tasks come from: `alfworld households`, `wiki/encyclopedia`, … */
  readonly source: string;
  /** Tells the task from others of its world; equal under all conditions. */
  readonly place: string;
  /** Label of the study's row, e.g. `act-wese`. */
  readonly condition: string;
  /** What answered for the models. */
  readonly backbone: string;
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  readonly status: string;
  /** 0 … 100, of the exploitation; null unless the episode is completed. So are the other measures. */
  readonly reward: number | null;
  /** Whether all of it was reached. */
  readonly success: boolean | null;
  /** Agent steps of the exploitation. */
  readonly steps: number | null;
  /** Its first step that was rewarded; null where there is none. What a world gives at the reset is no reward. */
  readonly firstReward: number | null;
  /** Agent steps of the exploration; null without one. */
  readonly explored: number | null;
  /** Triplets of the explored graph; null without one. */
  readonly triplets: number | null;
  /** Tokens of the model that acts, in prompts: what the paper counts, which counts OpenAI's alone. */
  readonly strongPrompt: number | null;
  /** The same in completions. */
  readonly strongCompletion: number | null;
  /** Tokens of WESE's exploring, extracting and choosing. */
  readonly weakPrompt: number | null;
  /** The same in completions. */
  readonly weakCompletion: number | null;
  /** US dollars as the paper counts them: of the model that acts, at the price of text-davinci-003. */
  readonly paperDollars: number | null;
  /** US dollars of all models at the prices of the time of the call, or, played offline, as if those of the role map `today` had answered; null without a price. */
  readonly dollars: number | null;
}

/** Columns of `weseTrialsFrame`. */
const COLUMNS: FrameSchema = {
  episode: "text",
  world: "text",
  task: "text",
  source: "text",
  place: "text",
  condition: "text",
  backbone: "text",
  status: "text",
  reward: "number",
  success: "boolean",
  steps: "integer",
  firstReward: "integer",
  explored: "integer",
  triplets: "integer",
  strongPrompt: "number",
  strongCompletion: "number",
  weakPrompt: "number",
  weakCompletion: "number",
  paperDollars: "number",
  dollars: "number",
};

/**
 * Every episode of a study of WESE, planned ones included, in order of world, task, place and condition. Columns are those of `WeseTrial`.
 *
 * Of each request the first answer counts, as in `tokensFrame`. Weak are the roles `wese/explore`, `wese/extract` and `wese/task-entities`,
 * whatever model is bound to them; all others are strong.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { weseTrialsFrame } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(weseTrialsFrame(store, "unplayed").height, 0);
 * ```
 */
export function weseTrialsFrame(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    select e.id as episode, coalesce(e.label, e.world) as label,
      trim(e.world || ' ' || coalesce(json_extract(e.world_params, '$.set'), '')) as source, e.lane, e.condition, e.backbone, e.status, e.score, e.max_score as maxScore, e.steps,
      case when json_array_length(e.passes) > 1 then json_extract(e.passes, '$[0].steps') end as explored,
      (select min(t.step) from turns t join turns s on s.episode = t.episode and s.pass = t.pass and s.step = 0
        where t.episode = e.id and t.pass = json_array_length(e.passes) - 1 and t.score > s.score) as firstReward,
      (select graph_size from turns t where t.episode = e.id and t.pass = 0 and t.graph_size is not null order by step desc limit 1) as triplets,
      (select goal from turns t where t.episode = e.id and t.pass = 0 and t.step = 0) as goal
    from episodes e where e.study = ?`).all(study) as unknown as EpisodeRow[];
  const tokens = tokensOf(store, study);
  return frameOf(
    rows.map((row) => trialOf(row, tokens.get(row.episode) ?? NOTHING)).sort((a, b) =>
      compare(a.world, b.world) || compare(a.task, b.task) || compare(a.place, b.place) || compare(a.condition, b.condition)
    ) as unknown as Record<string, unknown>[],
    COLUMNS,
  );
}

/** The rows of the frame. */
export function weseTrialsOf(frame: DataFrame): WeseTrial[] {
  return rowsOf<WeseTrial>(frame);
}

/**
 * The type of an ALFWorld task by its sentence, for the official games, whose type nobody says beforehand.
 *
 * @example
 * ```ts
 * import { alfworldTaskOf } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * assert.equal(alfworldTaskOf("heat some egg and put it in sinkbasin."), "heat");
 * assert.equal(alfworldTaskOf("put two remotecontrol in armchair."), "puttwo");
 * ```
 */
export function alfworldTaskOf(goal: string): string {
  const types: readonly (readonly [RegExp, string])[] = [
    [/\btwo\b/, "puttwo"],
    [/\b(?:clean)\b/, "clean"],
    [/\b(?:hot|heat)\b/, "heat"],
    [/\bcool\b/, "cool"],
    [/\b(?:look at|examine)\b/, "examine"],
    [/\bput\b/, "put"],
  ];
  return types.find(([pattern]) => pattern.test(goal))?.[1] ?? "unknown";
}

interface EpisodeRow {
  readonly episode: string;
  readonly label: string;
  readonly source: string;
  readonly lane: string;
  readonly condition: string;
  readonly backbone: string;
  readonly status: string;
  readonly score: number | null;
  readonly maxScore: number | null;
  readonly steps: number | null;
  readonly explored: number | null;
  readonly firstReward: number | null;
  readonly triplets: number | null;
  readonly goal: string | null;
}

interface Tokens {
  readonly strongPrompt: number;
  readonly strongCompletion: number;
  readonly weakPrompt: number;
  readonly weakCompletion: number;
  /** As metered; null where a model has no price. */
  readonly dollars: number | null;
  /** Whether no model but the offline backbone answered. */
  readonly offline: boolean;
}

const NOTHING: Tokens = { strongPrompt: 0, strongCompletion: 0, weakPrompt: 0, weakCompletion: 0, dollars: 0, offline: true };

/** By episode. */
function tokensOf(store: Store, study: string): Map<string, Tokens> {
  const rows = store.prepare(`
    with answered as (
      select episode, role, model, prompt_tokens, completion_tokens, dollars, min(id) from calls
      where kind <> 'wasted' and episode in (select id from episodes where study = ? and status = 'completed') group by episode, key
    )
    select episode, role like 'wese/%' and role <> 'wese/act' as weak, sum(prompt_tokens) as prompt, sum(completion_tokens) as completion,
      case when count(dollars) = count(*) then total(dollars) end as dollars, group_concat(distinct model) as models
    from answered group by 1, 2`).all(study) as unknown as CallSum[];
  const tokens = new Map<string, Tokens>();
  for (const { episode, weak, prompt, completion, dollars, models } of rows) {
    const known = tokens.get(episode) ?? NOTHING;
    tokens.set(episode, {
      ...known,
      ...(weak ? { weakPrompt: prompt, weakCompletion: completion } : { strongPrompt: prompt, strongCompletion: completion }),
      dollars: known.dollars === null || dollars === null ? null : known.dollars + dollars,
      offline: known.offline && models.split(",").every(isOffline),
    });
  }
  return tokens;
}

interface CallSum {
  readonly episode: string;
  readonly weak: number;
  readonly prompt: number;
  readonly completion: number;
  readonly dollars: number | null;
  readonly models: string;
}

function trialOf({ label, lane, status, score, maxScore, goal, ...row }: EpisodeRow, tokens: Tokens): WeseTrial {
  const [world = "", task = ""] = label.split("/");
  const done = status === "completed";
  const reward = done && score !== null && maxScore ? 100 * score / maxScore : null;
  const { offline, dollars, ...counts } = tokens;
  return {
    episode: row.episode,
    world,
    task: task === "unseen" && goal !== null ? alfworldTaskOf(goal) : task,
    source: row.source,
    place: lane.split("|")[0] ?? lane,
    condition: row.condition,
    backbone: row.backbone,
    status,
    reward,
    success: reward === null ? null : reward >= 100,
    steps: done ? row.steps : null,
    firstReward: done ? row.firstReward : null,
    explored: done ? row.explored : null,
    triplets: done && row.explored !== null ? row.triplets : null,
    strongPrompt: done ? counts.strongPrompt : null,
    strongCompletion: done ? counts.strongCompletion : null,
    weakPrompt: done ? counts.weakPrompt : null,
    weakCompletion: done ? counts.weakCompletion : null,
    paperDollars: done ? (counts.strongPrompt + counts.strongCompletion) * PAPER_PRICE / 1e6 : null,
    dollars: done ? offline ? asIfToday(counts) : dollars : null,
  };
}

/** Of text-davinci-003, prompt and completion alike: it gives the paper's expenses. */
const PAPER_PRICE = priceOf("text-davinci-003")?.prompt ?? NaN;

function asIfToday(counts: Omit<Tokens, "dollars" | "offline">): number | null {
  const [strong, weak] = ["wese/act", "wese/explore"].map((role) => priceOf(modelIdOf(bindingOf(ROLE_MAPS.today, role))));
  if (!strong || !weak) return null;
  return (counts.strongPrompt * strong.prompt + counts.strongCompletion * strong.completion + counts.weakPrompt * weak.prompt +
    counts.weakCompletion * weak.completion) / 1e6;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
