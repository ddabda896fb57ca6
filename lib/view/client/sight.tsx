/**
 * What the world showed after a step: its text, its parts by name, and of BabyAI the cells that the agent sees.
 *
 * @module
 */

import type { JSX } from "preact";
import type { TurnRow } from "../../store/turns.ts";
import { Foreign, Named } from "./kit.tsx";

/** Shows a turn of a world. */
export function Sight({ world, turn }: { readonly world: string; readonly turn: TurnRow }): JSX.Element {
  const { observation, sections, frames } = turn;
  const cells = world === "babyai" ? cellsOf(observation) : undefined;
  // Some worlds put their parts into the text as well.
  const parts = Object.entries(sections).filter(([, text]) => text !== "" && !(text.length > 12 && observation.includes(text)));
  return (
    <>
      {cells ? <Cells cells={cells} /> : <Foreign text={observation} mono={world === "nethack"} />}
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

/** The rows of cells of BabyAI's text: `Empty; Red_Box; Wall` a row; `undefined` for any other text. */
function cellsOf(observation: string): string[][] | undefined {
  const rows = observation.trim().split("\n").map((row) => row.split(";").map((cell) => cell.trim()));
  return rows.length > 1 && rows.every(({ length }) => length > 1 && length === rows[0]?.length) ? rows : undefined;
}

const SIGNS: Readonly<Record<string, string>> = { door: "▯", key: "⚷", ball: "●", box: "■", agent: "▲", goal: "★" };

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
                <td key={x} class={words.filter((word) => LOOKS.includes(word)).join(" ")} title={words.join(" ")}>
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
