/** How the replies to AriGraph's prompts are read (arXiv 2407.04363, App. E). */

import { z } from "zod";
import { parseTriplets, withoutExamples } from "../graph/read-triplets.ts";
import { parseTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import { parseJson, type Schema } from "../text/json.ts";
import { keepSound, soundName } from "../text/read-lists.ts";
import { mend } from "../text/reading-rules.ts";
import { EXAMPLE_FACTS } from "./arigraph.prompts.ts";
import {
  completeEntries,
  completeSentences,
  eitherOf,
  leaveOut,
  reader,
  refined,
  type ReplyParser,
} from "../text/reply-text.ts";

/**
 * Reads `s, r, o; s, r, o; …`, or `none`. Parts of another form are ignored. A reply without any
 * triplet is malformed.
 */
export const parseExtract: ReplyParser<Triplet[]> = reader((answer) => {
  if (/^\W*(none|no triplets)?\W*$/i.test(answer) && answer !== "") {
    return { kind: "ok", value: [] };
  }
  const triplets = parseTriplets(answer);
  if (triplets.length === 0) {
    return {
      kind: "malformed",
      problem: 'there is no triplet of the form "subject, relation, object" in it',
    };
  }
  return { kind: "ok", value: triplets };
}, { completed: completeEntries });

const EXAMPLES = ["subject", "tarn", "alda merrow"].concat(
  parseTriplets(EXAMPLE_FACTS).map(({ subject }) => subject),
);

/** The same without examples of the prompts that a text lacks. */
export function parseExtractOf(text: string): ReplyParser<Triplet[]> {
  return refined(
    parseExtract,
    (told) => ({ kind: "ok", value: withoutExamples(told, EXAMPLES, text) }),
  );
}

/** A reply about stale triplets. */
export interface StaleAnswer {
  /** The existing triplet of each pair, in normal form, in the order of the reply. */
  readonly stale: readonly Triplet[];
  /**
   * Number of unreadable pairs: those with several arrows, or whose existing triplet does not have
   * three fields.
   */
  readonly ignored: number;
}

/**
 * Reads `[[old -> new], …]` or `[]`. A line break ends a pair, unless it is inside the pair's
 * brackets. Each side may have brackets, too.
 */
export const parseOutdate: ReplyParser<StaleAnswer> = reader((reply) => {
  const text = reply.replaceAll(/\]?[ \t]*(?:-+>|=>|→)[ \t]*\[?/g, " -> ");
  const joined = text.replaceAll(
    /\[[^[\]]*\]/g,
    (pair) => pair.split("->").length === 2 ? pair.replaceAll("\n", " ") : pair,
  );
  const pairs = joined.split(/[[\]\n]/).filter((part) => part.includes("->"));
  const stale = pairs.map((pair) => {
    const [old, fresh, ...rest] = pair.split("->");
    return old === undefined || fresh === undefined || rest.length > 0
      ? undefined
      : parseTriplet(mend("entry", old));
  });
  const read = stale.filter((triplet) => triplet !== undefined);
  if (read.length === 0) {
    if (/\[[\s[\]]*\]|^\W*(none|nothing)\W*$/i.test(text)) {
      return { kind: "ok", value: { stale: [], ignored: 0 } };
    }
    return { kind: "malformed", problem: "there is no [existing triplet -> new triplet] in it" };
  }
  return { kind: "ok", value: { stale: read, ignored: stale.length - read.length } };
}, { completed: completePairs });

/**
 * Reads a reply about these triplets. Without any arrow, each existing triplet must be followed by
 * the new one with the same subject or object that replaces it.
 *
 * @example
 * ```ts
 * import { parseOutdateOf } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const existing = [{ subject: "coin", relation: "is in", object: "urn" }];
 * const fresh = [{ subject: "coin", relation: "is in", object: "inventory" }];
 * const read = parseOutdateOf({ existing, fresh })("[[coin, is in, urn -> coin, is in, inventory]]");
 * assert.deepEqual(read, { kind: "ok", value: { stale: existing, ignored: 0 } });
 * ```
 */
export function parseOutdateOf(
  { existing, fresh }: {
    readonly existing: readonly Triplet[];
    readonly fresh: readonly Triplet[];
  },
): ReplyParser<StaleAnswer> {
  const [isKnown, isNew] = [existing, fresh].map((triplets) => {
    const keys = new Set(triplets.map(tripletKey));
    return (triplet: Triplet): boolean => keys.has(tripletKey(triplet));
  }) as [(triplet: Triplet) => boolean, (triplet: Triplet) => boolean];
  return eitherOf(
    parseOutdate,
    reader((text) => {
      const listed = text.includes("->")
        ? []
        : text.split(/[[\]\n;]/).flatMap((part) => parseTriplet(mend("entry", part)) ?? []);
      const stale = listed.filter((_, at) => at % 2 === 0);
      const isPaired = stale.length > 0 && listed.length % 2 === 0 && stale.every((old, at) => {
        const next = listed[2 * at + 1] as Triplet;
        const isAlike = old.subject === next.subject || old.object === next.object ||
          old.subject === next.object ||
          old.object === next.subject;
        return isAlike && isKnown(old) && !isNew(old) && isNew(next);
      });
      return isPaired
        ? { kind: "ok", value: { stale, ignored: 0 } }
        : { kind: "malformed", problem: "no arrow is in it" };
    }, { completed: completePairs }),
  );
}

function completePairs(text: string): string {
  return text.slice(0, text.lastIndexOf("]") + 1);
}

/**
 * Largest number of names that are searched for: each costs up to w·(2w + 1) comparisons with the
 * graph.
 */
const MAX_ENTITIES = 40;

const LISTED_ENTITIES = { names: 12, characters: 60 } as const;

/**
 * The form of a reply that names what to look up. It is a list, since an object with any names has
 * no form that could be enforced.
 *
 * @example
 * ```ts
 * import { entitiesForm } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.ok(entitiesForm(2).safeParse({ entities: [{ name: "brass lever", importance: 2 }] }).success);
 * ```
 */
export function entitiesForm(deepest: number): Schema<unknown> {
  const name = z.string().max(LISTED_ENTITIES.characters);
  const importance = z.int().min(1).max(deepest);
  return z.object({ entities: z.array(z.object({ name, importance })).max(LISTED_ENTITIES.names) });
}

const listedEntity = z.union([
  ...["name", "entity"].map((field) =>
    z.object({ [field]: soundName, importance: z.unknown() }).transform((one): Named => [
      one[field] as string,
      one["importance"],
    ])
  ),
  soundName.transform((name): Named => {
    const [, bare = name, importance = 1] = /^(.*\S)\s*[:(]\s*(\d)\)?$/.exec(name) ?? [];
    return [bare, importance];
  }),
]);

type Named = readonly [name: string, importance: unknown];

const listOfEntities = keepSound(listedEntity);

const readEntities = parseJson(z.union([
  z.object({ entities: listOfEntities }).transform(({ entities }) => entities),
  z.strictObject({ name: soundName, importance: z.union([z.number(), z.string()]) }).transform((
    one,
  ): Named[] => [[one.name, one.importance]]),
  listOfEntities,
  z.record(z.string(), z.unknown()).transform((object): Named[] =>
    Object.entries(object).filter(([name]) => name !== "importance")
  ),
]));

/**
 * Reads entity → importance, as an object or as a list. Names are lower-cased, numbers rounded up
 * and clamped to 1 … `deepest`. Entries without a name or a number are left out and counted.
 *
 * @example
 * ```ts
 * import { parseEntities } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const read = parseEntities(2)('{"Cellar": 1, "brass lever": 7}');
 * assert.ok(read.kind === "ok");
 * assert.deepEqual([...read.value], [["cellar", 1], ["brass lever", 2]]);
 * ```
 */
export function parseEntities(deepest: number): ReplyParser<Map<string, number>> {
  return refined(readEntities, (listed) => {
    const entities = new Map<string, number>();
    for (const [name, importance] of listed) {
      const entity = mend("name", mend("entry", name)).trim().toLowerCase();
      const number = typeof importance === "string" && importance.trim() !== ""
        ? Number(importance)
        : importance;
      const isRead = entity !== "" && typeof number === "number" && Number.isFinite(number) &&
        entities.size < MAX_ENTITIES;
      if (isRead) entities.set(entity, Math.min(Math.max(Math.ceil(number), 1), deepest));
      else leaveOut();
    }
    if (entities.size === 0 && listed.length > 0) {
      return { kind: "malformed", problem: `no importance in it is a number from 1 to ${deepest}` };
    }
    return { kind: "ok", value: entities };
  });
}

/** Reads True or False. A reply with both or neither is malformed. */
export const parseExplore: ReplyParser<boolean> = reader((text) => {
  const [yes, no] = [/\btrue\b/i.test(text), /\bfalse\b/i.test(text)];
  if (yes === no) return { kind: "malformed", problem: "it is neither True nor False" };
  return { kind: "ok", value: yes };
}, { completed: completeSentences });
