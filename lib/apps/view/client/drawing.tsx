/// <reference lib="dom" />
/** The drawing of a graph, or of a part of a large one. */

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Canvas, type DrawingProps } from "./graph.tsx";
import { layOutBeside, type Row, type Spot } from "./layout.ts";
import { MOST, partOf } from "./part.ts";

/** Draws a graph, of a large one the marked and newest part first. */
export function Drawing(props: DrawingProps): JSX.Element {
  const { rows, looks } = props;
  const [isWhole, setWhole] = useState(false);
  const isPart = !isWhole && rows.length > MOST;
  const part = useMemo(() => {
    if (!isPart) return { rows, looks };
    const indices = partOf(looks);
    return {
      rows: indices.map((at) => rows[at] as Row),
      looks: new Map(indices.map((at, index) => [index, looks.get(at) ?? "plain"] as const)),
    };
  }, [rows, looks, isPart]);
  const spots = useSpots(part.rows);
  const drawn = useRef<Parameters<typeof Canvas>[0]>();
  if (spots) drawn.current = { ...props, ...part, spots };
  return (
    <>
      {drawn.current ? <Canvas {...drawn.current} /> : <div class="canvas" />}
      {!spots && <p class="quiet" role="status">{part.rows.length} triplets are being laid out …
      </p>}
      {isPart && part.looks.size < looks.size && (
        <p class="quiet">
          The drawing shows {part.looks.size} of {looks.size}{" "}
          triplets: those that are marked, and the newest.{" "}
          <button type="button" onClick={() => setWhole(true)}>
            Draw all, which takes a while
          </button>
        </p>
      )}
    </>
  );
}

/** Where the entities of some rows are drawn; `undefined` while that is found out. */
function useSpots(rows: readonly Row[]): ReadonlyMap<string, Spot> | undefined {
  const gone = useMemo(() => new AbortController(), [rows]);
  const spots = useMemo(() => layOutBeside(rows, gone.signal), [gone]);
  const [late, setLate] = useState<
    { readonly of: unknown; readonly spots: ReadonlyMap<string, Spot> }
  >();
  useEffect(() => {
    if (spots instanceof Promise) spots.then((found) => setLate({ of: spots, spots: found }));
    return () => gone.abort();
  }, [spots]);
  return spots instanceof Promise ? late?.of === spots ? late.spots : undefined : spots;
}
