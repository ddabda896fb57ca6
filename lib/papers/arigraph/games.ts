/** AriGraph's Table 4: normalised scores in text games. */

import { playerName } from "../../report/caption-text.ts";
import { HUMAN } from "../../lab/human.ts";
import { bestMeasure, meanMeasure, type Measure, type Trial } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { conditionName, conditionOrder, gameName, gameOrder, paperRow, TEXTWORLD_GAMES } from "../../report/textworld-names.ts";
import { paperTable } from "../../report/paper.ts";
import type { PassRow } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { EXPERIMENT } from "./conditions.ts";

/** An attempt at a text game. Each trial of Reflexion is one, since the paper does not say which it reports. */
export interface GameTrial extends Trial {
  /** The game's label, else the world's id, e.g. `textworld/hunt`. */
  readonly game: string;
  /** The backbone; `human` for people. */
  readonly backbone: string;
  /** From 1. */
  readonly attempt: number;
  /** Score divided by the maximum; null unless completed. */
  readonly normalised: number | null;
  /** Agent steps of the last pass; null unless completed. */
  readonly steps: number | null;
  /** The pass of the episode that is a trial of Reflexion, from 0; null where none was played. */
  readonly pass?: number | null;
}

/** The attempts of a study at text games, planned ones included; then the finished sessions of people in the same games, under its names for them. */
export function gameTrials(store: Store, study: string): GameTrial[] {
  const rows = store.prepare(`
    with named as (select game, max(coalesce(label, world)) as name from episodes where study = :study and game is not null group by game)
    select id as episode, coalesce(name, label, world) as game, condition, backbone, attempt, cast(seed as text) as seed, status, passes, steps,
      case when status = 'completed' then score / nullif(max_score, 0) end as normalised,
      coalesce(json_extract(identity, '$.method.options.trials'),
        case when json_extract(passes, '$[0].kind') = 'trial' then json_array_length(passes) end) as trials
    from episodes left join named on method = :human and named.game = episodes.game
    where ${EXPERIMENT} = 'games' and (method <> :human or status = 'completed') and (study = :study or (study = :human and name is not null))
    order by study = :human, 2, condition, attempt, id`).all({ study, human: HUMAN }) as unknown as StoredAttempt[];
  return rows.flatMap(trialsOf);
}

type StoredAttempt = GameTrial & { readonly passes: string | null; readonly trials: number | null };

/** The trials of an episode of Reflexion; after one that won none is played, and its score stands for the later ones. */
function trialsOf({ passes, trials, ...row }: StoredAttempt): GameTrial[] {
  if (trials === null) return [row];
  const played = passes === null ? [] : JSON.parse(passes) as PassRow[];
  return Array.from({ length: trials }, (_, i) => {
    const pass = played[Math.min(i, played.length - 1)];
    const came = pass ? { normalised: pass.score / pass.maxScore, steps: pass.steps } : {};
    return { ...row, ...came, condition: `${row.condition}, trial ${i + 1}`, pass: i < played.length ? i : null };
  });
}

/** A condition by one of two measures: the mean of its best 3 attempts, or of all. */
export interface GameRow extends Line<GameTrial> {
  readonly condition: string;
  readonly by: "best" | "all";
  /** Its row in `data/papers/arigraph_table4_textworld.csv`. */
  readonly method?: string;
}

/** A game. */
export interface GameColumn extends Line<GameTrial> {
  /** Its column in the same file. */
  readonly csv?: string;
}

/** §5: "5 runs, the mean of the best 3". */
const BEST = bestMeasure<GameTrial>({
  name: "the mean of the best 3",
  of: ({ normalised }) => normalised,
  k: 3,
  better: "more",
  how: ({ length }) => bestText(length),
});

/** The mean of all attempts; in Cleaning, and perhaps in a game of one's own, points are taken away. */
function allMeasure(least: number): Measure<GameTrial> {
  return meanMeasure({
    name: "the mean of all",
    of: ({ normalised }) => normalised,
    range: [least, 1],
    interval: "bootstrap",
    better: "more",
    how: () => "mean of all",
  });
}

const [ALL, OPEN_BELOW] = [allMeasure(0), allMeasure(-Infinity)];

/** How far a mean of the best, which has no interval, may be away. */
const TOLERANCE = 0.1;
const LLAMA = "AriGraph LLaMA-3-70B";
const METHODS = [
  ...["Full History", "Summary", "RAG", "Reflexion", "Simulacra", "AriGraph", "AriGraph w/o exploration", "AriGraph w/o episodic"],
  ...[LLAMA, "Human Top-3", "Human All"],
];

/** The paper's limits of steps (§4). */
const ARIGRAPH_STEPS = { cooking: 60, other: 150 } as const;

