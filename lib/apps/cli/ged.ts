/** `./lab ged`: exact graph edit distance of two graph files, and the edits. */

import { readFileSync } from "node:fs";
import { UsageError } from "../../core/errors.ts";
import { type GraphEditDistance, graphEditDistance } from "../../core/graph/edit-distance.ts";
import type { GraphEdit } from "../../core/graph/edit-script.ts";
import { parseRoomObjectGraph, type RoomObjectGraph } from "../../core/graph/room-object-graph.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { printResult } from "./options.ts";
import { positive, wholeAbove0 } from "./run-options.ts";

export const main = command({
  name: "ged",
  words: {
    "<a.json>": { description: "graph of rooms and objects" },
    "<b.json>": { description: "graph to compare it with" },
  },
  options: {
    limit: {
      value: "N",
      description: "stop the search after N partial matches (default: no limit)",
      read: wholeAbove0,
    },
    seconds: {
      value: "S",
      description: "stop the search after S seconds (default: no limit)",
      read: positive,
    },
    ...JSON_OPTION,
  },
  notes: ["Example: ./lab ged built.json true.json --seconds 10"],
}, ({ limit: nodeLimit, seconds, json }, words) => {
  const [a, b] = words.map(readGraph) as [RoomObjectGraph, RoomObjectGraph];
  try {
    const { matches: _, ...result } = graphEditDistance(a, b, { nodeLimit, seconds });
    printResult(result, json, describe);
    return 0;
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error; // too large
  }
});

function readGraph(file: string): RoomObjectGraph {
  try {
    return parseRoomObjectGraph(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const { message } = error as Error;
    const problem = error instanceof SyntaxError ? `invalid JSON (${message})` : message;
    throw new UsageError(
      `cannot read ${file}: ${problem}; wanted {"nodes": [{"id", "kind", "label"}], "edges": [{"a", "b", "label"}]}`,
    );
  }
}

function describe({ lower, upper, exact, edits }: Omit<GraphEditDistance, "matches">): string {
  const distance = exact
    ? `${upper} (exact)`
    : `between ${lower} and ${upper} (not proved; try a higher --limit or more --seconds)`;
  return `graph edit distance: ${distance}\n${
    edits.map((edit) => `  ${inWords(edit)}\n`).join("")
  }`;
}

/** An edit in words; ids and labels may hold control characters, which are escaped. */
function inWords(edit: GraphEdit): string {
  const what = "id" in edit ? edit.id : `${edit.a} – ${edit.b}`;
  const line = "from" in edit
    ? `${edit.op}  ${what}: ${edit.from} → ${edit.to}`
    : `${edit.op}   ${what} (${"kind" in edit ? `${edit.kind}, ` : ""}${edit.label})`;
  return line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.codePointAt(0)?.toString(16).padStart(4, "0")}`,
  );
}
