/// <reference lib="dom" />
/** The memory at a step beside the world's own graph: what is stale, wrong and missing. */

import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { GraphEdit } from "../../../core/graph/edit-script.ts";
import type { TruthView } from "../truth.ts";
import type { Row } from "../../../lab/truth/claims.ts";
import { Drawing } from "./drawing.tsx";
import type { Look } from "./graph.tsx";
import { drawable, Line } from "./memory.tsx";

/** Shows both graphs, laid out alike, with their measures and differences. */
export function Truth(
  { view, here, back }: { readonly view: TruthView; readonly here?: string; readonly back: string },
): JSX.Element {
  const { counts, precision, recall, omitted, edited: { distance, edits, problem } } = view;
  const [isWhole, setWhole] = useState(false);
  const [selected, select] = useState<string>();
  const { rows, memory, world } = useMemo(() => sidesOf(view, isWhole), [view, isWhole]);
  return (
    <section class="truth" aria-label="memory and truth">
      <p class="legend">
        <span>
          precision <b>{percent(precision)}</b>
        </span>
        <span>
          recall <b>{percent(recall)}</b>
        </span>
        <span>
          edit distance{" "}
          <b>{distance ? [...new Set([distance.lower, distance.upper])].join(" to ") : "–"}</b>
        </span>
        <span>{counts.right} right</span>
        <span class="stale">{counts.stale} stale</span>
        <span class="wrong">{counts.wrong} wrong</span>
        <span class="missing">{counts.missing} missing</span>
        <span class="quiet">{counts.beside} of the memory are not compared</span>
        <label>
          <input type="checkbox" checked={isWhole} onChange={() => setWhole(!isWhole)} />{" "}
          {counts.unseen} never seen
        </label>
        <a href={back}>memory alone</a>
      </p>
      {problem !== undefined && (
        <p class="warn" role="status">
          The memory and this world are shown, but not compared in full: {problem}.
        </p>
      )}
      {omitted > 0 && (
        <p class="warn" role="status">{omitted} more triplets of the world are not shown.</p>
      )}
      <p class="quiet">
        Both as they stand after this step; a method that remembers before it acts takes in at the
        next step what this one showed.
      </p>
      <div class="pair">
        <figure>
          <figcaption>The memory</figcaption>
          <Drawing
            of="the memory"
            rows={rows}
            looks={memory}
            here={here}
            selected={selected}
            onSelect={select}
          />
        </figure>
        <figure>
          <figcaption>The world</figcaption>
          <Drawing
            of="the world"
            rows={rows}
            looks={world}
            here={here}
            selected={selected}
            onSelect={select}
          />
        </figure>
      </div>
      <div class="differences">
        <Rows
          title="wrong"
          look="wrong"
          rows={view.memory.filter(({ verdict }) => verdict === "wrong")}
        />
        <Rows
          title="stale"
          look="stale"
          rows={view.memory.filter(({ verdict }) => verdict === "stale")}
        />
        <Rows
          title="missing"
          look="missing"
          rows={view.world.filter(({ verdict }) => verdict === "missing")}
        />
        <Folded title={`edit script (${edits.length})`}>
          {edits.map((edit, at) => <li key={at} dir="auto">{editText(edit)}</li>)}
        </Folded>
      </div>
    </section>
  );
}

/** The rows of both sides, which are laid out together, and how each is shown on either. */
function sidesOf({ memory, world }: TruthView, isWhole: boolean): {
  readonly rows: readonly Row[];
  readonly memory: ReadonlyMap<number, Look>;
  readonly world: ReadonlyMap<number, Look>;
} {
  const rows: Row[] = [];
  const indices = new Map<string, number>();
  const add = (row: Row): number =>
    indices.getOrInsertComputed(row.join("\n"), () => rows.push(row) - 1);
  const look = {
    right: "plain",
    beside: "plain",
    unseen: "plain",
    stale: "stale",
    wrong: "wrong",
    missing: "missing",
  } as const;
  const side = (
    lines: readonly { readonly row: Row; readonly verdict: keyof typeof look }[],
  ): Map<number, Look> =>
    new Map(lines.map(({ row, verdict }) => [add(row), look[verdict]] as const));
  const [ours, theirs] = [
    side(memory),
    side(world.filter(({ verdict }) => isWhole || verdict !== "unseen")),
  ];
  return { rows, memory: drawable(rows, ours, false), world: drawable(rows, theirs, false) };
}

function Rows(
  { title, look, rows }: {
    readonly title: string;
    readonly look: Look;
    readonly rows: readonly { readonly row: Row }[];
  },
): JSX.Element {
  return (
    <Folded title={`${title} (${rows.length})`}>
      {rows.map(({ row }, at) => <Line key={at} row={row} look={look} />)}
    </Folded>
  );
}

function Folded(
  { title, children }: { readonly title: string; readonly children: ComponentChildren },
): JSX.Element {
  return (
    <details class="triplets">
      <summary>{title}</summary>
      <ul>{children}</ul>
    </details>
  );
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${Math.round(share * 100)} %`;
}

/** An edit as a sentence. */
function editText(edit: GraphEdit): string {
  switch (edit.op) {
    case "delete-node":
      return `remove the ${edit.kind} “${edit.id}”`;
    case "insert-node":
      return `add the ${edit.kind} “${edit.id}”${edit.label === edit.id ? "" : ` (${edit.label})`}`;
    case "relabel-node":
      return `“${edit.id}”: ${edit.from} → ${edit.to}`;
    case "delete-edge":
      return `part “${edit.a}” and “${edit.b}” (${edit.label})`;
    case "insert-edge":
      return `join “${edit.a}” and “${edit.b}” (${edit.label})`;
    case "relabel-edge":
      return `between “${edit.a}” and “${edit.b}”: ${edit.from} → ${edit.to}`;
  }
}
