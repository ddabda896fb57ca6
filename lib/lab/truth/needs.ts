/** The facts that the next right action of a hunt needs: where the thing to reach next is. */

import { normaliseEntity } from "../../core/graph/triplet.ts";
import type { Judgement } from "./claims.ts";

/**
 * The facts that the next right action needs, each as names that one text must give together: a
 * thing and what it is in or on, up to its room. `undefined` where that action is in the present
 * room or is to explore, or the goal names nothing that can be found. It follows from the truth,
 * backwards from the thing in the goal: a locked container needs its key, and a key that is not
 * held is to be found first.
 */
export function neededFacts(
  goal: string,
  { rooms, location }: { readonly rooms: readonly string[]; readonly location: string },
  world: Judgement["world"],
): string[][] | undefined {
  const places = new Set(rooms.map(normaliseEntity));
  const holders = new Map<string, { readonly holder: string; readonly isSeen: boolean }>();
  const keys = new Map<string, string>();
  const shut = new Map<string, string>();
  for (const { row: [subject, relation, object], verdict } of world) {
    if (relation === "is in" || relation === "is on") {
      holders.set(subject, { holder: object, isSeen: verdict !== "unseen" });
    }
    if (relation === "unlocks") keys.set(object, subject);
    if (relation === "is" && (object === "locked" || object === "closed")) {
      shut.set(subject, object);
    }
  }
  const wanted = normaliseEntity(goal);
  const [thing] = [...holders.keys()].filter((name) => wanted.includes(name)).sort((a, b) =>
    b.length - a.length
  );
  const target = thing === undefined ? undefined : nextTarget(thing, { holders, keys, shut });
  if (target === undefined) return undefined;
  const chain = chainOf(target, holders);
  const room = chain.at(-1)?.holder;
  if (room === undefined || !places.has(room) || room === normaliseEntity(location)) {
    return undefined;
  }
  return chain.every(({ isSeen }) => isSeen)
    ? chain.map(({ thing, holder }) => [thing, holder])
    : undefined;
}

interface Situation {
  readonly holders: ReadonlyMap<string, { readonly holder: string; readonly isSeen: boolean }>;
  /** What is locked → its key. */
  readonly keys: ReadonlyMap<string, string>;
  /** What is closed or locked → which of them. */
  readonly shut: ReadonlyMap<string, string>;
}

/** The thing to reach next so that another can be taken; `undefined` if there is none. */
function nextTarget(
  thing: string,
  situation: Situation,
  tried: readonly string[] = [],
): string | undefined {
  const { holders, keys, shut } = situation;
  const chain = chainOf(thing, holders);
  if (tried.includes(thing) || chain.at(-1)?.holder === "inventory") return undefined;
  const barrier = chain.findLast(({ holder }) => shut.has(holder))?.holder;
  if (barrier === undefined) return thing;
  if (shut.get(barrier) === "closed") return barrier;
  const key = keys.get(barrier);
  if (key === undefined) return undefined;
  return chainOf(key, holders).at(-1)?.holder === "inventory"
    ? barrier
    : nextTarget(key, situation, [...tried, thing]);
}

function chainOf(
  from: string,
  holders: Situation["holders"],
): { readonly thing: string; readonly holder: string; readonly isSeen: boolean }[] {
  const chain: ReturnType<typeof chainOf> = [];
  for (let thing = from; holders.has(thing) && chain.length < holders.size;) {
    const { holder = "", isSeen = false } = holders.get(thing) ?? {};
    chain.push({ thing, holder, isSeen });
    thing = holder;
  }
  return chain;
}
