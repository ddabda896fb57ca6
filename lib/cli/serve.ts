/**
 * `./lab serve`: the world server alone, for a machine that others play on.
 *
 * @module
 */

import { statSync } from "node:fs";
import process from "node:process";
import { spawnServer } from "../env/server.ts";
import { UsageError } from "../errors.ts";
import { readOptions, userPath } from "./options.ts";
import { positive } from "./run-study.ts";

const USAGE =
  "./lab serve [--bind tcp://ADDRESS:PORT] [--keys DIR] [--lease SECONDS] [--max-sessions N] [--client-sessions N] [--games DIR …] " +
  "[--memory-mb N] [--cpu-seconds N] [--network]";

/** Serves until Ctrl-C or SIGTERM. Without keys it listens to this machine alone. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, USAGE, {
    bind: { type: "string", default: "tcp://127.0.0.1:*" },
    keys: { type: "string" },
    // Longer than a lab elsewhere waits for a model that is out of quota for a while.
    lease: { type: "string", default: "3600" },
    "max-sessions": { type: "string", default: "64" },
    "client-sessions": { type: "string" },
    games: { type: "string", multiple: true },
    "memory-mb": { type: "string" },
    "cpu-seconds": { type: "string" },
    network: { type: "boolean", default: false },
  });
  if (!/^tcp:\/\/.+:(\d+|\*)$/.test(values.bind)) throw new UsageError(`--bind wants tcp://ADDRESS:PORT, not "${values.bind}"`);
  positive("--lease", values.lease);
  positive("--max-sessions", values["max-sessions"], Number.isInteger);
  for (const name of ["client-sessions", "memory-mb", "cpu-seconds"] as const) {
    if (values[name] !== undefined) positive(`--${name}`, values[name], Number.isInteger);
  }
  const { network, ...others } = values;
  const given = { ...others, keys: values.keys && userPath(values.keys), games: values.games?.map(userPath) };
  for (const folder of given.games ?? []) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`--games wants a folder with game files, and there is none at ${folder}`);
    }
  }
  const server = spawnServer([
    ...Object.entries(given).flatMap(([name, value]) => value === undefined ? [] : [value].flat().map((one) => `--${name}=${one}`)),
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
    const keys = values.keys === undefined ? "" : " LAB_WORLDS_KEYS=<folder with client.key_secret>";
    process.stdout.write(`serving worlds at ${endpoint}; clients find them by LAB_WORLDS=${endpoint}${keys}; Ctrl-C ends it\n`);
    const why = await server.exited;
    if (!asked) process.stderr.write(`lab: the world server has died (${why})\n`);
    return asked ? 0 : 1;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}
