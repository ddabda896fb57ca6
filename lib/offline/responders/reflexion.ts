/**
 * Answers Reflexion: notes after a failed trial what will be the same in the next one.
 *
 * @module
 */

import type { Responder } from "../backbone.ts";
import { Belief, readScenes } from "../reading/belief.ts";
import { writeNotes } from "../reading/notes.ts";
import { readTriplets } from "../reading/descriptions.ts";
import { Locations } from "../reading/locations.ts";

/** `reflexion/reflect`. */
export const reflexionResponders: readonly Responder[] = [
  {
    role: "reflexion/reflect",
    answer: ({ sections }) => lesson(sections["Record of the trial"] ?? "", sections["Lessons from earlier trials"] ?? ""),
  },
];

/** Number of lines of each paragraph, at most. */
const MOST_LINES = 40;

/** How places lie, what is needed, and where things were first seen, before the agent moved them. */
function lesson(record: string, earlier: string): string {
  const belief = new Belief();
  const first = new Map<string, string>();
  function keepFirst(): void {
    for (const [thing, place] of belief.places) if (place !== "inventory" && !first.has(thing)) first.set(thing, place);
  }
  for (const fact of readTriplets(earlier)) belief.learn(fact);
  keepFirst();
  for (const scene of readScenes(record)) {
    belief.watch([scene]);
    keepFirst();
  }
  belief.states.clear(); // the next trial starts with other states
  return writeNotes(belief, { most: MOST_LINES, places: first }) || whereThingsWere(record) ||
    "Nothing was learnt: look for places that have not been seen.";
}

/** Where each thing of a household was first seen. */
function whereThingsWere(record: string): string {
  const at = new Locations();
  const first = new Map<string, string>();
  for (const { text, action } of readScenes(record)) {
    const result = text.replace(/^\s*game step #\d+\s*/i, "").replace(/^action that led to this observation:.*$/gim, "").trim();
    at.watch(
      action === undefined ? { opening: result, steps: [], thoughts: [] } : { opening: "", steps: [{ action, result }], thoughts: [] },
    );
    for (const [thing, place] of at.places) if (!first.has(thing) && !at.delivered.has(thing)) first.set(thing, place);
  }
  return [...first].map(([thing, place]) => `${thing}, is in, ${place}`).slice(-MOST_LINES).join("\n");
}
