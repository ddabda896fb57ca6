/** A study on a Ray cluster: its shards are played as tasks, and their stores joined at the end. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { joinStores } from "./merge.ts";
import { userPath } from "./options.ts";
import { wholeAbove0 } from "./run-options.ts";

export const RAY_OPTIONS = {
  ray: {
    value: "address",
    description:
      "play shards on a Ray cluster (host:port, ray://…, local), and merge them into the store",
  },
  shards: {
    value: "N",
    description: "divide the study into N shards",
    defaultDescription: "4",
    read: wholeAbove0,
    needs: "ray",
  },
} as const;

/** Options that are the driver's own, each with its value: shards are not given them. */
const OWN = ["--ray", "--shards", "--store"];

/**
 * Plays a study on a cluster and merges its shards into the store. Their stores are next to it; all
 * nodes need that folder and this checkout under the same paths. Returns the status: 1 if a shard
 * left something unplayed or a merge met a conflict.
 *
 * @throws {UsageError} if the cluster cannot be reached or Ray cannot be installed.
 */
export async function playOnRay(
  study: string,
  { ray, shards = 4, store: named }: {
    readonly ray: string;
    readonly shards?: number;
    readonly store?: string;
  },
): Promise<number> {
  const store = named === undefined
    ? join(checkoutRoot(), "data", "runs", "lab.sqlite")
    : userPath(named);
  const folder = `${store.replace(/\.sqlite$/, "")}.shards`;
  mkdirSync(folder, { recursive: true });
  const envs = join(checkoutRoot(), "envs");
  const command = [
    "env",
    `LAB_CWD=${userPath(".")}`,
    join(checkoutRoot(), "lab"),
    ...withoutOwn(process.argv.slice(2)),
  ];
  const python = [
    "run",
    "--quiet",
    "--frozen",
    "--isolated",
    "--only-group",
    "ray",
    "python",
    "-m",
    "labyrinth_envs.ray_shards",
  ];
  const told = ["--address", ray, "--shards", `${shards}`, "--stores", folder, "--", ...command];
  const driver = spawn("uv", [...python, ...told], {
    cwd: envs,
    env: { ...process.env, PYTHONPATH: join(envs, "src") },
    stdio: ["ignore", process.stderr.fd, process.stderr.fd],
  });
  const [status] = await once(driver, "exit");
  if (status !== 0 && status !== 1) {
    throw new UsageError(
      `the shards of ${study} could not be played on ${ray}: see above; check the address, and that the cluster has the Ray of envs/uv.lock`,
    );
  }
  const stores = Array.from(
    { length: shards },
    (_, at) => join(folder, `shard-${at + 1}-of-${shards}.sqlite`),
  );
  return Math.max(status, joinStores(store, stores, false));
}

function withoutOwn(words: readonly string[]): string[] {
  return words.filter((word, at) =>
    !OWN.includes(word.replace(/=.*/, "")) && !OWN.includes(words[at - 1] ?? "")
  );
}
