/**
 * How the stand-in answers the modules of the room graph: read back through the memory's
 * own parsers.
 */

import assert from "node:assert/strict";
import { createStandIn, type OfflineOptions } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";
import { parseExtracted, parseVote } from "../../../lib/core/memory/room-graph-replies.ts";
import type { Reading } from "../../../lib/core/text/reply-text.ts";

async function ask(
  module: string,
  sections: Record<string, string>,
  modelOptions: OfflineOptions & { vote?: number } = {},
): Promise<string> {
  const { vote = 0, ...rest } = modelOptions;
  const model = createStandIn({ responders: offlineResponders, modelOptions: rest });
  const content = renderSections(sections);
  return (await model.chat({
    role: `graphmind/${module}`,
    messages: [{ role: "user", content }],
    sample: { vote },
  })).choices[0].text;
}

function value<T>(read: Reading<T>): T {
  assert(read.kind === "ok", JSON.stringify(read));
  return read.value;
}

/** Seven rows; the given ones are the nearest, the agent's own the last. */
function view(facing: string, ...rows: readonly string[]): string {
  const far = Array.from({ length: 7 - rows.length }, () => Array(7).fill("Unseen").join("; "));
  return [...far, ...rows, `You are facing ${facing}.`].join("\n");
}

const ROOM = view(
  "east",
  "Wall; Wall; Wall; Wall; Red_Closed_Door; Wall; Wall",
  "Wall; Empty; Grey_Ball; Empty; Empty; Empty; Wall",
  "Wall; Empty; Empty; Empty; Empty; Empty; Blue_Locked_Door",
  "Wall; Empty; Empty; Agent; Empty; Grey_Ball; Wall",
);

Deno.test("extract: recall drops things, precision misnames them", async () => {
  const names = async (modelOptions: OfflineOptions): Promise<string[]> =>
    value(parseExtracted(await ask("extract", { Observation: ROOM }, modelOptions))).contents
      .entities.map(
        ({ name }) => name,
      );
  assert.deepEqual(await names({ recall: 0 }), []);
  const wrong = await names({ precision: 0 });
  assert.equal(wrong.length, 4);
  assert.notDeepEqual(new Set(wrong), new Set(await names({})));
});

const BEFORE = view(
  "north",
  "Wall; Wall; Wall; Red_Open_Door; Wall; Wall; Wall",
  "Wall; Empty; Empty; Agent; Empty; Empty; Wall",
);
const DOORWAY = view(
  "north",
  "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
  "Wall; Wall; Wall; Agent; Wall; Wall; Wall",
);
const BEYOND = view(
  "north",
  "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
  "Wall; Empty; Empty; Agent; Empty; Empty; Wall",
);

function trajectory(...parts: readonly string[]): Record<string, string> {
  const [first, ...rest] = parts;
  const steps = rest.map((part, index) =>
    index % 2 === 0 ? `Action ${index / 2 + 1}: ${part}` : `Observation ${(index + 1) / 2}\n${part}`
  );
  return { Trajectory: [`Observation 0\n${first}`, ...steps].join("\n\n") };
}

Deno.test("verify-transition: each vote errs for itself, as often as precision says", async () => {
  const sections = trajectory(BEFORE, "forward", DOORWAY, "forward", BEYOND);
  let right = 0;
  for (let vote = 0; vote < 200; vote++) {
    if (
      value(parseVote(await ask("verify-transition", sections, { precision: 0.8, vote }))).passed
    ) right += 1;
  }
  assert(right > 140 && right < 180, String(right));
});
