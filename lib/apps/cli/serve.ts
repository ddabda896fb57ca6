/** `./lab serve`: the world server alone, for a machine that others play on. */

import { statSync } from "node:fs";
import process from "node:process";
import { stopServer } from "../../core/child-server.ts";
import { spawnServer } from "../../core/env/server.ts";
import { UsageError } from "../../core/errors.ts";
import { command, flagOf } from "./command.ts";
import { userPath } from "./options.ts";
import { positive, wholeAbove0 } from "./run-options.ts";

/** Serves until Ctrl-C or SIGTERM. Without keys it serves only this machine. */
export const main = command({
  name: "serve",
  options: {
    bind: {
      value: "tcp://address:port",
      description: "listen here",
      default: "tcp://127.0.0.1:*",
      read: readEndpoint,
    },
    keys: {
      value: "folder",
      description: "use the keys of ./lab keys; required for other machines",
    },
    // Longer than a lab elsewhere waits for a model that is out of quota for a while.
    lease: {
      value: "seconds",
      description: "close a world after this time without a call",
      default: 3600,
      read: positive,
    },
    maxSessions: {
      value: "N",
      description: "keep at most N worlds open",
      default: 64,
      read: wholeAbove0,
    },
    clientSessions: {
      value: "N",
      description: "keep at most N worlds open for each client",
      read: wholeAbove0,
    },
    games: {
      value: "folder",
      description: "let clients open the games of this folder",
      multiple: true,
    },
    memoryMb: { value: "N", description: "limit the memory of a world, in MB", read: wholeAbove0 },
    cpuSeconds: {
      value: "N",
      description: "limit the processor time of a world, in seconds",
      read: wholeAbove0,
    },
    network: { description: "let worlds use the network" },
  },
}, async (values) => {
  const { network, ...others } = values;
  const given = {
    ...others,
    keys: values.keys && userPath(values.keys),
    games: values.games?.map(userPath),
  };
  for (const folder of given.games ?? []) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(
        `--games must be a folder with game files; there is none at ${folder}`,
      );
    }
  }
  const server = spawnServer([
    ...Object.entries(given).flatMap(([key, value]) =>
      value === undefined ? [] : [value].flat().map((one) => `${flagOf(key)}=${one}`)
    ),
    ...(network ? ["--network"] : []),
  ]);
  let asked = false;
  const stop = (): void => {
    asked = true;
    server.child.stdin?.end();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const { endpoint } = await server.ready;
    server.child.stderr?.pipe(process.stderr);
    const keys = values.keys === undefined
      ? ""
      : " LAB_WORLDS_KEYS=<folder with client.key_secret>";
    process.stdout.write(
      `serving worlds at ${endpoint}; clients find them by LAB_WORLDS=${endpoint}${keys}; Ctrl-C ends it\n`,
    );
    const why = await server.exited;
    if (!asked) process.stderr.write(`lab: the world server ended (${why})\n`);
    return asked ? 0 : 1;
  } finally {
    await stopServer(server);
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
});

function readEndpoint(option: string, text: string): string {
  if (!/^tcp:\/\/.+:(\d+|\*)$/.test(text)) {
    throw new UsageError(`${option} must be tcp://ADDRESS:PORT, not "${text}"`);
  }
  return text;
}
