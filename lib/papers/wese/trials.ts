/** The episodes of a study of WESE with their rewards, their steps, and the tokens of the exploring and the acting model. */

import { isOffline, priceOf } from "../../llm/prices.ts";
import { bindingOf, boundModel, modelIdOf, ROLE_MAPS } from "../../llm/roles.ts";
import type { Trial } from "../../report/estimate.ts";
import { type AnsweredTokens, answeredTokens, boundModels } from "../../store/costs.ts";
import type { Store } from "../../store/open.ts";

/**
 * One episode of a study of WESE. What is measured is null unless it is completed:
 *
 * | number | of |
 * |---|---|
 * | `reward` | the exploitation, 0 … 100 |
 * | `steps` | agent steps of the exploitation |
 * | `firstReward` | its first step that was rewarded; null where there is none. What a world gives at the reset is no reward |
 * | `explored`, `triplets` | agent steps of the exploration, and triplets of its graph; null without one |
 * | `strongPrompt`, `strongCompletion` | tokens of the model that acts, in whatever role: what the paper counts, which counts OpenAI's alone |
 * | `weakPrompt`, `weakCompletion` | tokens of all other models; 0 where one model answered in every role |
 * | `cached`, `reasoning` | prompt tokens of all models that endpoints read from their caches, completion tokens that were spent on reasoning |
 * | `paperDollars` | US dollars as the paper counts them: of the model that acts, at the price of text-davinci-003 |
 * | `dollars` | US dollars of all models at the prices of the time of the call, or, played offline, as if those of the role map `today` had answered; null without a price |
 */
export interface WeseTrial
  extends
    Trial,
    Readonly<Record<"reward" | "steps" | "firstReward" | "explored" | "triplets" | "strongPrompt" | "strongCompletion", number | null>>,
    Readonly<Record<"weakPrompt" | "weakCompletion" | "cached" | "reasoning" | "paperDollars" | "dollars", number | null>> {
  /** `alfworld`, `fresh` (households drawn anew), `scienceworld`, `hotpotqa` or `fever`. */
  readonly world: string;
  /** Type of the task, e.g. `clean`, `boil`. */
  readonly task: string;
  /** The source of the task: `alfworld households`, `wiki/encyclopedia`, … */
  readonly source: string;
  /** Tells the task from others of its world; equal under all conditions. */
  readonly place: string;
  /** Whether all of it was reached; null unless the episode is completed. */
  readonly success: boolean | null;
  /** Whether the model that acts also explores, extracts and chooses for WESE, so that nothing is said of a weak one; false of the other methods. */
  readonly isOneModel: boolean;
}

/**
 * Returns every episode of a study of WESE, planned ones included, in order of world, task, place and condition.
 *
 * Of each request the first answer counts. Tokens are split by the model that answered, not by the role.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { weseTrials } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(weseTrials(store, "unplayed"), []);
 * ```
 */
export function weseTrials(store: Store, study: string): WeseTrial[] {
  const rows = store.prepare(`
    select e.id as episode, coalesce(e.label, e.world) as label, cast(e.seed as text) as seed,
      e.method, trim(e.world || ' ' || coalesce(json_extract(e.world_params, '$.set'), '')) as source, e.lane, e.condition, e.status,
      e.score, e.max_score as maxScore, e.steps,
      case when json_array_length(e.passes) > 1 then json_extract(e.passes, '$[0].steps') end as explored,
      (select min(t.step) from turns t join turns s on s.episode = t.episode and s.pass = t.pass and s.step = 0
        where t.episode = e.id and t.pass = json_array_length(e.passes) - 1 and t.score > s.score) as firstReward,
      (select graph_size from turns t where t.episode = e.id and t.pass = 0 and t.graph_size is not null order by step desc limit 1) as triplets,
      (select goal from turns t where t.episode = e.id and t.pass = 0 and t.step = 0) as goal
    from episodes e where e.study = ?`).all(study) as unknown as EpisodeRow[];
  const tokens = Map.groupBy(answeredTokens(store, study), ({ episode }) => episode);
  const bound = boundModels(store, study);
  const rank = ({ world, task, place, condition }: WeseTrial): string => [world, task, place, condition].join("\0");
  return rows.map((row) => trialOf(row, tokens.get(row.episode) ?? [], bound.get(row.episode) ?? {})).sort((a, b) =>
    rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0
  );
}

