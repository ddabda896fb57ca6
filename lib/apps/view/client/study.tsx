/// <reference lib="dom" />
/** A study: its matrix and its episodes, filtered as its address says. */

import type { JSX } from "preact";
import type { EpisodeLine, StudyView } from "../studies.ts";
import { useData } from "./data.ts";
import { ALL, type Filter, type Filtering, FILTERS, passes, scoreText, SHARES } from "./filter.ts";
import { Await, type Column, go, href, SpentCells, Status, Table, useSome, words } from "./kit.tsx";
import { Matrix } from "./matrix.tsx";

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
        {title && "; "}model {words(backbones.join(", ") || "none")}, {episodes.length} episodes
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
