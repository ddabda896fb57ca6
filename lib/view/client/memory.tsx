/// <reference lib="dom" />
/**
 * The memory of an episode at a step: its graph as a drawing and as a list.
 *
 * @module
 */

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { normaliseEntity } from "../../graph/triplet.ts";
import type { GraphView } from "../graph.ts";
import type { StepLine, StepView } from "../record.ts";
import { Drawing } from "./graph.tsx";
import type { Row } from "./layout.ts";
import { linesRecalled } from "./recalled.ts";
import { momentAt } from "./timeline.ts";

/** Triplets that the list shows at first. */
const LISTED = 60;

/** Shows the graph after a step. */
export function Memory({ graph, steps, index, step }: {
  readonly graph: GraphView;
  readonly steps: readonly StepLine[];
  readonly index: number;
  readonly step: { readonly data?: StepView };
}): JSX.Element {
  const [selected, select] = useState<string>();
  const [isFull, setFull] = useState(false);
  const moment = useMemo(() => momentAt(graph, steps, index), [graph, steps, index]);
  const byText = useMemo(() => new Map(graph.triplets.map((row, at) => [row.join(", "), at])), [graph]);
  const recalled = useMemo(() => {
    const lines = step.data ? linesRecalled(step.data.turn.details) : [];
    return new Set(lines.flatMap(({ text }) => byText.get(text) ?? []));
  }, [byText, step.data]);
  const hasDistances = useMemo(() => graph.triplets.some(isDistance), [graph]);
  const here = hereOf(step.data, graph, moment.standing);
  const { standing, added, removed } = moment;
  const drawn = useMemo(() => {
    const isDrawn = (row: Row): boolean => !isOfAgent(row) && (isFull || !isDistance(row));
    const kept = (set: ReadonlySet<number>): Set<number> => new Set([...set].filter((at) => isDrawn(graph.triplets[at] as Row)));
    return { standing: kept(standing), added: kept(added), removed: kept(removed) };
  }, [moment, isFull]);
  return (
    <section class="memory" aria-label="memory">
      <p class="legend">
        <span>
          <b>{standing.size}</b> triplets
        </span>
        <span class="added">{added.size} new</span>
        <span class="removed">{removed.size} removed</span>
        <span class="recalled">{recalled.size} recalled</span>
        {graph.inherited.length > 0 && <span class="quiet">{graph.inherited.length} from earlier episodes</span>}
        {hasDistances && (
          <label>
            <input type="checkbox" checked={isFull} onChange={() => setFull(!isFull)} /> distances
          </label>
        )}
      </p>
      <Drawing rows={graph.triplets} moment={drawn} recalled={recalled} here={here} selected={selected} onSelect={select} />
      <List rows={graph.triplets} moment={moment} recalled={recalled} selected={selected} select={select} />
    </section>
  );
}

/** Whether a triplet is a distance: those between any two things of a room would cover its map. */
function isDistance([, relation]: Row): boolean {
  return relation.startsWith("are_apart");
}

/** Whether a triplet says where the agent is, which the drawing shows by a colour. */
function isOfAgent([subject, relation]: Row): boolean {
  return subject === "agent" && relation === "is_located_to";
}

/** The place where the agent is, as its graph names it. */
function hereOf(step: StepView | undefined, { triplets }: GraphView, standing: ReadonlySet<number>): string | undefined {
  for (const at of standing) {
    const row = triplets[at] as Row;
    if (isOfAgent(row)) return row[2];
  }
  const { location } = step?.turn.sections ?? {};
  const name = location === undefined ? undefined : normaliseEntity(location);
  return name !== undefined && triplets.some(([subject, , object]) => subject === name || object === name) ? name : undefined;
}

function List({ rows, moment: { standing, added, removed }, recalled, selected, select }: {
  readonly rows: readonly Row[];
  readonly moment: ReturnType<typeof momentAt>;
  readonly recalled: ReadonlySet<number>;
  readonly selected?: string;
  readonly select: (entity: string | undefined) => void;
}): JSX.Element {
  const [isAll, setAll] = useState(false);
  const rank = (at: number): number => added.has(at) ? 0 : removed.has(at) ? 1 : recalled.has(at) ? 2 : 3;
  const shown = [...standing, ...removed].filter((at) => selected === undefined || rows[at]?.[0] === selected || rows[at]?.[2] === selected)
    .sort((a, b) => rank(a) - rank(b) || b - a);
  const words = ["new", "removed", "recalled", ""] as const;
  return (
    <details class="triplets" open={selected !== undefined || undefined}>
      <summary>{selected === undefined ? `${shown.length} triplets as a list` : `${shown.length} triplets with “${selected}”`}</summary>
      {selected !== undefined && <button type="button" onClick={() => select(undefined)}>Show all</button>}
      <ul>
        {shown.slice(0, isAll ? undefined : LISTED).map((at) => {
          const [subject, relation, object] = rows[at] as Row;
          const word = words[rank(at)] as string;
          return (
            <li key={at} class={["added", "removed", "recalled", ""][rank(at)]} dir="auto">
              {subject} <i>{relation}</i> {object} {word && <small>{word}</small>}
            </li>
          );
        })}
      </ul>
      {shown.length > LISTED && !isAll && <button type="button" onClick={() => setAll(true)}>{shown.length - LISTED} more</button>}
    </details>
  );
}
