/** Any world, with what was done in it. */

import type { Environment } from "../../../lib/mod.ts";
import type { TinyWorld } from "./tiny-world.ts";

/** The world, the actions that it took without complaint, and whether it was closed. */
export function watched(world: Environment): TinyWorld {
  const taken: string[] = [];
  let closed = false;
  return {
    spec: world.spec,
    taken,
    closed: () => closed,
    reset: () => world.reset(),
    step: async (action) => {
      const turn = await world.step(action);
      taken.push(action);
      return turn;
    },
    validActions: () => world.validActions(),
    close: async () => {
      closed = true;
      await world.close();
    },
  };
}
