/// <reference lib="dom" />
/** The studies of the store with their progress. */

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../../core/text/amounts.ts";
import type { StudySummary } from "../studies.ts";
import { useData } from "./data.ts";
import { Await, type Column, href, SpentCells, Table, words } from "./kit.tsx";

export function Studies({ revision }: { readonly revision: number }): JSX.Element {
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

/** Milliseconds after which a rate is outdated. */
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
