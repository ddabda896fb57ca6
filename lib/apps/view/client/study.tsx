/// <reference lib="dom" />
/** A study: its matrix of conditions and games, and its episodes, which can be filtered and compared; its address says which. */

import type { JSX } from "preact";
import type { EpisodeLine, StudyView } from "../studies.ts";
import { count } from "../../../core/text/amounts.ts";
import {
  Await,
  type Column,
  dollars,
  go,
  href,
  number,
  share,
  SpentCells,
  Status,
  Table,
  useData,
  useSome,
  words,
} from "./kit.tsx";

/** The page of a study. */
export function Study({ id, query, revision }: {
  readonly id: string;
  /** The filter, and the episodes that are chosen to be compared. */
  readonly query: URLSearchParams;
  readonly revision: number;
}): JSX.Element {
  const study = useData<StudyView>(["study", id], revision);
  return (
    <>
      <p class="crumbs">
        <a href={href()}>Studies</a>
      </p>
      <h1>{words(id)}</h1>
      <Await of={study}>{(data) => <Shown study={data} query={query} />}</Await>
    </>
  );
}

const FILTERS = ["condition", "game", "status", "score", "event"] as const;

/** What of the episodes is shown; all of them where it names nothing. */
type Filter = Readonly<Partial<Record<typeof FILTERS[number], string>>>;

const ALL: Filter = {};

/** Scores that are chosen by what they are of the best one; any other is one score alone. */
const SHARES: ReadonlyMap<string, (reached: number) => boolean> = new Map([
  ["full score", (reached) => reached === 1],
  ["part of the score", (reached) => reached > 0 && reached < 1],
  ["no score", (reached) => reached <= 0],
]);

/** Scores that can be chosen one by one, at most. */
const MAX_SCORES = 100;

function Shown({ study: { id, title, backbones, episodes }, query }: {
  readonly study: StudyView;
  readonly query: URLSearchParams;
}): JSX.Element {
  const filter: Filter = Object.fromEntries(
    FILTERS.flatMap((name) => query.has(name) ? [[name, query.get(name) ?? ""]] : []),
  );
  const chosen = query.getAll("compare").filter((one) =>
    episodes.some((episode) => episode.id === one)
  ).slice(-2);
  const shown = episodes.filter((episode) => passes(episode, filter));
  /** Changes the address as it stands, of which what is drawn may be behind. */
  const change = (edit: (query: URLSearchParams) => void): void => {
    const next = new URLSearchParams(location.hash.split("?")[1]);
    edit(next);
    go(`${href("study", id)}${next.size > 0 ? `?${next}` : ""}`, { replace: true });
  };
  const setFilter = (filter: Filter): void =>
    change((next) =>
      FILTERS.forEach((name) =>
        filter[name] === undefined ? next.delete(name) : next.set(name, filter[name])
      )
    );
  const choose = (one: string): void =>
    change((next) => {
      const ids = next.getAll("compare");
      next.delete("compare");
      const now = ids.includes(one)
        ? ids.filter((other) => other !== one)
        : [...ids, one].slice(-2);
      for (const id of now) next.append("compare", id);
    });
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
          <button type="button" onClick={() => change((next) => next.delete("compare"))}>
            Clear
          </button>
        </p>
      )}
      <List episodes={shown} chosen={chosen} choose={choose} />
    </>
  );
}

function passes(episode: EpisodeLine, { condition, game, status, score, event }: Filter): boolean {
  return (condition === undefined || episode.condition === condition) &&
    (game === undefined || episode.game === game) &&
    (status === undefined || episode.status === status) &&
    (score === undefined || reaches(episode, score)) &&
    (event === undefined || episode.events?.[event] !== undefined);
}

function reaches(episode: EpisodeLine, score: string): boolean {
  const [reached, isWanted] = [share(episode), SHARES.get(score)];
  return isWanted ? reached !== undefined && isWanted(reached) : scoreText(episode) === score;
}

