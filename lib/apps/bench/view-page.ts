/** The run page's server in a process of its own, as a user starts it. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { checkoutRoot } from "../../core/platform.ts";

/** Starts `./lab view` in a process of its own for the time of `use`. */
export async function withPage<T>(store: string, use: (address: string, server: ChildProcess) => Promise<T>): Promise<T> {
  const server = spawn(join(checkoutRoot(), "lab"), ["view", "--store", store], {
    cwd: checkoutRoot(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    for await (const line of createInterface({ input: server.stdout ?? assert.fail() })) {
      const address = line.match(/http:\S+\//)?.[0];
      if (address) return await use(address, server);
    }
    return assert.fail("./lab view did not start");
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}