/** The games that the paper has from its authors' files; the lab's own of the same kind have other maps. */
const PAPER_GAMES: Readonly<Record<string, { readonly paper: string; readonly unlike: RegExp }>> = {
  treasure_hunt_hardest: { paper: "its own map of 36 rooms", unlike: /^textworld\// },
  cleaning: { paper: "its own house", unlike: /^textworld\// },
};

/** Every number of the paper's Table 4. A LLaMA 3 of 70 billion parameters stands beside the paper's row of it, any other model beside GPT-4's. */
export const GAMES_LEDGER: Exhibit<GameTrial, GameRow, GameColumn> = {
  id: "arigraph-table4",
  source: "Table 4",
  head: "Method",
  trial: "attempt",
  trials: gameTrials,
  title: (backbone) => `AriGraph, Table 4: normalised scores in TextWorld (${backbone})`,
  rows: METHODS.map((method): GameRow => {
    const [human, all, llama] = [method.startsWith("Human"), method === "Human All", method === LLAMA];
    return {
      name: method,
      condition: human ? HUMAN : method,
      method,
      by: all ? "all" : "best",
      origin: human ? { backbone: HUMAN, embedder: "" } : undefined,
      has: ({ condition, backbone }) =>
        paperRow(condition, { all }) === (llama ? "AriGraph" : method) && (human || isLlama70(backbone) === llama),
    };
  }),
  // of the two published files of Cleaning the first: games are not pooled
  columns: TEXTWORLD_GAMES.map(({ ids, name, column }) => ({ name, csv: column, has: ({ game }) => ids.slice(0, 2).includes(game) })),
  beside: "rows",
  compete: "rows",
  measure: ({ by }, { csv }) => by === "best" ? BEST : csv === undefined || csv === "cleaning" ? OPEN_BELOW : ALL,
  paper: ({ condition, method }, { csv = "" }) => {
    const printed = paperTable("arigraph_table4_textworld").find((row) => row["method"] === method)?.[csv] ?? "";
    const number = { printed, shown: Number(printed).toFixed(2), tolerance: TOLERANCE };
    if (condition === HUMAN) return { ...number, line: `${method}, paper`, backbone: HUMAN };
    const backbone = method === LLAMA ? "llama-3-70b" : "gpt-4-0125-preview";
    const limits = { steps: csv.startsWith("cooking") ? ARIGRAPH_STEPS.cooking : ARIGRAPH_STEPS.other, game: PAPER_GAMES[csv] };
    return { ...number, ...limits, line: `${method}, paper (gpt-4): best 3 of 5`, backbone, measure: "best 3 of 5" };
  },
};

/** Table 4 with the conditions and games of some trials: two rows a condition, the paper's under them. */
export function gamesExhibit(trials: readonly GameTrial[], backbone: string): Exhibit<GameTrial, GameRow, GameColumn> {
  const conditions = [...new Set(trials.map(({ condition }) => condition))]
    .sort((a, b) => conditionOrder(a) - conditionOrder(b) || (a < b ? -1 : 1));
  const games = [...new Set(trials.map(({ game }) => game))].sort((a, b) => gameOrder(a) - gameOrder(b) || (a < b ? -1 : 1));
  return {
    ...GAMES_LEDGER,
    rows: conditions.flatMap((condition) => {
      const name = `${conditionName(condition)}, ${condition === HUMAN ? "recorded here" : playerName(backbone)}`;
      const counts = games.map((game) => trials.filter((trial) => trial.condition === condition && trial.game === game).length);
      return (["best", "all"] as const).map((by): GameRow => ({
        name: `${name}: ${by === "best" ? bestText(Math.max(...counts)) : by}`,
        condition,
        method: paperRow(condition, { all: by === "all" }),
        by,
        group: condition,
        rivals: condition === HUMAN ? null : undefined,
        has: (trial) => trial.condition === condition,
      }));
    }),
    columns: games.map((game) => ({
      name: gameName(game),
      csv: TEXTWORLD_GAMES.find(({ ids }) => ids.includes(game))?.column,
      has: (trial) => trial.game === game,
    })),
    caption: ({ n, seeds, intervals }) =>
      `Model: ${
        playerName(backbone)
      }; ${n} a cell, ${seeds}. "best k of n" is the mean of the best attempts, after the paper's measure (best 3 of 5); ` +
      `"all" is the mean of all attempts. ${intervals} Paper: gpt-4-0125-preview, best 3 of 5.` +
      (conditions.some((condition) => condition.startsWith("reflexion"))
        ? " It does not say which trial of Reflexion it shows; it stands beside the second."
        : "") +
      (conditions.includes(HUMAN) ? " Human: finished sessions recorded with ./lab play." : ""),
  };
}

function isLlama70(backbone: string): boolean {
  return /llama-?3.*70b/i.test(backbone);
}

/** "best 3 of 5", "best 2 of 2". */
export function bestText(attempts: number): string {
  return `best ${Math.min(3, attempts)} of ${attempts}`;
}
