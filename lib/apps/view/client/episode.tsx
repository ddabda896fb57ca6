/// <reference lib="dom" />
/** An episode: its strip of steps, the step at hand, and the graph at that step. */

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EpisodeRecord } from "../../../lab/store/episodes.ts";
import type { GraphView } from "../graph.ts";
import type { EpisodeView, StepLine, StepView } from "../record.ts";
import type { TruthView } from "../truth.ts";
import { isEmbedded, keep, useData } from "./data.ts";
import { Await, Foreign, go, Guard, href, number, Status, useStepKeys, words } from "./kit.tsx";
import { hereOf, Memory } from "./memory.tsx";
import { Step } from "./step.tsx";
import { Strip } from "./strip.tsx";
import { Truth } from "./truth.tsx";

/** Time between two steps while they are played, in ms. */
const PLAY = 900;

export function Episode({ id, place, side, revision }: {
  readonly id: string;
  readonly place: string;
  /** `truth`, or the key of the call that is open. */
  readonly side?: string;
  readonly revision: number;
}): JSX.Element {
  const [end, setEnd] = useState<number>(); // the revision at which the episode was completed: nothing is read again after it
  const now = end ?? revision;
  const episode = useData<EpisodeView>(["episode", id], now);
  const graph = useData<GraphView>(["graph", id], now);
  const status = episode.data?.episode.status;
  useEffect(() => {
    if (status === "completed") setEnd(now);
  }, [status]);
  return (
    <Await of={episode}>
      {(data) => <Shown view={data} graph={graph.data} place={place} side={side} revision={now} />}
    </Await>
  );
}

/** The name of a step's place in addresses: `0.3`. */
export function placeOf({ pass, step }: Pick<StepLine, "pass" | "step">): string {
  return `${pass}.${step}`;
}

/** The last part of the address of a step that is shown with the truth. */
const TRUTH = "truth";

function Shown({ view, graph, place, side, revision }: {
  readonly view: EpisodeView;
  readonly graph?: GraphView;
  readonly place: string;
  readonly side?: string;
  readonly revision: number;
}): JSX.Element {
  const { episode, steps } = view;
  const isBeside = side === TRUTH;
  const found = steps.findIndex((step) => placeOf(step) === place);
  const index = found >= 0 ? found : Math.min(1, steps.length - 1);
  const line = steps[index];
  const addressOf = (step: StepLine, side = isBeside ? TRUTH : ""): string =>
    href("episode", episode.id, placeOf(step), ...side === "" ? [] : [side]);
  const goTo = (to: number): void => {
    const step = steps[Math.max(0, Math.min(steps.length - 1, to))];
    if (step) go(addressOf(step), { replace: true });
  };
  const [isPlaying, setPlaying] = usePlay(index, steps.length, goTo);
  useStepKeys(index, steps.length, goTo, () => setPlaying(!isPlaying));
  const step = useStep<StepView>("step", episode.id, steps, index, revision);
  const problem = view.problem;
  const hasGraph = graph !== undefined && graph.triplets.length > 0;
  const canJudge = line !== undefined && hasGraph && view.hasTruth;
  const truth = useStep<TruthView | null>(
    "truth",
    canJudge && isBeside ? episode.id : undefined,
    steps,
    index,
    revision,
  );
  const memory = hasGraph && !(canJudge && isBeside) && (
    <Guard of={step.data}>
      <Memory
        graph={graph}
        steps={steps}
        index={index}
        step={step}
        truth={canJudge ? addressOf(line, TRUTH) : undefined}
      />
    </Guard>
  );
  return (
    <>
      {!isEmbedded && (
        <p class="crumbs">
          <a href={href()}>Studies</a> ›{" "}
          <a href={href("study", episode.study)}>{words(episode.study)}</a>
        </p>
      )}
      <h1>
        {words(episode.condition)} <span class="quiet">in</span>{" "}
        {words(episode.label ?? episode.world)}
        <Status status={episode.status} ended={episode.ended} failure={episode.failureKind} />
      </h1>
      <p class="quiet">
        trial {episode.attempt}, score {number(episode.score ?? steps.at(-1)?.score)} of{" "}
        {number(episode.maxScore ?? steps.at(-1)?.maxScore)}
        , {words(episode.method + (episode.memory && ` with ${episode.memory}`))}, model{" "}
        {words(episode.backbone)}, episode <code>{episode.id}</code>
      </p>
      {episode.failureMessage !== undefined && (
        <div class="notice bad">
          <Foreign text={episode.failureMessage} />
        </div>
      )}
      {problem !== undefined && <p class="notice bad" role="alert">{problem}</p>}
      {line === undefined ? <p class="notice">No step is recorded yet.</p> : (
        <>
          <Strip
            steps={steps}
            changes={graph?.changes ?? []}
            index={index}
            goTo={goTo}
            isPlaying={isPlaying}
            setPlaying={setPlaying}
          />
          {canJudge && isBeside &&
            (truth.data
              ? (
                <Truth
                  view={truth.data}
                  here={hereOf(truth.data.memory.map(({ row }) => row), step.data)}
                  back={addressOf(line, "")}
                />
              )
              : (
                <p class="notice quiet">
                  {truth.error ??
                    (truth.data === null ? "No truth is recorded of this step." : "loading …")}{" "}
                  <a href={addressOf(line, "")}>memory alone</a>
                </p>
              ))}
          <div class={memory ? "episode with-graph" : "episode"}>
            <Steps
              steps={steps}
              index={index}
              passes={episode.passes ?? []}
              addressOf={addressOf}
            />
            <section class="step" aria-label="the step">
              <Await of={step}>
                {(data) => (
                  <Guard of={data}>
                    <Step
                      view={data}
                      line={line}
                      before={steps[index - 1]}
                      world={episode.world}
                      isLast={index === steps.length - 1}
                      call={side}
                      addressOf={(call) => addressOf(line, call)}
                    />
                  </Guard>
                )}
              </Await>
            </section>
            {memory}
          </div>
        </>
      )}
    </>
  );
}

