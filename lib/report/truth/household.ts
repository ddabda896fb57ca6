/** The truth of a household of ALFWorld in the form of a text game's: its receptacles are the places, and no ways lie between them. */

import { z } from "zod";
import type { RecordedTruth } from "./judge.ts";

/** What ALFWorld's world reports; `plan` are commands that solve the task from the start, none where nobody knows. */
const householdTruth = z.object({
  receptacles: z.array(z.string()),
  location: z.array(z.string()),
  facts: z.array(z.array(z.string()).length(3)),
  plan: z.array(z.string()),
});

/** Reads the truth of a household as a map of places and things; all are absent of any other value. */
export function householdForm(truth: unknown): Pick<RecordedTruth, "map" | "areas" | "game"> {
  const { data } = householdTruth.safeParse(truth);
  const game = data && { rooms: data.receptacles, exits: [], location: data.location[0] ?? "", facts: data.facts };
  return { map: undefined, areas: undefined, game };
}

/** The things that the plan of a household takes, in its order: `take soapbar 1 from shelf 2` takes soapbar 1. */
export function takenInPlan(truth: unknown): string[] {
  return householdTruth.safeParse(truth).data?.plan.flatMap((command) => command.match(/^take (.+) from /)?.[1] ?? []) ?? [];
}
