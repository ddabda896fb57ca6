/**
 * The reply of every role that extracts triplets.
 *
 * @module
 */

import type { OfflinePrompt } from "../backbone.ts";
import { type Fact, formatFact } from "../reading/facts.ts";

/** Facts as triplets parted by semicolons; the knobs drop some of them (recall) and give some a wrong object (precision). */
export function extractionReply(facts: readonly Fact[], { knobs, draw }: OfflinePrompt): string {
  const objects = facts.map((fact) => fact.object);
  const found = facts.filter(() => draw.next() < knobs.recall).map((fact) => {
    const others = objects.filter((object) => object !== fact.object && object !== fact.subject);
    return draw.next() < knobs.precision || others.length === 0 ? fact : { ...fact, object: draw.pick(others) };
  });
  return found.map(formatFact).join("; ") || "[]";
}
