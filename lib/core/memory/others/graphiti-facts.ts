/** Graphiti's facts and communities as they are stored and shown. */

import { z } from "zod";
import type { BiTemporal } from "../../graph/bi-temporal.ts";
import type { Triplet } from "../../graph/triplet.ts";

const part = z.string().min(1);

const factSchema = z.strictObject({
  subject: part,
  relation: part,
  object: part,
  text: part,
  validAt: z.number(),
  invalidAt: z.number().exactOptional(),
  createdAt: z.number(),
  expiredAt: z.number().exactOptional(),
});

export type TimedFact =
  & BiTemporal
  & Readonly<Pick<z.output<typeof factSchema>, "subject" | "relation" | "object" | "text">>;

export const communitySchema = z.strictObject({ members: z.array(part), summary: part });

export const bodySchema = z.strictObject({
  graph: z.unknown(),
  facts: z.array(factSchema),
  labels: z.array(z.tuple([part, z.int()])),
  communities: z.array(communitySchema),
});

export function bare({ subject, relation, object }: Triplet): Triplet {
  return { subject, relation, object };
}

/** `The gate is open. (since step 2)`; times count the steps of all episodes of the chain. */
export function formatFact({ text, validAt, invalidAt }: TimedFact): string {
  return `${text} (${
    invalidAt === undefined ? `since step ${validAt}` : `steps ${validAt} to ${invalidAt}`
  })`;
}
