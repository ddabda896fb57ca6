/** What the world showed after a step: its text and sections, BabyAI's grid, NetHack's screen. */

import type { JSX } from "preact";
import type { BabyAiTruth } from "../../../core/graph/babyai-truth.ts";
import type { TurnRow } from "../../../lab/store/turns.ts";
import type { StepView } from "../record.ts";
import { Foreign, Named } from "./kit.tsx";

/** The text of a world, whose runs of empty lines are one. */
export function told(text: string): string {
  return text.trimEnd().replaceAll(/\n(?:[ \t]*\n){2,}/g, "\n\n");
}

export function Sight({ world, turn, itself }: {
  readonly world: string;
  readonly turn: TurnRow;
  /** The world itself after the step, where it may be shown. */
  readonly itself?: StepView["world"];
}): JSX.Element {
  const { observation, frames } = turn;
  const cells = world.split("/")[0] === "babyai" ? cellsOf(observation) : undefined;
  // Some worlds put their parts into the text as well.
  const parts = Object.entries(turn.sections ?? {}).filter(([, text]) =>
    text !== "" && !(text.length > 12 && observation.includes(text))
  );
  return (
    <>
      {itself && !("grid" in itself) && (
        <pre class="screen" tabIndex={0} aria-label="the screen">{itself.join("\n")}</pre>
      )}
      <div class="sights">
        {cells
          ? <Cells cells={cells} />
          : (world === "nethack"
            ? <Foreign text={observation} mono />
            : <Foreign text={told(observation)} />)}
        {itself && "grid" in itself && <Grid truth={itself} reach={cells?.length ?? 0} />}
      </div>
      {parts.length > 0 && (
        <dl class="parts">
          {parts.map(([name, text]) => (
            <Named key={name} name={name}>
              <Foreign text={text} />
            </Named>
          ))}
        </dl>
      )}
      {frames.length > 1 && (
        <details>
          <summary>{frames.length} primitive steps</summary>
          {frames.map((frame, at) => (
            <div key={at} class="frame">
              <h4 dir="auto">{frame.action}</h4>
              <Foreign text={frame.observation} />
            </div>
          ))}
        </details>
      )}
    </>
  );
}

/** The cells of BabyAI's text, e.g. `Empty; Red_Box; Wall`, if it is one. */
function cellsOf(observation: string): string[][] | undefined {
  const rows = observation.trim().split("\n").map((row) =>
    row.split(";").map((cell) => cell.trim())
  );
  return rows.length > 1 && rows.every(({ length }) => length > 1 && length === rows[0]?.length)
    ? rows
    : undefined;
}

const SIGNS: Readonly<Record<string, string>> = {
  door: "▯",
  key: "⚷",
  ball: "●",
  box: "■",
  agent: "▲",
  goal: "★",
};

/** The words of a cell that the style sheet knows; no other word of a world becomes a class. */
const LOOKS = ["unseen", "wall", "agent", "red", "green", "blue", "purple", "yellow", "grey"];

/** The cells that the agent sees; the agent stands at the bottom and looks up. */
function Cells({ cells }: { readonly cells: readonly (readonly string[])[] }): JSX.Element {
  return (
    <table class="cells" aria-label="what the agent sees; it looks up">
      <tbody>
        {cells.map((row, y) => (
          <tr key={y}>
            {row.map((cell, x) => {
              const words = cell.toLowerCase().split(/[\s_]+/);
              const kind = words.find((word) => Object.hasOwn(SIGNS, word));
              const isLocked = kind === "door" && words.includes("locked");
              return (
                <td
                  key={x}
                  class={words.filter((word) => LOOKS.includes(word)).join(" ")}
                  title={words.join(" ")}
                >
                  <span aria-hidden="true">{isLocked ? "▮" : SIGNS[kind ?? ""] ?? ""}</span>
                  <span class="hidden">{words.join(" ")}</span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * The whole grid: entered rooms are light, unseen things faint; a line follows the primitive
 * steps, a frame is around the visible cells.
 */
function Grid({ truth: { grid, rooms, doors, objects, agent, trace }, reach }: {
  readonly truth: BabyAiTruth;
  readonly reach: number;
}): JSX.Element {
  const look = (colour: string, seen: boolean): string =>
    `${LOOKS.includes(colour) ? colour : ""}${seen ? "" : " faint"}`;
  const sign = (
    x: number,
    y: number,
    text: string,
    colour: string,
    seen: boolean,
    title: string,
  ): JSX.Element => (
    <text key={`${x} ${y} ${title}`} x={x + 0.5} y={y + 0.78} class={look(colour, seen)}>
      <title>{title}</title>
      {text}
    </text>
  );
  const facing = ["east", "south", "west", "north"].indexOf(agent.direction);
  return (
    <svg
      class="grid"
      viewBox={`0 0 ${grid.side} ${grid.side}`}
      role="img"
      aria-label={`the whole grid; the agent at ${agent.x}, ${agent.y}`}
    >
      <rect class="wall" width={grid.side} height={grid.side} />
      {rooms.map(({ visited, areas = [] }) =>
        areas.map(([x, y, width, height]) => (
          <rect
            key={`${x} ${y}`}
            class={visited ? "room visited" : "room"}
            x={x}
            y={y}
            width={width}
            height={height}
          />
        ))
      )}
      {doors.map(({ x, y }) => (
        <rect key={`${x} ${y}`} class="room visited" x={x} y={y} width={1} height={1} />
      ))}
      <polyline class="trace" points={trace.map(([x, y]) => `${x + 0.5},${y + 0.5}`).join(" ")} />
      {doors.map(({ x, y, colour, state, seen }) =>
        sign(x, y, state === "open" ? "▯" : "▮", colour, seen, `${colour} ${state} door`)
      )}
      {objects.map(({ x, y, colour, type, seen }) =>
        x !== null && y !== null
          ? sign(x, y, SIGNS[type] ?? "?", colour, seen, `${colour} ${type}`)
          : null
      )}
      <g transform={`translate(${agent.x + 0.5} ${agent.y + 0.5}) rotate(${90 * facing})`}>
        <rect class="reach" x={-0.5} y={-reach / 2} width={reach} height={reach} />
        <path class="agent" d="M.4 0L-.3-.35L-.3.35Z" />
      </g>
    </svg>
  );
}
