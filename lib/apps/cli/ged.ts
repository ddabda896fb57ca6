/**
 * `./lab ged <a.json> <b.json> [--limit <n>] [--seconds <s>] [--json]`: exact graph edit distance
 * of two graph files, and the edits.
 */

import { readFileSync } from "node:fs";
import { UsageError } from "../../core/errors.ts";
import {
  type EditDistanceOptions,
  type GraphEditDistance,
  graphEditDistance,
} from "../../core/graph/edit-distance.ts";
import type { GraphEdit } from "../../core/graph/edit-script.ts";
import { parseRoomObjectGraph, type RoomObjectGraph } from "../../core/graph/room-object-graph.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { printResult } from "./options.ts";

/** Measures the two files: for people, or as one JSON value `{lower, upper, exact, edits}`. */
export const main = command({
  name: "ged",
  words: {
    "<a.json>": { description: "a graph of rooms and objects" },
    "<b.json>": { description: "the one to hold it against" },
  },
  options: {
    limit: {
      value: "N",
      description: "give up the proof after so many partial maps",
      read: readLimit,
    },
    seconds: {
      value: "S",
      description: "give up the proof after so many seconds",
      read: readSeconds,
    },
    ...JSON_OPTION,
  },
}, (values, words) => {
  const [a, b] = words.map(readGraph) as [RoomObjectGraph, RoomObjectGraph];
  const { matches: _matches, ...result } = measure(a, b, {
    nodeLimit: values.limit,
    seconds: values.seconds,
  });
  printResult(result, values.json, describe);
  return 0;
});

function measure(
  a: RoomObjectGraph,
  b: RoomObjectGraph,
  limit: EditDistanceOptions,
): GraphEditDistance {
  try {
    return graphEditDistance(a, b, limit);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message); // too large
    throw error;
  }
}

function readLimit(option: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new UsageError(`${option} "${text}" is not a whole number ≥ 1 of partial maps`);
  }
  return Number(text);
}

function readSeconds(option: string, text: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(text) || Number(text) === 0) {
    throw new UsageError(`${option} "${text}" is not a number > 0 of seconds`);
  }
  return Number(text);
}

function readGraph(file: string): RoomObjectGraph {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message.split(",")[0]}`);
  }
  try {
    return parseRoomObjectGraph(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof SyntaxError
      ? `it is not JSON (${error.message})`
      : (error as Error).message;
    throw new UsageError(
      `cannot read ${file}: ${problem}; wanted {"nodes": [{"id", "kind", "label"}], "edges": [{"a", "b", "label"}]}`,
    );
  }
}

function describe({ lower, upper, exact, edits }: Omit<GraphEditDistance, "matches">): string {
  const distance = exact
    ? `${upper} (exact)`
    : `between ${lower} and ${upper} (not proved; a higher --limit or more --seconds may)`;
  return [
    `graph edit distance: ${distance}`,
    ...edits.map((edit) => `  ${visible(inWords(edit))}`),
    "",
  ].join("\n");
}

/**
 * Ids and labels are anybody's: a line break in one would look like an edit, an escape would steer
 * the terminal.
 */
function visible(line: string): string {
  return line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.codePointAt(0)?.toString(16).padStart(4, "0")}`,
  );
}

function inWords(edit: GraphEdit): string {
  switch (edit.op) {
    case "delete-node":
    case "insert-node":
      return `${edit.op}   ${edit.id} (${edit.kind}, ${edit.label})`;
    case "relabel-node":
      return `${edit.op}  ${edit.id}: ${edit.from} → ${edit.to}`;
    case "delete-edge":
    case "insert-edge":
      return `${edit.op}   ${edit.a} – ${edit.b} (${edit.label})`;
    case "relabel-edge":
      return `${edit.op}  ${edit.a} – ${edit.b}: ${edit.from} → ${edit.to}`;
  }
}
