/// <reference lib="dom" />
/** A study: its matrix of conditions and games, and its episodes, which can be filtered and compared. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EpisodeLine, StudyView } from "../studies.ts";
import { Await, type Column, href, number, share, SpentCells, Status, Table, useData, useSome, words } from "./kit.tsx";

/** The page of a study. */
export function Study({ id, revision }: { readonly id: string; readonly revision: number }): JSX.Element {
  const study = useData<StudyView>(["study", id], revision);
  return (
    <>
      <p class="crumbs">
        <a href={href()}>Studies</a>
      </p>
      <h1>{words(id)}</h1>
      <Await of={study}>{(data) => <Shown study={data} />}</Await>
    </>
  );
}

/** What of the episodes is shown. */
interface Filter {
  readonly condition?: string;
  readonly game?: string;
  readonly status: string;
  readonly score: string;
  readonly event: string;
}

const SCORES: Readonly<Record<string, (reached: number | undefined) => boolean>> = {
  "any score": () => true,
  "full score": (reached) => reached === 1,
  "part of the score": (reached) => reached !== undefined && reached > 0 && reached < 1,
  "no score": (reached) => reached !== undefined && reached <= 0,
};

const ALL: Filter = { status: "", score: "any score", event: "" };

function Shown({ study: { title, backbones, episodes } }: { readonly study: StudyView }): JSX.Element {
  const [filter, setFilter] = useState(ALL);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const shown = episodes.filter((episode) => passes(episode, filter));
  const choose = (id: string): void => setChosen((ids) => ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].slice(-2));
  return (
    <>
      <p class="quiet">
        {words(title)}
        {title && "; "}backbone {words(backbones.join(", ") || "none")}, {episodes.length} episodes
      </p>
      <Matrix episodes={episodes} shown={new Set(shown)} filter={filter} setFilter={setFilter} />
      <Filters episodes={episodes} filter={filter} setFilter={setFilter} />
      {chosen.length > 0 && (
        <p class="compare-bar">
          {chosen.length === 2
            ? <a class="button" href={href("compare", ...chosen)}>Compare the two episodes</a>
            : "one episode is chosen; choose another one to compare it with"}
          <button type="button" onClick={() => setChosen([])}>Clear</button>
        </p>
      )}
      <List episodes={shown} chosen={chosen} choose={choose} />
    </>
  );
}

function passes(episode: EpisodeLine, { condition, game, status, score, event }: Filter): boolean {
  return (condition === undefined || episode.condition === condition) && (game === undefined || episode.game === game) &&
    (status === "" || episode.status === status) && (SCORES[score]?.(share(episode)) ?? true) &&
    (event === "" || episode.events?.[event] !== undefined);
}

interface Filtering {
  readonly episodes: readonly EpisodeLine[];
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}

/** From so many episodes in a cell on, each is a square without words. */
const CROWD = 8;

/** Conditions, games and episodes of the matrix that are shown until more are asked for. */
const FIRST = { conditions: 40, games: 25, episodes: 3000 } as const;

/** The conditions and games of the episodes that pass the filter, apart from the cell that it chooses; the others in their cells are dimmed. */
function Matrix({ episodes, shown, filter, setFilter }: Filtering & { readonly shown: ReadonlySet<EpisodeLine> }): JSX.Element {
  const matching = episodes.filter((episode) => passes(episode, { ...filter, condition: undefined, game: undefined }));
  const [games, moreGames] = useSome([...new Set(matching.map(({ game }) => game))].sort(), FIRST.games, "games");
  const [conditions, moreConditions] = useSome([...new Set(matching.map(({ condition }) => condition))], FIRST.conditions, "conditions");
  const cells = Map.groupBy(episodes, ({ condition, game }) => JSON.stringify([condition, game]));
  const most = Math.max(CROWD, Math.floor(FIRST.episodes / (games.length * conditions.length)));
  return (
    <>
      <Table label="conditions and games" kind="matrix" columns={["Condition", ...games].map((title) => [words(title)])}>
        {conditions.map((condition) => (
          <tr key={condition}>
            <th scope="row">{words(condition)}</th>
            {games.map((game) => {
              const isOnly = filter.condition === condition && filter.game === game;
              const only = (): void => setFilter(isOnly ? ALL : { ...filter, condition, game });
              const cell = cells.get(JSON.stringify([condition, game])) ?? [];
              return (
                <td key={game} class={isOnly ? "chosen" : undefined}>
                  {cell.length > 0 && (
                    <button type="button" class="mean" aria-pressed={isOnly} onClick={only} title="show only these">
                      {meanText(cell)}
                    </button>
                  )}
                  <Chips cell={cell} shown={shown} most={most} />
                </td>
              );
            })}
          </tr>
        ))}
      </Table>
      {(moreConditions || moreGames) && <p class="buttons">{moreConditions} {moreGames}</p>}
    </>
  );
}