/** `3 / 5`, `–` for none. */
function scoreText({ score, maxScore }: EpisodeLine): string {
  return score === undefined ? "–" : `${number(score)} / ${number(maxScore)}`;
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
function Matrix(
  { episodes, shown, filter, setFilter }: Filtering & { readonly shown: ReadonlySet<EpisodeLine> },
): JSX.Element {
  const matching = episodes.filter((episode) =>
    passes(episode, { ...filter, condition: undefined, game: undefined })
  );
  const [games, moreGames] = useSome(
    [...new Set(matching.map(({ game }) => game))].sort(),
    FIRST.games,
    "games",
  );
  const [conditions, moreConditions] = useSome(
    [...new Set(matching.map(({ condition }) => condition))],
    FIRST.conditions,
    "conditions",
  );
  const cells = Map.groupBy(episodes, ({ condition, game }) => JSON.stringify([condition, game]));
  const most = Math.max(CROWD, Math.floor(FIRST.episodes / (games.length * conditions.length)));
  return (
    <>
      <Table
        label="conditions and games"
        kind="matrix"
        columns={["Condition", ...games].map((title) => [words(title)])}
      >
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
                    <button
                      type="button"
                      class="mean"
                      aria-pressed={isOnly}
                      onClick={only}
                      title="show only these"
                    >
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
  const begun = cell.filter(({ status }) => status !== "planned").sort((a, b) =>
    Number(shown.has(b)) - Number(shown.has(a))
  );
  const [some, more] = useSome(begun, most);
  return (
    <div class="chips">
      {some.map((episode) => (
        <Chip
          key={episode.id}
          episode={episode}
          isSmall={cell.length > CROWD}
          isDim={!shown.has(episode)}
        />
      ))}
      {more}
    </div>
  );
}

function meanText(cell: readonly EpisodeLine[]): string {
  const shares = cell.flatMap((episode) => share(episode) ?? []);
  const begun = cell.filter(({ status }) => status !== "planned").length;
  return [
    shares.length > 0
      ? `mean ${
        (shares.reduce((a, b) => a + b, 0) / shares.length).toFixed(2)
      }, n = ${shares.length}`
      : begun > 0 && "no score",
    begun < cell.length && `${cell.length - begun} to come`,
  ].filter(Boolean).join(", ");
}

function Chip(
  { episode, isSmall, isDim }: {
    readonly episode: EpisodeLine;
    readonly isSmall: boolean;
    readonly isDim: boolean;
  },
): JSX.Element {
  const { id, status, score, maxScore, steps, reached, attempt, failureKind, spent } = episode;
  const told = status === "completed"
    ? `${number(score)} of ${number(maxScore)} in ${steps} steps`
    : `${status}${failureKind ? ` (${failureKind})` : ""}${reached ? `, step ${reached}` : ""}`;
  const whole = `trial ${attempt}: ${told}${
    spent ? `; ${count(spent.tokens)} tokens, ${dollars(spent)}` : ""
  }`;
  return (
    <a
      class={["chip", status, isSmall && "small", isDim && "dim"].filter(Boolean).join(" ")}
      style={{ "--share": String(Math.max(0, share(episode) ?? 0)) }}
      href={href("episode", id)}
      title={whole}
      aria-label={isSmall ? whole : undefined}
    >
      {!isSmall && (status === "completed"
        ? (
          <>
            {number(score)}
            <small>
              /{number(maxScore)} · {steps}
              {spent && spent.dollars > 0 && ` · ${dollars(spent)}`}
            </small>
          </>
        )
        : words(told))}
    </a>
  );
}

function Filters({ episodes, filter, setFilter }: Filtering): JSX.Element {
  const events = [...new Set(episodes.flatMap(({ events = {} }) => Object.keys(events)))].sort();
  const statuses = [...new Set(episodes.map(({ status }) => status))].sort();
  const scores = [
    ...new Set(
      episodes.filter(({ score }) => score !== undefined).sort((a, b) =>
        (b.score ?? 0) - (a.score ?? 0)
      ).map(scoreText),
    ),
  ];
  const select = (
    name: "status" | "score" | "event",
    label: string,
    options: readonly string[],
    any = "any",
  ): JSX.Element => (
    <label>
      {label}{" "}
      <select
        value={filter[name] ?? ""}
        onChange={({ currentTarget }) =>
          setFilter({ ...filter, [name]: currentTarget.value || undefined })}
      >
        <option value="">{any}</option>
        {options.map((option) => <option key={option} value={option}>{option}</option>)}
      </select>
    </label>
  );
  return (
    <div class="filters">
      {select("status", "Status", statuses)}
      {select("score", "Score", [...SHARES.keys(), ...scores.slice(0, MAX_SCORES)])}
      {select("event", "With event", events, "any or none")}
      {filter.condition !== undefined && (
        <span class="tag">{words(filter.condition)}, {words(filter.game ?? "")}</span>
      )}
      {Object.keys(filter).length > 0 && (
        <button type="button" onClick={() => setFilter(ALL)}>Show all</button>
      )}
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
          const { id, chain, ordinal, condition, game, attempt, status, events = {} } = episode;
          return (
            <tr key={id}>
              <td>
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={() => choose(id)}
                  aria-label={`compare ${chain}, ${ordinal}`}
                />
              </td>
              <th scope="row">
                <a class="mono" href={href("episode", id)} title={chain}>{id.slice(0, 8)}</a>
              </th>
              <td>{words(condition)}</td>
              <td>{words(game)}</td>
              <td class="number">{attempt}</td>
              <td>
                <Status status={status} ended={episode.ended} failure={episode.failureKind} />
              </td>
              <td class="number">{scoreText(episode)}</td>
              <td class="number">{episode.steps ?? episode.reached ?? "–"}</td>
              <SpentCells spent={episode.spent} />
              <td class="quiet">
                {Object.entries(events).map(([kind, n]) => `${n} ${kind}`).join(", ")}
              </td>
            </tr>
          );
        })}
      </Table>
      {more}
    </>
  );
}
