/**
 * `./lab keys DIR`: the keys without which a world server listens to its own machine alone. `--add
 * NAME` admits one more client and
 * `--revoke NAME` shuts one out, also while the server runs.
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { serverCommand } from "../../core/env/server.ts";
import { UsageError } from "../../core/errors.ts";
import { terminalText } from "../../core/foreign-text.ts";
import { command } from "./command.ts";
import { userPath } from "./options.ts";

/** Writes the keys of a server and one client into a folder, and says which file goes where. */
export const main = command({
  name: "keys",
  words: { "<folder>": { description: "where the keys lie" } },
  options: {
    add: { value: "name", description: "admit one more client, also while the server runs" },
    revoke: { value: "name", description: "shut a client out, also while the server runs" },
  },
}, (values, [folder = ""]) => {
  const change = Object.entries(values).map(([name, client]) => `--${name}=${client}`);
  const { status, stdout, stderr } = spawnSync(serverCommand(), [
    "-m",
    "labyrinth_envs",
    "keys",
    ...change,
    "--",
    userPath(folder),
  ], {
    encoding: "utf8",
  });
  if (status !== 0) {
    throw new UsageError(
      stderr.trim().replace(/^labyrinth_envs: /, "") || `cannot write keys to ${folder}`,
    );
  }
  process.stdout.write(terminalText(stdout));
  if (values.revoke !== undefined) return 0;
  process.stdout.write(
    `server: ./lab serve --bind tcp://ADDRESS:PORT --keys ${terminalText(folder)}\n`,
  );
  process.stdout.write(
    "client: copy client.key_secret into a folder there, and set LAB_WORLDS=tcp://ADDRESS:PORT LAB_WORLDS_KEYS=<that folder>\n",
  );
  return 0;
});
