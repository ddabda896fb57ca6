/// <reference lib="dom" />
/** The drawing of a graph, or of a part of a large one. */

import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count } from "../../text/amounts.ts";
import { Canvas, type DrawingProps } from "./graph.tsx";
import type { Row } from "./layout.ts";
import { MOST, partOf } from "./part.ts";

/** Draws a graph; of a large one what is marked and what is newest, until all of it is asked for. */
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
  return (
    <>
      <Canvas {...props} {...part} />
      {isPart && part.looks.size < looks.size && (
        <p class="quiet">
          The drawing shows {count(part.looks.size)} of {count(looks.size)} triplets: those that are marked, and the newest.{" "}
          <button type="button" onClick={() => setWhole(true)}>Draw all, which takes a while</button>
        </p>
      )}
    </>
  );
}
