/**
 * A whole world of three rooms in a row, for the loop's own logic: hall – kitchen (north) – attic
 * (north, behind a door).
 */

import { type Environment, type Turn, WorldError, type Worlds } from "../../../lib/mod.ts";

/** A world, the actions that reached it, and whether it was closed. */
export interface TinyWorld extends Environment {
  readonly taken: readonly string[];
  readonly closed: () => boolean;
}

/**
 * Waiting in the attic wins. `text` worlds offer no list of actions, others all that they take, or
 * what `lists` says; after `shutAfter` actions the doors to the north are shut.
 */
export function tinyWorld(
  options: { stepLimit?: number; text?: boolean; shutAfter?: number; lists?: readonly string[] } =
    {},
): TinyWorld {
  const { stepLimit = 20, text = false, shutAfter = Infinity, lists } = options;
  const rooms = ["Hall", "Kitchen", "Attic"];
  const taken: string[] = [];
  let at = 0;
  let closed = false;
  let end: Turn["end"];

  function turn(said = ""): Turn {
    const exits = [...(at < 2 ? ["north"] : []), ...(at > 0 ? ["south"] : [])].map((way) =>
      `There is an exit to the ${way}.`
    );
    return {
      goal: "Wait in the attic",
      observation: said || `-= ${rooms[at]} =-\n${exits.join(" ")}`,
      sections: { location: rooms[at] ?? "", inventory: "You are carrying nothing." },
      frames: [],
      score: end === "won" ? 1 : 0,
      maxScore: 1,
      ...(end ? { end } : {}),
    };
  }

  function move(by: number): Turn {
    if (by > 0 && taken.length > shutAfter) return turn("The door is shut.");
    at = Math.min(2, Math.max(0, at + by));
    return turn();
  }

  return {
    spec: {
      id: "test/tiny",
      version: "1",
      parameters: { stepLimit },
      sections: ["location", "inventory"],
      actions: [],
      fallback: "look",
      identity: "tiny",
    },
    taken,
    closed: () => closed,
    reset: () => Promise.resolve(turn()),
    step: (action) => {
      if (end) return Promise.reject(new WorldError("ended", "the episode has ended"));
      if (!/^(go (north|south)|look|wait)$/.test(action)) {
        return Promise.reject(new WorldError("bad-action", `cannot ${action}`));
      }
      taken.push(action);
      if (action === "wait" && at === 2) end = "won";
      else if (taken.length >= stepLimit) end = "limit";
      return Promise.resolve(
        action.startsWith("go") ? move(action === "go north" ? 1 : -1) : turn(),
      );
    },
    validActions: () =>
      Promise.resolve(
        text ? undefined : lists ??
          [...(at < 2 ? ["go north"] : []), ...(at > 0 ? ["go south"] : []), "look", "wait"],
      ),
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

/** Tiny worlds of four steps. */
export const tinyWorlds: Worlds = {
  list: () => Promise.resolve([]),
  open: () => Promise.resolve({ ...tinyWorld({ stepLimit: 4 }), truth: () => Promise.resolve({}) }),
  close: () => Promise.resolve(),
};