/** Loads what belongs to a step and prefetches its neighbours; the last step is shown meanwhile. */
function useStep<T>(
  kind: string,
  id: string | undefined,
  steps: readonly StepLine[],
  index: number,
  revision: number,
): { readonly data?: T; readonly error?: string } {
  const line = steps[index];
  const path = (line: StepLine | undefined): string[] | undefined =>
    id !== undefined && line ? [kind, id, placeOf(line)] : undefined;
  // A call or an event may still be added to the last step.
  const revisionOf = (at: number): number => at >= steps.length - 1 ? revision : 0;
  const step = useData<T>(path(line), revisionOf(index));
  const last = useRef<T>();
  if (step.data !== undefined) last.current = step.data;
  useEffect(() => {
    for (const at of [index + 1, index - 1]) {
      const other = path(steps[at]);
      if (other && step.data) keep(other, revisionOf(at)).catch(() => {});
    }
  }, [step.data, index]);
  return step.error !== undefined
    ? step
    : { data: step.data === undefined ? last.current : step.data };
}

/** Whether the steps are played, one after another, and the function that begins and ends it. */
export function usePlay(
  index: number,
  length: number,
  goTo: (index: number) => void,
): readonly [boolean, (isPlaying: boolean) => void] {
  const [isPlaying, setPlaying] = useState(false);
  const latest = useRef(goTo); // the side that is shown may change between two steps
  latest.current = goTo;
  useEffect(() => {
    if (!isPlaying) return;
    if (index >= length - 1) return setPlaying(false);
    const timer = setTimeout(() => latest.current(index + 1), PLAY);
    return () => clearTimeout(timer);
  }, [isPlaying, index, length]);
  return [isPlaying, (play) => {
    if (play && index >= length - 1) goTo(0);
    setPlaying(play);
  }];
}

function Steps({ steps, index, passes, addressOf }: {
  readonly steps: readonly StepLine[];
  readonly index: number;
  /** Those that have ended. */
  readonly passes: NonNullable<EpisodeRecord["passes"]>;
  readonly addressOf: (step: StepLine) => string;
}): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (list.current && here) {
      list.current.scrollTop = here.offsetTop - list.current.clientHeight / 2;
    }
  }, [index]);
  const hasPasses = useMemo(() => steps.some(({ pass }) => pass > 0), [steps]);
  return (
    <nav class="steps" aria-label="steps">
      <ol ref={list}>
        {steps.map((step, at) => {
          const isNewPass = hasPasses && steps[at - 1]?.pass !== step.pass;
          const pass = passes[step.pass];
          const gain = step.score -
            (steps[at - 1]?.pass === step.pass ? steps[at - 1]?.score ?? 0 : 0);
          return (
            <li key={placeOf(step)}>
              {isNewPass && (
                <h3 class="quiet">
                  pass {step.pass}
                  {pass &&
                    `: ${pass.kind}, ${number(pass.score)} of ${
                      number(pass.maxScore)
                    } in ${pass.steps} steps${pass.counts ? ", counts" : ""}`}
                </h3>
              )}
              <a href={addressOf(step)} aria-current={at === index ? "step" : undefined}>
                <span class="no">{hasPasses ? placeOf(step) : step.step}</span>
                <span class="action" dir="auto">{words(step.action ?? "(reset)")}</span>
                {step.events.length > 0 && (
                  <span class="dot" title={step.events.join(", ")}>{step.events.length}</span>
                )}
                {gain !== 0 && step.step > 0 && (
                  <span class={gain > 0 ? "gain" : "loss"}>
                    {gain > 0 ? "+" : "−"}
                    {number(Math.abs(gain))}
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
