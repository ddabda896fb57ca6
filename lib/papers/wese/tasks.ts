/**
 * What the paper measures of a task (§4): effect, efficiency, and the tokens of the acting model.
 *
 * | paper | here |
 * |---|---|
 * | success rate; total and average reward | `success`, `reward` |
 * | steps of successful tasks; in ScienceWorld steps until the first positive reward | `steps` |
 * | prompt and completion tokens of the OpenAI model, expense | `strong_prompt`, `strong_completion`, `expense` |
 */

import type { Store } from "../../lab/store/open.ts";
import { type AnsweredTokens, answeredTokens, boundModels } from "../../lab/store/costs.ts";
import { boundModel } from "../../core/llm/roles.ts";
import { priceOf } from "../../core/llm/prices.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import { weseMethod } from "./worlds.ts";

/** Columns of `weseTasks`. */
export const WESE_TASK_COLUMNS = {
  /** Id of the episode. */
  episode: "text",
  /**
   * `alfworld`, `fresh`, `scienceworld`, `hotpotqa`, `fever` or `musique`; type of the task, e.g.
   * `clean`.
   */
  ...{ world: "text", task: "text" },
  /**
   * The task's number or name within its world, equal under all conditions; where it comes from,
   * e.g. `alfworld households`.
   */
  ...{ place: "text", source: "text" },
  /**
   * Condition of the study; the paper's name of the method; the method that it is built on (`Act`);
   * `alone`, `WESE` or `SESE`.
   */
  ...{ condition: "text", method: "text", base: "text", variant: "text" },
  /**
   * Whether the model that acts for WESE also explores, extracts and chooses, so that none is weak;
   * false of other methods.
   */
  one_model: "boolean",
  /** As in `episodes`; all that follows is null unless completed. */
  status: "text",
  /** 1 where all of the task was done, else 0; and its reward, 0 … 100. */
  ...{ success: "integer?", reward: "number?" },
  /**
   * Agent steps of a success; of ScienceWorld until the first reward after the reset. Null where
   * there is none.
   */
  steps: "integer?",
  /** Agent steps of the exploration, and triplets of its graph; null without one. */
  ...{ explored: "integer?", triplets: "integer?" },
  /** Tokens of the model that acts, in whatever role, each request counted once. */
  ...{ strong_prompt: "integer?", strong_completion: "integer?" },
  /** Tokens of all other models. */
  ...{ weak_prompt: "integer?", weak_completion: "integer?" },
  /**
   * US dollars as the paper counts: the tokens of the model that acts, at the price of
   * text-davinci-003.
   */
  expense: "number?",
} as const satisfies FrameSchema;

/**
 * A row for each episode of a study of WESE, planned ones included, in the order of the plan.
 * Columns: `WESE_TASK_COLUMNS`. Tokens are split by the model that answered, not by the role.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { weseTasks } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(weseTasks(store, "unplayed").height, 0);
 * ```
 */
export function weseTasks(store: Store, study: string): DataFrame {
  const rows = store.prepare(`
    select e.id as episode, coalesce(e.label, e.world) as label, e.method as kind, e.chain, e.condition, e.status,
      trim(e.world || ' ' || coalesce(json_extract(e.world_params, '$.set'), '')) as source,
      100 * e.score / nullif(e.max_score, 0) as reward, e.steps as acted,
      case when json_array_length(e.passes) > 1 then json_extract(e.passes, '$[0].steps') end as explored,
      (select min(t.step) from turns t join turns s on s.episode = t.episode and s.pass = t.pass and s.step = 0
        where t.episode = e.id and t.pass = json_array_length(e.passes) - 1 and t.score > s.score) as rewarded,
      (select graph_size from turns t where t.episode = e.id and t.pass = 0 and graph_size is not null order by step desc limit 1) as triplets,
      (select goal from turns t where t.episode = e.id and t.pass = 0 and t.step = 0) as goal
    from episodes e where e.study = ? order by e.rowid`).all(study) as unknown as Row[];
  const tokens = Map.groupBy(answeredTokens(store, study), ({ episode }) => episode);
  const bound = boundModels(store, study);
  const cells = rows.map((row) => ({
    ...namesOf(row),
    one_model: row.kind === "wese" && isOneModel(bound.get(row.episode) ?? {}),
    ...row.status === "completed"
      ? { ...measuresOf(row), ...tokensOf(tokens.get(row.episode) ?? []) }
      : {},
  }));
  return frameOf(cells, WESE_TASK_COLUMNS);
}

