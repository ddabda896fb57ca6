/// <reference lib="dom" />
/**
 * An episode: its strip of steps, the step at hand, and the graph at that step.
 *
 * @module
 */

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphView } from "../graph.ts";
import type { EpisodeView, StepLine, StepView } from "../record.ts";
import { Await, go, href, keep, number, Status, useData, useKeys } from "./kit.tsx";
import { Memory } from "./memory.tsx";
import { Step } from "./step.tsx";
import { Strip } from "./strip.tsx";

/** Time between two steps while they are played, in ms. */
const PLAY = 900;

/** The page of an episode. */
export function Episode({ id, place, revision }: { readonly id: string; readonly place: string; readonly revision: number }): JSX.Element {
  const [end, setEnd] = useState<number>(); // the revision at which the episode was completed: nothing is read again after it
  const now = end ?? revision;
  const episode = useData<EpisodeView>(["episode", id], now);
  const graph = useData<GraphView>(["graph", id], now);
  const status = episode.data?.episode.status;
  useEffect(() => {
    if (status === "completed") setEnd(now);
  }, [status]);
  return <Await of={episode}>{(data) => <Shown view={data} graph={graph.data} place={place} />}</Await>;
}

/** The name of a step's place in addresses: `0.3`. */
export function placeOf({ pass, step }: Pick<StepLine, "pass" | "step">): string {
  return `${pass}.${step}`;
}

function Shown({ view, graph, place }: { readonly view: EpisodeView; readonly graph?: GraphView; readonly place: string }): JSX.Element {
  const { episode, steps } = view;
  const found = steps.findIndex((step) => placeOf(step) === place);
  const index = found >= 0 ? found : Math.min(1, steps.length - 1);
  const line = steps[index];
  const goTo = (to: number): void => {
    const step = steps[Math.max(0, Math.min(steps.length - 1, to))];
    if (step) go(href("episode", episode.id, placeOf(step)), { replace: true });
  };
  const [isPlaying, setPlaying] = usePlay(index, steps.length, goTo);
  useKeys((key) => {
    if (key === "ArrowLeft") goTo(index - 1);
    else if (key === "ArrowRight") goTo(index + 1);
    else if (key === "Home") goTo(0);
    else if (key === "End") goTo(steps.length - 1);
    else if (key === " ") setPlaying(!isPlaying);
    else return false;
    return true;
  }, [index, steps, isPlaying]);
  const step = useStep(episode.id, steps, index);
  const memory = graph && graph.triplets.length > 0 && <Memory graph={graph} steps={steps} index={index} step={step} />;
  return (
    <>
      <p class="crumbs">
        <a href={href()}>Studies</a> › <a href={href("study", episode.study)}>{episode.study}</a>
      </p>
      <h1>
        {episode.condition} <span class="quiet">in</span> {episode.label ?? episode.world}
        <Status status={episode.status} ended={episode.ended} failure={episode.failureKind} />
      </h1>
      <p class="quiet">
        trial {episode.attempt}, score {number(episode.score ?? steps.at(-1)?.score)} of{" "}
        {number(episode.maxScore ?? steps.at(-1)?.maxScore)}
        , {episode.method} with {episode.memory || "no memory"}, backbone {episode.backbone}, episode <code>{episode.id}</code>
      </p>
      {episode.failureMessage !== undefined && <p class="notice bad">{episode.failureMessage}</p>}
      {line === undefined ? <p class="notice">No step is recorded yet.</p> : (
        <>
          <Strip steps={steps} changes={graph?.changes ?? []} index={index} goTo={goTo} isPlaying={isPlaying} setPlaying={setPlaying} />
          <div class={memory ? "episode with-graph" : "episode"}>
            <Steps id={episode.id} steps={steps} index={index} />
            <section class="step" aria-label="the step">
              {step.data
                ? <Step view={step.data} line={line} before={steps[index - 1]} world={episode.world} isLast={index === steps.length - 1} />
                : <p class="notice quiet">{step.error ?? "loading …"}</p>}
            </section>
            {memory}
          </div>
        </>
      )}
    </>
  );
}

/** Loads the step at hand, keeps the one before on the page until it is there, and has its neighbours ready. */
function useStep(id: string, steps: readonly StepLine[], index: number): { readonly data?: StepView; readonly error?: string } {
  const line = steps[index];
  const step = useData<StepView>(line && ["step", id, placeOf(line)]);
  const last = useRef<StepView>();
  if (step.data) last.current = step.data;
  useEffect(() => {
    for (const other of [steps[index + 1], steps[index - 1]]) if (other && step.data) keep(["step", id, placeOf(other)]).catch(() => {});
  }, [step.data, index]);
  return step.error !== undefined ? step : { data: step.data ?? last.current };
}

function usePlay(index: number, length: number, goTo: (index: number) => void): readonly [boolean, (isPlaying: boolean) => void] {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    if (index >= length - 1) return setPlaying(false);
    const timer = setTimeout(() => goTo(index + 1), PLAY);
    return () => clearTimeout(timer);
  }, [isPlaying, index, length]);
  return [isPlaying, (play) => {
    if (play && index >= length - 1) goTo(0);
    setPlaying(play);
  }];
}

function Steps({ id, steps, index }: { readonly id: string; readonly steps: readonly StepLine[]; readonly index: number }): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (list.current && here) list.current.scrollTop = here.offsetTop - list.current.clientHeight / 2;
  }, [index]);
  const hasPasses = useMemo(() => steps.some(({ pass }) => pass > 0), [steps]);
  return (
    <nav class="steps" aria-label="steps">
      <ol ref={list}>
        {steps.map((step, at) => {
          const gain = step.score - (steps[at - 1]?.pass === step.pass ? steps[at - 1]?.score ?? 0 : 0);
          return (
            <li key={placeOf(step)}>
              <a href={href("episode", id, placeOf(step))} aria-current={at === index ? "step" : undefined}>
                <span class="no">{hasPasses ? placeOf(step) : step.step}</span>
                <span class="action" dir="auto">{step.action ?? "(reset)"}</span>
                {step.events.length > 0 && <span class="dot" title={step.events.join(", ")}>{step.events.length}</span>}
                {gain !== 0 && step.step > 0 && (
                  <span class={gain > 0 ? "gain" : "loss"}>{gain > 0 ? "+" : "−"}{number(Math.abs(gain))}</span>
                )}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
