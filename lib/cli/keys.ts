/**
 * `./lab keys DIR`: the keys without which a world server listens to its own machine alone.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { serverCommand } from "../env/server.ts";
import { UsageError } from "../errors.ts";
import { readOptions } from "./options.ts";

/** Writes the keys of a server and one client into a folder, and says which file goes where. */
export function main(args: readonly string[]): Promise<number> {
  return Promise.try(() => {
    const [folder = ""] = readOptions(args, "./lab keys DIR", {}, { min: 1, max: 1 }).positionals;
    const { status, stdout, stderr } = spawnSync(serverCommand(), ["-m", "labyrinth_envs", "keys", "--", folder], { encoding: "utf8" });
    if (status !== 0) throw new UsageError(stderr.trim().replace(/^labyrinth_envs: /, "") || `cannot write keys to ${folder}`);
    process.stdout.write(stdout);
    process.stdout.write(`server: ./lab serve --bind tcp://ADDRESS:PORT --keys ${folder}\n`);
    process.stdout.write(
      "client: copy client.key_secret into a folder there, and set LAB_WORLDS=tcp://ADDRESS:PORT LAB_WORLDS_KEYS=<that folder>\n",
    );
    return 0;
  });
}
