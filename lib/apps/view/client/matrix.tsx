/** The matrix of a study: its conditions, its games and the episodes of each. */

import type { JSX } from "preact";
import { count } from "../../../core/text/amounts.ts";
import type { EpisodeLine } from "../studies.ts";
import { ALL, type Filtering, passes } from "./filter.ts";
import { dollars, href, number, share, Table, useSome, words } from "./kit.tsx";

/** From so many episodes in a cell on, each is a square without words. */
const CROWD = 8;

/** Conditions, games and episodes of the matrix that are shown until more are asked for. */
const FIRST = { conditions: 40, games: 25, episodes: 3000 } as const;

/** Shows the conditions and games of the episodes that pass the filter; other episodes are dimmed. */
export function Matrix(
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
