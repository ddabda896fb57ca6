/**
 * Compares a memory of a text game with the game's facts. A triplet is read as a claim: `chest, is
 * in, hall` and `chest, lies on, hall` place the chest alike, `a, is north of, b` and `b, is south
 * of, a` are one way. Other claims are not compared.
 */

import { z } from "zod";
import { COMPASS, type Compass, moveOf, opposite } from "../../core/graph/compass.ts";
import { normaliseEntity } from "../../core/graph/triplet.ts";
import { judgeClaims, type Judgement, type Row } from "./claims.ts";
import { readGrowing } from "./growing.ts";

/** The truth of a text game, as its world reports it. */
const textTruth = z.object({
  rooms: z.array(z.string()),
  exits: z.array(
    z.object({
      from: z.string(),
      direction: z.enum(COMPASS),
      to: z.string(),
      door: z.string().nullable(),
    }),
  ),
  location: z.string(),
  facts: z.array(z.array(z.string()).length(3)),
});

/**
 * The rooms, ways, things and states of a text game; rooms are named as its `location` names them.
 */
export interface TextTruth {
  /** Names of all rooms. */
  readonly rooms: readonly string[];
  /** Every way out of every room; `door` is null where there is none. */
  readonly exits: readonly {
    readonly from: string;
    readonly direction: Compass;
    readonly to: string;
    readonly door: string | null;
  }[];
  /** The room where the player is. */
  readonly location: string;
  /**
   * `[subject, relation, object]`: where things are, what unlocks what, states, and how rooms lie.
   */
  readonly facts: readonly (readonly string[])[];
}

/** One recorded truth with the places that the agent came through on its way there. */
export interface TruthAt {
  readonly truth: TextTruth;
  readonly places: readonly string[];
}

/**
 * Reads what `truth()` of a text game gives; `undefined` for any other value.
 *
 * @example
 * ```ts
 * import { asTextTruth } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const exits = [{ from: "Hall", direction: "north", to: "Attic", door: null }];
 * const truth = asTextTruth({ rooms: ["Attic", "Hall"], exits, location: "Hall", facts: [] });
 * assert.equal(truth?.exits[0]?.to, "Attic");
 * ```
 */
export function asTextTruth(truth: unknown): TextTruth | undefined {
  return textTruth.safeParse(truth).data;
}

type Claim =
  | { readonly kind: "at"; readonly thing: string; readonly holder: string }
  /** `b` lies to the north or the east of `a`. */
  | { readonly kind: "way"; readonly a: string; readonly direction: Compass; readonly b: string }
  | { readonly kind: "exit" | "key"; readonly thing: string; readonly word: string }
  | { readonly kind: "state"; readonly thing: string; readonly word: string }
  | { readonly kind: "door"; readonly thing: string; readonly word: string; readonly door: string };

/** States that a game has and shows; its other predicates, such as `cuttable`, are never said. */
const STATES = [
  "open",
  "closed",
  "locked",
  "raw",
  "fried",
  "grilled",
  "roasted",
  "burned",
  "uncut",
  "sliced",
  "diced",
  "chopped",
];
const PLACE =
  /^(?:(?:is|are|lies?|stands?|was put|located) )?(?:in|inside|on|at|on top of|located (?:in|on|at))$/;
const CARRIED = /^(?:is )?(?:carried|held) (?:in|by)$/;
const KEY = /^(?:unlocks|opens|fits(?: into)?|matches)$/;
const INVENTORY = "inventory";

function named(text: string): string {
  return normaliseEntity(text).replace(/^(?:the|an?) /, "");
}

/** Reads a triplet as a claim; `undefined` if the game has no facts of its kind. */
function claimOf([subject, relation, object]: Row): Claim | undefined {
  const [thing, other] = [named(subject), named(object)];
  const direction = (COMPASS as readonly string[]).includes(other) ? other as Compass : undefined;
  if (direction) {
    return /exit|door|passage|way/.test(relation)
      ? { kind: "exit", thing, word: direction }
      : undefined;
  }
  const move = moveOf(relation);
  if (move && /\bdoor\b/.test(relation)) return { kind: "door", thing, word: move, door: other };
  if (move) {
    return move === "north" || move === "east"
      ? { kind: "way", a: thing, direction: move, b: other }
      : { kind: "way", a: other, direction: opposite(move), b: thing };
  }
  if (CARRIED.test(relation) && /^(?:player|agent|you|inventory)$/.test(other)) {
    return { kind: "at", thing, holder: INVENTORY };
  }
  if (PLACE.test(relation)) {
    return other === "floor" ? undefined : { kind: "at", thing, holder: other };
  }
  if (relation === "is" && STATES.includes(other)) return { kind: "state", thing, word: other };
  return KEY.test(relation) ? { kind: "key", thing, word: other } : undefined;
}

