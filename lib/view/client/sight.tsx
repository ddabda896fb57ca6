/**
 * What the world showed after a step: its text, its parts by name, and of BabyAI the cells that the agent sees.
 *
 * @module
 */

import type { JSX } from "preact";
import type { TurnRow } from "../../store/turns.ts";
import { Foreign } from "./kit.tsx";

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
            <div key={name}>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd>
                <Foreign text={text} />
              </dd>
            </div>
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

/** The cells that the agent sees, itself below and looking up. */
function Cells({ cells }: { readonly cells: readonly (readonly string[])[] }): JSX.Element {
  return (
    <table class="cells" aria-label="what the agent sees; it looks up">
      <tbody>
        {cells.map((row, y) => (
          <tr key={y}>
            {row.map((cell, x) => {
              const words = cell.toLowerCase().split(/[\s_]+/);
              const kind = words.find((word) => Object.hasOwn(SIGNS, word));
              const state = words.find((word) => ["open", "closed", "locked"].includes(word)) ?? "";
              return (
                <td key={x} class={`${kind ?? words[0]} ${words[0]} ${state}`} title={words.join(" ")}>
                  <span aria-hidden="true">{kind === "door" && state === "locked" ? "▮" : SIGNS[kind ?? ""] ?? ""}</span>
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
