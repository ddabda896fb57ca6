/// <reference lib="dom" />
/** The studies of the store with their progress, and the tables and figures as they stand. */

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../../core/text/amounts.ts";
import type { ExhibitFile } from "../exhibits.ts";
import type { StudySummary } from "../studies.ts";
import { Await, type Column, exported, href, SpentCells, Table, useData, words } from "./kit.tsx";
import { Markdown } from "./markdown.tsx";
import type { News } from "./news.ts";

/** The first page. */
export function Studies({ revision, written }: Pick<News, "revision" | "written">): JSX.Element {
  const studies = useData<readonly StudySummary[]>(["studies"], revision);
  return (
    <>
      <h1>Studies</h1>
      <Await of={studies}>
        {(list) =>
          list.length === 0
            ? <p class="notice">Nothing is recorded yet: ./lab reproduce plays.</p>
            : <List studies={list} />}
      </Await>
      <Exhibits written={written} />
    </>
  );
}

const COLUMNS: readonly Column[] = [
  ["Study"],
  ["Progress"],
  ["Done", "number"],
  ["Planned", "number"],
  ["Failed", "number"],
  ["Paused", "number"],
  ["Tokens", "number"],
  ["Dollars", "number"],
  ["Now"],
];

function List({ studies }: { readonly studies: readonly StudySummary[] }): JSX.Element {
  const now = useRates(studies);
  return (
    <Table label="studies" kind="studies" columns={COLUMNS}>
      {studies.map(({ id, title, counts, spent, secondsLeft, lastEnd }) => {
        const all = Object.values(counts).reduce((a, b) => a + b, 0);
        const rate = now.get(id) ?? 0;
        return (
          <tr key={id}>
            <th scope="row">
              <a href={href("study", id)}>{words(id || "(no name)")}</a>
              <div class="quiet">{words(title)}</div>
            </th>
            <td>
              <Progress counts={counts} all={all} />
            </td>
            <td class="number">{counts.completed}</td>
            <td class="number">{all}</td>
            <td class={counts.failed > 0 ? "number bad" : "number"}>{counts.failed}</td>
            <td class={counts.paused > 0 ? "number warn" : "number"}>{counts.paused}</td>
            <SpentCells spent={spent} />
            <td class="quiet">
              {[
                counts.running > 0 ? `${counts.running} running` : undefined,
                counts.running > 0 && rate > 0 ? `${rate.toFixed(1)} calls/s` : undefined,
                secondsLeft === undefined ? undefined : `${duration(secondsLeft)} left`,
                counts.running === 0 && lastEnd !== undefined
                  ? `ended ${new Date(lastEnd).toLocaleString()}`
                  : undefined,
              ].filter(Boolean).join(", ")}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Progress(
  { counts, all }: Pick<StudySummary, "counts"> & { readonly all: number },
): JSX.Element {
  const parts = ["completed", "running", "failed", "paused"] as const;
  return (
    <div class="bar" role="img" aria-label={`${counts.completed} of ${all} done`}>
      {parts.map((part) =>
        counts[part] > 0 && (
          <span key={part} class={part} style={{ width: `${100 * counts[part] / all}%` }} />
        )
      )}
    </div>
  );
}

/** Time after which a rate says nothing of the present: longer than the page ever rests between two readings, in ms. */
const STALE = 20_000;

/** Calls a second by study, between two readings. */
function useRates(studies: readonly StudySummary[]): ReadonlyMap<string, number> {
  const last = useRef<Reading>();
  const [rates, setRates] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    const calls = new Map(
      studies.flatMap(({ id, spent }) =>
        spent ? [[id, spent.calls + spent.replayed] as const] : []
      ),
    );
    const [before, at] = [last.current, performance.now()];
    last.current = { at, calls };
    const timer = setTimeout(() => setRates(new Map()), STALE);
    if (before) {
      setRates(
        new Map(
          [...calls].map((
            [id, n],
          ) => [id, (n - (before.calls.get(id) ?? n)) / (at - before.at) * 1000]),
        ),
      );
    }
    return () => clearTimeout(timer);
  }, [studies]);
  return rates;
}

interface Reading {
  readonly at: number;
  readonly calls: ReadonlyMap<string, number>;
}

function Exhibits({ written }: Pick<News, "written">): JSX.Element | null {
  const exhibits = useData<readonly ExhibitFile[]>(["exhibits"], written);
  const [paper, setPaper] = useState<string>();
  if (exported && exhibits.data?.length === 0) return null;
  return (
    <section aria-labelledby="exhibits">
      <h2 id="exhibits">Tables and figures as they stand</h2>
      <Await of={exhibits}>
        {(all) => {
          const papers = [...new Set(all.map((exhibit) => exhibit.paper))].sort((a, b) =>
            Number(a === "other") - Number(b === "other")
          );
          if (papers.length === 0) {return (
              <p class="quiet">None is written yet: ./lab reproduce writes them.</p>
            );}
          const shown = all.filter((exhibit) => exhibit.paper === (paper ?? papers[0]))
            .sort((a, b) => a.kind.localeCompare(b.kind)); // figures first: a table takes a line of its own
          return (
            <>
              <div class="tabs" role="group" aria-label="paper">
                {papers.map((name) => (
                  <button
                    key={name}
                    type="button"
                    aria-pressed={name === (paper ?? papers[0])}
                    onClick={() => setPaper(name)}
                  >
                    {name}
                  </button>
                ))}
              </div>
              <div class="exhibits">
                {shown.map((exhibit) => <Exhibit key={exhibit.id} exhibit={exhibit} />)}
              </div>
            </>
          );
        }}
      </Await>
    </section>
  );
}

function Exhibit(
  { exhibit: { id, kind, text, writtenAt } }: { readonly exhibit: ExhibitFile },
): JSX.Element {
  const when = <span class="quiet">{new Date(writtenAt).toLocaleString()}</span>;
  if (kind === "table") {
    return (
      <details class="card table">
        <summary>{id} {when}</summary>
        <Markdown text={text} />
      </details>
    );
  }
  const src = `figures/${id}.svg${exported ? "" : `?${writtenAt}`}`; // a browser keeps a picture that it has shown
  return (
    <figure class="card">
      <a href={`figures/${id}.svg`}>
        <img src={src} alt={text.slice(0, 200) || id} loading="lazy" />
      </a>
      <figcaption>
        <strong>{id}</strong> {when}
        <details>
          <summary>caption</summary>
          {text}
        </details>
      </figcaption>
    </figure>
  );
}