/**
 * The measures of WESE's claims that only its paper has, for `verdicts` of `labyrinth/lab`: `steps`
 * and `expense` of each completed episode that has one.
 */
export const WESE_MEASURES: Readonly<
  Record<"steps" | "expense", (store: Store, study: string) => ReadonlyMap<string, number>>
> = { steps: valuesOf("steps"), expense: valuesOf("expense") };

function valuesOf(
  measure: "steps" | "expense",
): (store: Store, study: string) => ReadonlyMap<string, number> {
  return (store, study) =>
    new Map(
      weseTasks(store, study).toRecords()
        .flatMap((row) =>
          typeof row[measure] === "number" ? [[String(row["episode"]), row[measure]] as const] : []
        ),
    );
}

/**
 * The type of an ALFWorld task by its sentence, for the official games, whose type nobody states
 * beforehand.
 */
export function alfworldTaskOf(goal: string): string {
  const words = {
    puttwo: "two",
    clean: "clean",
    heat: "hot|heat",
    cool: "cool",
    examine: "look at|examine",
    put: "put",
  };
  return Object.entries(words).find(([, some]) => new RegExp(`\\b(?:${some})\\b`).test(goal))
    ?.[0] ?? "unknown";
}

/** An episode as the query reads it. */
type Row =
  & Readonly<
    Record<"episode" | "label" | "kind" | "chain" | "condition" | "status" | "source", string>
  >
  & Readonly<Record<"reward" | "acted" | "explored" | "rewarded" | "triplets", number | null>>
  & { readonly goal: string | null };

function namesOf({ episode, label, chain, condition, status, source, goal }: Row): object {
  const [world = "", type = ""] = label.split("/");
  const task = type === "unseen" && goal !== null ? alfworldTaskOf(goal) : type;
  const { name: method = condition, base = condition, variant = "alone" } = weseMethod(condition) ??
    {};
  const place = chain.split("|")[0]?.replace(`${world}/`, "") ?? chain;
  const named = { method, base: weseMethod(base)?.name ?? base, variant };
  return { episode, world, task, place, source, condition, status, ...named };
}

function measuresOf({ label, reward, acted, explored, rewarded, triplets }: Row): object {
  const success = reward === null ? null : Number(reward >= 100);
  const steps = label.startsWith("scienceworld/") ? rewarded : success ? acted : null;
  return { success, reward, steps, explored, triplets: explored === null ? null : triplets };
}

/**
 * The price of text-davinci-003, for prompt and completion alike, which gives the paper's expenses.
 */
const PRICE = priceOf("text-davinci-003")?.prompt ?? NaN;

function tokensOf(tokens: readonly AnsweredTokens[]): object {
  const acting = new Set(
    tokens.filter(({ role }) => /\/(?:act|answer)$/.test(role)).map(({ model }) => model),
  );
  const sum = (isStrong: boolean, side: "prompt" | "completion"): number =>
    tokens.filter(({ model }) => acting.has(model) === isStrong).reduce(
      (total, row) => total + row[side],
      0,
    );
  const strong = { strong_prompt: sum(true, "prompt"), strong_completion: sum(true, "completion") };
  const expense = (strong.strong_prompt + strong.strong_completion) * PRICE / 1e6;
  return {
    ...strong,
    weak_prompt: sum(false, "prompt"),
    weak_completion: sum(false, "completion"),
    expense,
  };
}

/** Whether one model is bound to WESE's exploring, extracting and choosing, and to its acting. */
function isOneModel(bindings: Readonly<Record<string, string>>): boolean {
  const acting = boundModel(bindings, "wese/act");
  return acting !== undefined &&
    ["wese/explore", "wese/extract", "wese/task-entities"].every((role) =>
      boundModel(bindings, role) === acting
    );
}