/** The episodes of a cell that have begun, those that pass the filter first. */
function Chips({ cell, shown, most }: {
  readonly cell: readonly EpisodeLine[];
  readonly shown: ReadonlySet<EpisodeLine>;
  readonly most: number;
}): JSX.Element {
  const begun = cell.filter(({ status }) => status !== "planned").sort((a, b) => Number(shown.has(b)) - Number(shown.has(a)));
  const [some, more] = useSome(begun, most);
  return (
    <div class="chips">
      {some.map((episode) => <Chip key={episode.id} episode={episode} isSmall={cell.length > CROWD} isDim={!shown.has(episode)} />)}
      {more}
    </div>
  );
}

function meanText(cell: readonly EpisodeLine[]): string {
  const shares = cell.flatMap((episode) => share(episode) ?? []);
  const begun = cell.filter(({ status }) => status !== "planned").length;
  return [
    shares.length > 0
      ? `mean ${(shares.reduce((a, b) => a + b, 0) / shares.length).toFixed(2)}, n = ${shares.length}`
      : begun > 0 && "no score",
    begun < cell.length && `${cell.length - begun} to come`,
  ].filter(Boolean).join(", ");
}

function Chip(
  { episode, isSmall, isDim }: { readonly episode: EpisodeLine; readonly isSmall: boolean; readonly isDim: boolean },
): JSX.Element {
  const { id, status, score, maxScore, steps, reached, attempt, failureKind } = episode;
  const told = status === "completed"
    ? `${number(score)} of ${number(maxScore)} in ${steps} steps`
    : `${status}${failureKind ? ` (${failureKind})` : ""}${reached ? `, step ${reached}` : ""}`;
  return (
    <a
      class={["chip", status, isSmall && "small", isDim && "dim"].filter(Boolean).join(" ")}
      style={{ "--share": String(Math.max(0, share(episode) ?? 0)) }}
      href={href("episode", id)}
      title={`trial ${attempt}: ${told}`}
      aria-label={isSmall ? `trial ${attempt}: ${told}` : undefined}
    >
      {!isSmall && (status === "completed"
        ? (
          <>
            {number(score)}
            <small>/{number(maxScore)} · {steps}</small>
          </>
        )
        : words(told))}
    </a>
  );
}

function Filters({ episodes, filter, setFilter }: Filtering): JSX.Element {
  const events = [...new Set(episodes.flatMap(({ events = {} }) => Object.keys(events)))].sort();
  const statuses = [...new Set(episodes.map(({ status }) => status))].sort();
  const select = (name: "status" | "score" | "event", label: string, options: readonly string[], any?: string): JSX.Element => (
    <label>
      {label}{" "}
      <select value={filter[name]} onChange={({ currentTarget }) => setFilter({ ...filter, [name]: currentTarget.value })}>
        {any !== undefined && <option value="">{any}</option>}
        {options.map((option) => <option key={option} value={option}>{option}</option>)}
      </select>
    </label>
  );
  return (
    <div class="filters">
      {select("status", "Status", statuses, "any")}
      {select("score", "Score", Object.keys(SCORES))}
      {select("event", "With event", events, "any or none")}
      {filter.condition !== undefined && <span class="tag">{words(filter.condition)}, {words(filter.game ?? "")}</span>}
      {filter !== ALL && <button type="button" onClick={() => setFilter(ALL)}>Show all</button>}
    </div>
  );
}

/** Rows that are shown until more are asked for. */
const ROWS = 100;

const COLUMNS: readonly Column[] = [
  [<span key="compare" class="hidden">compare</span>],
  ["Episode"],
  ["Condition"],
  ["Game"],
  ["Trial", "number"],
  ["Status"],
  ["Score", "number"],
  ["Steps", "number"],
  ["Tokens", "number"],
  ["Dollars", "number"],
  ["Events"],
];

function List({ episodes, chosen, choose }: {
  readonly episodes: readonly EpisodeLine[];
  readonly chosen: readonly string[];
  readonly choose: (id: string) => void;
}): JSX.Element {
  const [rows, more] = useSome(episodes, ROWS, "episodes");
  return (
    <>
      <Table label="episodes" kind="episodes" columns={COLUMNS}>
        {rows.map((episode) => {
          const { id, lane, ordinal, condition, game, attempt, status, score, maxScore, events = {} } = episode;
          return (
            <tr key={id}>
              <td>
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={() => choose(id)}
                  aria-label={`compare ${lane}, ${ordinal}`}
                />
              </td>
              <th scope="row">
                <a class="mono" href={href("episode", id)} title={lane}>{id.slice(0, 8)}</a>
              </th>
              <td>{words(condition)}</td>
              <td>{words(game)}</td>
              <td class="number">{attempt}</td>
              <td>
                <Status status={status} ended={episode.ended} failure={episode.failureKind} />
              </td>
              <td class="number">{score === undefined ? "–" : `${number(score)} / ${number(maxScore)}`}</td>
              <td class="number">{episode.steps ?? episode.reached ?? "–"}</td>
              <SpentCells spent={episode.spent} />
              <td class="quiet">{Object.entries(events).map(([kind, n]) => `${n} ${kind}`).join(", ")}</td>
            </tr>
          );
        })}
      </Table>
      {more}
    </>
  );
}