function readClaim(row: Row): Claim | undefined {
  if (!readClaims.has(row)) readClaims.set(row, claimOf(row));
  return readClaims.get(row);
}

const readClaims = new WeakMap<Row, Claim | undefined>();

function keyOf(claim: Claim): string {
  return JSON.stringify(Object.values(claim));
}

interface Fact {
  readonly row: Row;
  readonly claim: Claim;
  readonly key: string;
}

/** Facts that were read; those of a step are needed again at each later one. */
const readFacts = new WeakMap<object, Fact[]>();

function rowsOf(truth: TextTruth): Fact[] {
  const facts = readFacts.get(truth.facts) ?? factsOf(truth);
  readFacts.set(truth.facts, facts);
  return facts;
}

function factsOf({ exits, facts }: TextTruth): Fact[] {
  const rows: Row[] = [
    ...exits.map(({ from, direction }): Row => [named(from), "has exit", direction]),
    ...exits.flatMap(({ from, direction, door }): Row[] =>
      door === null ? [] : [[named(from), `has door ${direction}`, named(door)]]
    ),
    ...facts.map(([subject = "", relation = "", object = ""]): Row => [
      named(subject),
      relation === "in" || relation === "on" ? `is ${relation}` : relation,
      named(object),
    ]),
  ];
  return rows.flatMap((row) => {
    const claim = claimOf(row);
    return claim ? [{ row, claim, key: keyOf(claim) }] : [];
  });
}

/** Keys of all facts so far, rooms that the agent was in and things that were in sight. */
interface Past {
  readonly keys: Set<string>;
  readonly rooms: Set<string>;
  readonly things: Set<string>;
}

const pastOf = readGrowing<TruthAt, Past>({
  create: () => ({ keys: new Set(), rooms: new Set(), things: new Set([INVENTORY]) }),
  takeIn,
  keyOf: ({ truth }) => truth, // of one turn, as its places are
});

function takeIn({ keys, rooms, things }: Past, { truth, places }: TruthAt): void {
  for (const place of [...places, truth.location]) rooms.add(named(place));
  for (const { key } of rowsOf(truth)) keys.add(key);
  const claims = rowsOf(truth).map(({ claim }) => claim);
  const shut = new Set(
    claims.flatMap((claim) =>
      claim.kind === "state" && /closed|locked/.test(claim.word) ? [claim.thing] : []
    ),
  );
  const holders = new Map(
    claims.flatMap((claim) => claim.kind === "at" ? [[claim.thing, claim.holder] as const] : []),
  );
  for (const thing of holders.keys()) {
    let holder = holders.get(thing);
    while (holder !== undefined && holders.has(holder) && !shut.has(holder)) {
      holder = holders.get(holder);
    }
    if (holder !== undefined && !shut.has(holder) && (holder === INVENTORY || rooms.has(holder))) {
      things.add(thing);
    }
  }
  for (const claim of claims) {
    if (claim.kind === "door" && rooms.has(claim.thing)) things.add(claim.door);
  }
}

/** Holds triplets against the facts of a game; the last of `truths` is the present one. */
export function judgeText(memory: readonly Row[], truths: readonly TruthAt[]): Judgement {
  const now = rowsOf((truths.at(-1) as TruthAt).truth);
  const claims = memory.map((row) => ({ row, claim: readClaim(row) }));
  const { keys: before, rooms, things } = pastOf(truths as readonly [TruthAt, ...TruthAt[]]);
  const isSeen = (claim: Claim): boolean => {
    if (claim.kind === "at") return things.has(claim.thing);
    if (claim.kind === "way") return rooms.has(claim.a) && rooms.has(claim.b);
    if (claim.kind === "state") return things.has(claim.thing);
    return claim.kind !== "key" && rooms.has(claim.thing); // what a key opens is told, not seen
  };
  return judgeClaims({
    memory: claims.map(({ row, claim }) => ({ row, key: claim && keyOf(claim) })),
    world: now.map(({ row, claim, key }) => ({ row, key, isSeen: isSeen(claim) })),
    before,
  });
}