/** Whether one model is bound to WESE's exploring, extracting and choosing, and to its acting. */
function isOneModel(bindings: Readonly<Record<string, string>>): boolean {
  const acting = boundModel(bindings, "wese/act");
  return acting !== undefined &&
    ["wese/explore", "wese/extract", "wese/task-entities"].every((role) => boundModel(bindings, role) === acting);
}

/** The type of an ALFWorld task by its sentence, for the official games, whose type nobody says beforehand. */
export function alfworldTaskOf(goal: string): string {
  const words = { puttwo: "two", clean: "clean", heat: "hot|heat", cool: "cool", examine: "look at|examine", put: "put" };
  return Object.entries(words).find(([, some]) => new RegExp(`\\b(?:${some})\\b`).test(goal))?.[0] ?? "unknown";
}

/** An episode as the query reads it. */
type EpisodeRow =
  & Trial
  & Pick<WeseTrial, "source" | "steps" | "explored" | "firstReward" | "triplets">
  & Readonly<Record<"label" | "lane" | "method", string> & Record<"score" | "maxScore", number | null> & { goal: string | null }>;

function trialOf(row: EpisodeRow, tokens: readonly AnsweredTokens[], bindings: Readonly<Record<string, string>>): WeseTrial {
  const { method, label, lane, score, maxScore, goal, steps, explored, firstReward, triplets, ...shared } = row;
  const [world = "", task = ""] = label.split("/");
  const type = task === "unseen" && goal !== null ? alfworldTaskOf(goal) : task;
  const names = { world, task: type, place: lane.split("|")[0] ?? lane };
  const place = { ...shared, ...names, isOneModel: method === "wese" && isOneModel(bindings) };
  if (row.status !== "completed") return { ...place, ...NOT_DONE };
  const reward = score !== null && maxScore ? 100 * score / maxScore : null;
  const success = reward === null ? null : reward >= 100;
  const graph = { explored, triplets: explored === null ? null : triplets };
  return { ...place, reward, success, steps, firstReward, ...graph, ...costOf(tokens) };
}

const NOT_DONE = {
  ...{ reward: null, success: null, steps: null, firstReward: null, explored: null, triplets: null },
  ...{ strongPrompt: null, strongCompletion: null, weakPrompt: null, weakCompletion: null, cached: null, reasoning: null },
  ...{ paperDollars: null, dollars: null },
};

/** The price of text-davinci-003, for prompt and completion alike: it gives the paper's expenses. */
const PAPER_PRICE = priceOf("text-davinci-003")?.prompt ?? NaN;

type Counts = Pick<WeseTrial, "strongPrompt" | "strongCompletion" | "weakPrompt" | "weakCompletion">;

type Cost = Counts & Pick<WeseTrial, "cached" | "reasoning" | "paperDollars" | "dollars">;

function costOf(tokens: readonly AnsweredTokens[]): Cost {
  const acting = new Set(tokens.filter(({ role }) => /\/(?:act|answer)$/.test(role)).map(({ model }) => model));
  const strong = tokens.filter(({ model }) => acting.has(model));
  const weak = tokens.filter(({ model }) => !acting.has(model));
  const sum = (some: readonly AnsweredTokens[], side: "prompt" | "completion" | "cached" | "reasoning"): number =>
    some.reduce((total, row) => total + row[side], 0);
  const counts = {
    ...{ strongPrompt: sum(strong, "prompt"), strongCompletion: sum(strong, "completion") },
    ...{ weakPrompt: sum(weak, "prompt"), weakCompletion: sum(weak, "completion") },
  };
  const metered = tokens.reduce<number | null>((total, { dollars }) => total === null || dollars === null ? null : total + dollars, 0);
  return {
    ...counts,
    ...{ cached: sum(tokens, "cached"), reasoning: sum(tokens, "reasoning") },
    paperDollars: (counts.strongPrompt + counts.strongCompletion) * PAPER_PRICE / 1e6,
    dollars: tokens.every(({ model }) => isOffline(model)) ? repricedToday(counts) : metered,
  };
}

function repricedToday(counts: Readonly<Record<keyof Counts, number>>): number | null {
  const [strong, weak] = ["wese/act", "wese/explore"].map((role) => priceOf(modelIdOf(bindingOf(ROLE_MAPS.today, role))));
  if (!strong || !weak) return null;
  return (counts.strongPrompt * strong.prompt + counts.strongCompletion * strong.completion + counts.weakPrompt * weak.prompt +
    counts.weakCompletion * weak.completion) / 1e6;
}
