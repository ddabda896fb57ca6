/** Winning walks of the paper's seven games, from the makers of the games. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { checkoutRoot } from "../../../lib/core/platform.ts";

/** The paper's seven games, with the options that leave room for the longest walk. */
export const GAMES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "textworld/hunt": {},
  "textworld/hunt-hard": {},
  "textworld/hunt-hardest": {},
  "textworld/cleaning": {},
  "textworld/cooking": { stepLimit: 200 },
  "textworld/cooking-hard": { stepLimit: 200 },
  "textworld/cooking-hardest": { stepLimit: 200 },
};

/** Id → actions that win it, one step each. */
export function walkthroughs(): Record<string, string[]> {
  const envs = join(checkoutRoot(), "envs");
  const python = join(envs, ".venv", "bin", "python");
  return JSON.parse(
    execFileSync(python, ["-c", PROGRAM], { cwd: envs, encoding: "utf8", maxBuffer: 1 << 24 }),
  );
}

const PROGRAM = `
import json, os
os.environ["LABYRINTH_HOME"] = os.path.dirname(os.getcwd())
from labyrinth_envs.textworld import cleaning, cooking, worlds
from tests.textworld.walk import hunt_walk, tidy_walk

def truth(world):
    game = world(world.Parameters())
    game.reset()
    return game.truth()

walks = {world.id: hunt_walk(truth(world)) for world in (worlds.Hunt, worlds.HuntHard, worlds.HuntHardest)}
homes = {thing: cleaning.HOMES[thing] for thing in cleaning.PAPER_MESS}
walks[worlds.Cleaning.id] = tidy_walk(truth(worlds.Cleaning), homes)
for world in (worlds.Cooking, worlds.CookingHard, worlds.CookingHardest):
    walks[world.id] = cooking.make(world.id.removeprefix("textworld/"), 0)["metadata"]["walkthrough"]
print(json.dumps(walks))
`;
