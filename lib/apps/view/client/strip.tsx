/// <reference lib="dom" />
/** The strip of an episode's steps: score, events, changes of the graph, and a slider. */

import type { JSX } from "preact";
import { brief } from "../brief.ts";
import { useMemo } from "preact/hooks";
import type { GraphView } from "../graph.ts";
import type { StepLine } from "../record.ts";

const HEIGHT = 56;

export interface StripProps {
  readonly steps: readonly StepLine[];
  readonly changes: GraphView["changes"];
  readonly index: number;
  readonly goTo: (index: number) => void;
  readonly isPlaying: boolean;
  readonly setPlaying: (isPlaying: boolean) => void;
}

/** Shows the steps as a strip; a click or the slider chooses one. */
export function Strip(
  { steps, changes, index, goTo, isPlaying, setPlaying }: StripProps,
): JSX.Element {
  const { step, action, pass } = steps[index] as StepLine;
  const last = steps.length - 1;
  const name = `step ${step}${steps.some((line) => line.pass > 0) ? ` of pass ${pass}` : ""}: ${
    brief(action ?? "(reset)")
  }`;
  return (
    <div class="strip">
      <div class="buttons">
        <button
          type="button"
          onClick={() => goTo(index - 1)}
          disabled={index === 0}
          aria-label="step back"
        >
          ◀
        </button>
        <button
          type="button"
          onClick={() => setPlaying(!isPlaying)}
          aria-label={isPlaying ? "pause" : "play"}
        >
          {isPlaying ? "❚❚" : "▶▶"}
        </button>
        <button
          type="button"
          onClick={() => goTo(index + 1)}
          disabled={index === last}
          aria-label="step forward"
        >
          ▶
        </button>
      </div>
      <div class="track">
        <Chart steps={steps} changes={changes} />
        <span
          class="cursor"
          style={{
            left: `${100 * (index + 0.5) / steps.length}%`,
            width: `max(3px, ${100 / steps.length}%)`,
          }}
        />
        <input
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label="step"
          aria-valuetext={name}
          onInput={({ currentTarget }) => goTo(Number(currentTarget.value))}
          onClick={(event) => {
            const { left, width } = event.currentTarget.getBoundingClientRect();
            if (event.detail > 0) goTo(Math.floor((event.clientX - left) / width * steps.length));
          }}
        />
      </div>
    </div>
  );
}

/** Draws the score as an area, changes as bars, events as marks, and passes as lines. */
function Chart({ steps, changes }: Pick<StripProps, "steps" | "changes">): JSX.Element {
  return useMemo(() => {
    const most = Math.max(1e-9, ...steps.map(({ score, maxScore }) => Math.max(maxScore, score)));
    const least = Math.min(0, ...steps.map(({ score }) => score));
    const y = (score: number): number =>
      HEIGHT - 2 - (score - least) / (most - least) * (HEIGHT - 16);
    const area = steps.map(({ score }, at) => `L${at} ${y(score)}L${at + 1} ${y(score)}`).join("");
    const counts = new Map(
      [...Map.groupBy(changes, ({ pass, step }) => `${pass}.${step}`)].map((
        [place, mine],
      ) => [place, sizesOf(mine)]),
    );
    const busiest = Math.max(
      1,
      ...[...counts.values()].map(({ added, removed }) => added + removed),
    );
    return (
      <svg viewBox={`0 0 ${steps.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="score" d={`M0 ${HEIGHT}${area}L${steps.length} ${HEIGHT}Z`} />
        {steps.map(({ pass, step, events }, at) => {
          const { added, removed } = counts.get(`${pass}.${step}`) ?? { added: 0, removed: 0 };
          const tall = (n: number): number =>
            n / busiest * HEIGHT * 0.45;
          return (
            <g key={at}>
              <rect
                class="added"
                x={at + 0.2}
                width={0.6}
                y={HEIGHT - tall(added)}
                height={tall(added)}
              />
              <rect
                class="removed"
                x={at + 0.2}
                width={0.6}
                y={HEIGHT - tall(added + removed)}
                height={tall(removed)}
              />
              {events.length > 0 && (
                <rect class="event" x={at + 0.15} width={0.7} y={2} height={6} />
              )}
              {at > 0 && steps[at - 1]?.pass !== pass && (
                <rect class="pass" x={at - 0.06} width={0.12} y={0} height={HEIGHT} />
              )}
            </g>
          );
        })}
      </svg>
    );
  }, [steps, changes]);
}

/** How many triplets a step added and removed; one that it removed and added again has stayed. */
function sizesOf(
  changes: GraphView["changes"],
): { readonly added: number; readonly removed: number } {
  const [added, removed] = ["add", "remove"].map((wanted) =>
    new Set(changes.filter(({ op }) => op === wanted).map(({ triplet }) => triplet))
  );
  return {
    added: added?.difference(removed ?? added).size ?? 0,
    removed: removed?.difference(added ?? removed).size ?? 0,
  };
}
