/** `./lab keys`: the keys of a world server and its clients. */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { serverCommand } from "../../core/env/server.ts";
import { UsageError } from "../../core/errors.ts";
import { terminalText } from "../../core/foreign-text.ts";
import { command } from "./command.ts";
import { userPath } from "./options.ts";

export const main = command({
  name: "keys",
  words: { "<folder>": { description: "folder of the keys" } },
  options: {
    add: { value: "name", description: "admit another client (also while the server runs)" },
    revoke: { value: "name", description: "shut out a client (also while the server runs)" },
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
