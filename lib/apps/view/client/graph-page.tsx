/// <reference lib="dom" />
/** A graph by itself, over the times at which it changed. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GraphView } from "../graph.ts";
import { usePlay } from "./episode.tsx";
import { useData } from "./data.ts";
import { Await } from "./kit.tsx";
import { Memory } from "./memory.tsx";
import { Strip } from "./strip.tsx";

/** The page of a graph that was handed over with it. */
export function Graph(): JSX.Element {
  return <Await of={useData<GraphView>(["graph"])}>{(graph) => <Shown graph={graph} />}</Await>;
}

function Shown({ graph }: { readonly graph: GraphView }): JSX.Element {
  const times = [...new Set(graph.changes.map(({ step }) => step))];
  const steps = times.map((step) => ({
    pass: 0,
    step,
    action: `time ${step}`,
    score: 0,
    maxScore: 1,
    events: [],
  }));
  const [index, setIndex] = useState(Math.max(0, steps.length - 1));
  const goTo = (to: number): void => setIndex(Math.max(0, Math.min(steps.length - 1, to)));
  const [isPlaying, setPlaying] = usePlay(index, steps.length, goTo);
  return (
    <>
      {steps.length > 1 && (
        <Strip
          steps={steps}
          changes={graph.changes}
          index={index}
          goTo={goTo}
          isPlaying={isPlaying}
          setPlaying={setPlaying}
        />
      )}
      <Memory graph={graph} steps={steps} index={index} step={{}} />
    </>
  );
}
