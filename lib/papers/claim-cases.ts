/**
 * The episodes that claims are tested over, and differences of two conditions on the same cases.
 */

import { mean } from "simple-statistics";
import { type AnsweredTokens, answeredTokens } from "../lab/store/costs.ts";
import type { Store } from "../lab/store/open.ts";
import { scoreRange } from "../lab/score-range.ts";

/** The claims of a paper, and its own measures. */
export interface PaperClaims {
  /** Name of the file in `data/papers/`. */
  readonly file: string;
  /** Measure → value of each episode; of positive values with the logarithm of their ratio. */
  readonly measures?: Readonly<
    Record<string, (store: Store, study: string) => ReadonlyMap<string, number>>
  >;
}

export interface Played {
  readonly episode: string;
  readonly study: string;
  readonly condition: string;
  readonly game: string;
  readonly world: string;
  /** Its game and layout, whatever the seed and attempt. */
  readonly place: string;
  readonly key: string;
  readonly status: string;
  /** Role → the models that answered in it. */
  readonly models: Readonly<Record<string, readonly string[]>>;
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** Measures compared by difference; all others by the logarithm of their ratio. */
export const DIFFERENCES = new Set(["score", "points"]);

export interface Gap {
  /** Pairs with a value; steps of failures have none. */
  readonly pairs: number;
  /** Whether a value is 0, which has no ratio: the greatest difference would be left out. */
  readonly hasZero: boolean;
  readonly planned: number;
  readonly missing: number;
  readonly clusters: readonly number[];
  /** The mean of the second condition in each, and the least and the greatest value there is. */
  readonly theirs: readonly number[];
  readonly range: readonly [number, number];
  /** Clusters of the pairs that are planned, whatever came of them. */
  readonly plannedClusters: number;
  readonly most: number;
  /** How far the second condition's mean lies above the least value, and below the greatest. */
  readonly room: { readonly below: number; readonly above: number };
  readonly episodes: readonly string[];
}

export function sideOf({ where = "", against = "" }: Readonly<Record<string, string>>): string[] {
  return [where, against].filter((pattern) => pattern !== "");
}

/**
 * The differences of a claim's two conditions, over the pairs of the games that `where` names, both
 * of one study; of several studies the first with a case counts.
 */
export function gapIn(
  played: readonly Played[],
  row: Readonly<Record<string, string>>,
  where: string,
): Gap {
  const { a = "", b = "", measure = "", cluster = "" } = row;
  const games = new RegExp(where);
  const here = played.filter(({ game }) => games.test(game));
  const others = b.split("|");
  const pairs = a.split("|").flatMap((condition, i) => {
    const of = (name = ""): Played[] => here.filter((one) => one.condition === name);
    const theirs = new Map(of(others[i]).map((one) => [caseOf(one), one]));
    const found = of(condition).flatMap((mine) => {
      const other = theirs.get(caseOf(mine));
      return other ? [{ mine, other }] : [];
    });
    return [...new Map(found.reverse().map((pair) => [pair.mine.key, pair])).values()].reverse();
  });
  const completed = pairs.filter(({ mine, other }) =>
    mine.status === "completed" && other.status === "completed"
  );
  const valuesOf = (
    pair: { readonly mine: Played; readonly other: Played },
  ): readonly (number | undefined)[] =>
    [pair.mine, pair.other].map(({ values }) => values[measure]);
  const done = completed.flatMap(({ mine, other }) => {
    const [x, y] = valuesOf({ mine, other });
    if (x === undefined || y === undefined) return [];
    const difference = DIFFERENCES.has(measure) ? x - y : Math.log(x / y);
    return Number.isFinite(difference) ? [{ mine, other, difference }] : [];
  });
  const [, pooled] = cluster.match(/^layout \(game in ([\w-]+)\)$/) ?? []; // the variations of a task there are no independent games
  const clusterOf = ({ mine }: { readonly mine: Played }): string =>
    cluster === "game" || mine.world === pooled ? mine.game : mine.place;
  const clusters = [...Map.groupBy(done, clusterOf).values()];
  const [least, most] = measure === "score"
    ? scoreRange(done.map(({ mine }) => mine))
    : [0, Infinity];
  const theirs = done.length === 0
    ? NaN
    : mean(done.map(({ other }) => other.values[measure] ?? NaN));
  return {
    pairs: done.length,
    hasZero: !DIFFERENCES.has(measure) &&
      completed.some((pair) => valuesOf(pair).includes(0) && !valuesOf(pair).includes(undefined)),
    planned: pairs.length,
    missing: pairs.length - completed.length,
    clusters: clusters.map((some) => mean(some.map(({ difference }) => difference))),
    theirs: clusters.map((some) => mean(some.map(({ other }) => other.values[measure] ?? NaN))),
    range: measure === "score" ? [least, most] : [0, Infinity],
    plannedClusters: new Set(pairs.map(clusterOf)).size,
    most: most - least,
    room: { below: theirs - least, above: most - theirs },
    episodes: done.flatMap(({ mine, other }) => [mine.episode, other.episode]),
  };
}

function caseOf({ study, key }: Played): string {
  return JSON.stringify([study, key]);
}

/** The limit of agent steps of each episode of a study that has one, by its id. */
export function stepLimits(store: Store, study: string): Map<string, number> {
  const rows = store.prepare(`select id, coalesce(
      json_extract(identity, '$.method.options.maxSteps'), json_extract(world_params, '$.stepLimit')
    ) as most from episodes where study = ? and most is not null`).all(study);
  return new Map(rows.map(({ id, most }) => [String(id), Number(most)]));
}

/** The episodes of a study, with the measures of every paper's claims and the paper's own. */
export function episodesOf({ measures = {} }: PaperClaims, store: Store, study: string): Played[] {
  const tokens = Map.groupBy(answeredTokens(store, study), ({ episode }) => episode);
  const own = Object.entries(measures).map(([name, of]) => [name, of(store, study)] as const);
  const rows = store.prepare(`
    select id as episode, condition, coalesce(label, world) as game, world, status, score, score / nullif(max_score, 0) as normalised, steps,
      json_array(coalesce(label, world), coalesce(json_extract(world_params, '$.index'), game, ''),
        json_extract(world_params, '$.seed'), seed, attempt) as key,
      json_array(coalesce(label, world), coalesce(json_extract(world_params, '$.index'), game, ''), json_extract(world_params, '$.seed'))
        as place
    from episodes where study = ? order by id`).all(study) as Record<
    string,
    string | number | null
  >[];
  return rows.map(
    ({ episode, condition, game, world, place, key, status, score, normalised, steps }) => {
      const asked = tokens.get(String(episode))?.reduce(
        (sum, { prompt, completion }) => sum + prompt + completion,
        0,
      );
      const number = (value: string | number | null | undefined): number | undefined =>
        typeof value === "number" ? value : undefined;
      return {
        episode: String(episode),
        study,
        condition: String(condition),
        game: String(game),
        world: String(world),
        place: String(place),
        key: String(key),
        status: String(status),
        models: modelsOf(tokens.get(String(episode)) ?? []),
        values: {
          score: number(normalised),
          points: number(score),
          steps: number(steps),
          tokens: asked,
          "tokens a step": asked === undefined || !steps ? undefined : asked / Number(steps),
          ...Object.fromEntries(own.map(([name, values]) => [name, values.get(String(episode))])),
        },
      };
    },
  );
}

function modelsOf(tokens: readonly AnsweredTokens[]): Record<string, string[]> {
  const roles = Map.groupBy(tokens, ({ role }) => role);
  return Object.fromEntries(
    [...roles].map(([role, some]) => [role, [...new Set(some.map(({ model }) => model))]]),
  );
}
