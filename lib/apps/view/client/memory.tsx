/// <reference lib="dom" />
/** The memory of an episode at a step: its graph as a drawing and as a list. */

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { normaliseEntity } from "../../../core/graph/triplet.ts";
import { useSome, words } from "./kit.tsx";
import type { GraphView } from "../graph.ts";
import type { StepLine, StepView } from "../record.ts";
import { Drawing } from "./drawing.tsx";
import type { Look } from "./graph.tsx";
import type { Row } from "./layout.ts";
import { linesRecalled } from "./recalled.ts";
import { momentAt } from "../timeline.ts";

/** Triplets that the list shows at first. */
const LISTED = 60;

/** Shows the graph after a step. */
export function Memory({ graph, steps, index, step, truth }: {
  readonly graph: GraphView;
  readonly steps: readonly StepLine[];
  readonly index: number;
  readonly step: { readonly data?: StepView };
  /** The address of the same step beside the truth; absent where no truth is recorded. */
  readonly truth?: string;
}): JSX.Element {
  const [selected, select] = useState<string>();
  const [isFull, setFull] = useState(false);
  const moment = useMemo(() => momentAt(graph, steps, index), [graph, steps, index]);
  const byText = useMemo(() => new Map(graph.triplets.map((row, at) => [row.join(", "), at])), [
    graph,
  ]);
  const recalled = useMemo(() => {
    const lines = step.data ? linesRecalled(step.data.turn.details) : [];
    return new Set(lines.flatMap(({ text }) => byText.get(text) ?? []));
  }, [byText, step.data]);
  const hasDistances = useMemo(() => graph.triplets.some(isDistance), [graph]);
  const here = hereOf([...moment.standing].map((at) => graph.triplets[at] as Row), step.data);
  const { standing, added, removed } = moment;
  const looks = useMemo(() => {
    const look = (at: number): Look =>
      added.has(at)
        ? "added"
        : removed.has(at)
        ? "removed"
        : recalled.has(at)
        ? "recalled"
        : "plain";
    return new Map([...standing, ...removed].map((at) => [at, look(at)] as const));
  }, [moment, recalled]);
  const drawn = useMemo(() => drawable(graph.triplets, looks, isFull), [looks, isFull]);
  return (
    <section class="memory" aria-label="memory">
      <p class="legend">
        <span>
          <b>{standing.size}</b> triplets
        </span>
        <span class="added">{added.size} new</span>
        <span class="removed">{removed.size} removed</span>
        <span class="recalled">{recalled.size} recalled</span>
        {graph.inherited.length > 0 && (
          <span class="quiet">{graph.inherited.length} from earlier episodes</span>
        )}
        {hasDistances && (
          <label>
            <input type="checkbox" checked={isFull} onChange={() => setFull(!isFull)} /> distances
          </label>
        )}
        {truth !== undefined && <a href={truth}>beside the truth</a>}
      </p>
      <Drawing
        rows={graph.triplets}
        looks={drawn}
        here={here}
        selected={selected}
        onSelect={select}
      />
      <List rows={graph.triplets} looks={looks} selected={selected} select={select} />
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

/** The agent's place as a graph's entity, where graph or world name it. */
export function hereOf(rows: readonly Row[], step: StepView | undefined): string | undefined {
  const { location } = step?.turn.sections ?? {};
  return rows.find(isOfAgent)?.[2] ??
    (location === undefined ? undefined : normaliseEntity(location));
}

/** The triplets that a drawing shows, without the agent's place and, unless full, distances. */
export function drawable(
  rows: readonly Row[],
  looks: ReadonlyMap<number, Look>,
  isFull: boolean,
): Map<number, Look> {
  return new Map([...looks].filter(([at]) => {
    const row = rows[at] as Row;
    return !isOfAgent(row) && (isFull || !isDistance(row));
  }));
}

/** What marks a triplet of the list, first things first. */
const WORDS: Readonly<Partial<Record<Look, string>>> = {
  added: "new",
  removed: "removed",
  recalled: "recalled",
};

function List({ rows, looks, selected, select }: {
  readonly rows: readonly Row[];
  readonly looks: ReadonlyMap<number, Look>;
  readonly selected?: string;
  readonly select: (entity: string | undefined) => void;
}): JSX.Element {
  const order = [...Object.keys(WORDS), "plain"];
  const shown = [...looks].filter(([at]) =>
    selected === undefined || rows[at]?.[0] === selected || rows[at]?.[2] === selected
  )
    .sort(([a, one], [b, other]) => order.indexOf(one) - order.indexOf(other) || b - a);
  const [some, more] = useSome(shown, LISTED);
  return (
    <details class="triplets" open={selected !== undefined || undefined}>
      <summary>
        {selected === undefined
          ? `${shown.length} triplets as a list`
          : `${shown.length} triplets with “${selected}”`}
      </summary>
      {selected !== undefined && (
        <button type="button" onClick={() => select(undefined)}>Show all</button>
      )}
      <ul>
        {some.map(([at, look]) => (
          <Line key={at} row={rows[at] as Row} look={look} word={WORDS[look]} />
        ))}
      </ul>
      {more}
    </details>
  );
}

/** A triplet as a line of a list. */
export function Line({ row: [subject, relation, object], look, word }: {
  readonly row: Row;
  readonly look: Look;
  readonly word?: string;
}): JSX.Element {
  return (
    <li class={look}>
      {words(subject)} <i>{words(relation)}</i> {words(object)}{" "}
      {word !== undefined && <small>{word}</small>}
    </li>
  );
}
