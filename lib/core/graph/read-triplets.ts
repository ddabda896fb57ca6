/** Reads triplets as models write them. */

import { z } from "zod";
import { isObject } from "../text/canonical.ts";
import { nameIn, soundName } from "../text/read-lists.ts";
import { mend } from "../text/reading-rules.ts";
import { leaveOut } from "../text/reply-text.ts";
import { distinctTriplets, normaliseTriplet, type Triplet } from "./triplet.ts";

/**
 * Parses `s, r, o; s, r, o; …` (or lines) into triplets in normal form, each once, in order. Parts
 * without exactly three fields, or with a placeholder, are left out and counted. List marks,
 * emphasis, labels, brackets and a JSON list are no part of a name (`RULES`).
 *
 * @example
 * ```ts
 * import { parseTriplets } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseTriplets("Key 1, is in, I; so be it; key 1, is in, inventory"), [
 *   { subject: "key 1", relation: "is in", object: "inventory" },
 * ]);
 * ```
 */
export function parseTriplets(answer: string): Triplet[] {
  const parts = mend("lines", answer).split("\n").flatMap((line) =>
    /^\W*(?:entities|names)\W*:/i.test(line) ? [] : mend("triplet", mend("entry", line)).split(";")
  );
  return distinctTriplets(parts.flatMap((part) => tripletIn(part) ?? []));
}

/** Leaves out what is told of the subjects of a prompt's examples where the text lacks them. */
export function withoutExamples(
  told: readonly Triplet[],
  subjects: readonly string[],
  text: string,
): Triplet[] {
  const words = ` ${text.toLowerCase().replaceAll(/[\W_]+/g, " ")}`;
  const kept = told.filter((triplet) => {
    const subject = triplet.subject.replace(/^(an?|the) /, "");
    return !subjects.includes(subject) || words.includes(` ${subject}`);
  });
  leaveOut(told.length - kept.length);
  return kept;
}

function tripletIn(part: string): Triplet | undefined {
  const bare = mend("entry", part).trim();
  if (bare === "") return undefined;
  const fields = bare.split(",").map(nameIn);
  const [subject = "", relation = "", object = ""] = fields;
  const triplet = fields.length === 3 && !/[<>{}|]|":|:$|,\s*(?:and|or) [^,]*$/.test(bare)
    ? normaliseTriplet({ subject, relation, object })
    : undefined;
  if (!triplet || isSample(triplet)) leaveOut();
  else return triplet;
}

/** Whether the names are those of the form, begin with a label, or are parts of a sentence. */
function isSample({ subject, relation, object }: Triplet): boolean {
  return subject === "subject" || object === "object" || relation === "relation" ||
    /^(?:\w+|from [\w ]+): |^(?:i have (?:left|omitted)\b|these are the |in this (?:room|place)\b)/
      .test(subject);
}

/**
 * The schema of a triplet in JSON, in normal form: an object with these fields, of which each must
 * be a name.
 *
 * @param fields names of the fields for subject, relation and object
 */
export function soundTriplet(
  fields: { readonly subject: string; readonly relation: string; readonly object: string },
): z.ZodType<Triplet> {
  const names = Object.fromEntries(Object.values(fields).map((field) => [field, soundName]));
  return z.object(names).transform((read, problems) =>
    normalised({
      subject: read[fields.subject],
      relation: read[fields.relation],
      object: read[fields.object],
    }, problems)
  );
}

/**
 * The schema of a triplet as a list of three names, in normal form; it may be a text with two
 * commas, or an object with the three as fields.
 */
export const soundTriple: z.ZodType<Triplet> = z.preprocess(
  (value) => {
    if (typeof value === "string") return mend("triplet", value).split(",");
    return isObject(value) ? ["subject", "relation", "object"].map((part) => value[part]) : value;
  },
  z.array(z.unknown()).length(3, "a triplet has three parts: subject, relation, object").pipe(
    z.tuple([soundName, soundName, soundName]),
  ),
).transform(([subject, relation, object], problems) =>
  normalised({ subject, relation, object }, problems)
);

function normalised(
  { subject = "", relation = "", object = "" }: Partial<Triplet>,
  problems: z.RefinementCtx,
): Triplet {
  const triplet = normaliseTriplet({ subject, relation, object });
  if (triplet && !isSample(triplet)) return triplet;
  problems.addIssue({ code: "custom", message: "a part is no name" });
  return z.NEVER;
}
