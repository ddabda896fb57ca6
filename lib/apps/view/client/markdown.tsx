/** The Markdown that the lab's own tables are written in: headings, pipe tables and paragraphs. */

import type { JSX } from "preact";
import { Table } from "./kit.tsx";

/** Shows a table's Markdown. */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="markdown">
      {text.trim().split(/\n{2,}/).map((block, index) => <Block key={index} text={block} />)}
    </div>
  );
}

function Block({ text }: { readonly text: string }): JSX.Element {
  if (text.startsWith("#")) return <h3>{text.replace(/^#+ */, "")}</h3>;
  if (!text.startsWith("|")) return <p>{text}</p>;
  const [head = [], align = [], ...rows] = text.split("\n").map(cells);
  const side = (column: number): "number" | undefined =>
    align[column]?.endsWith(":") ? "number" : undefined;
  return (
    <Table label="table" columns={head.map((cell, column) => [cell, side(column)])}>
      {rows.map((row, index) => (
        <tr key={index}>
          {row.map((cell, column) => <td key={column} class={side(column)}>{cell}</td>)}
        </tr>
      ))}
    </Table>
  );
}

/** The cells of a line; a bar after a backslash is text. */
function cells(line: string): string[] {
  return line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
