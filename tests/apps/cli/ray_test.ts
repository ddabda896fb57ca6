import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { startServer, stopServer } from "../../../lib/core/child-server.ts";
import { digestOf } from "../../../lib/lab/digest.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listStudies } from "../../../lib/lab/store/studies.ts";
import { lab } from "./captured.ts";
import { slowTest } from "../../slow.ts";
import { ownFolder } from "../../folder.ts";

/** Four chains of one long episode each, a shard for each. */
const STUDY = ["study", "graphmind-quick", "--only", "3x3-d1-0,put-next-to,kg", "--attempts", "4"];

slowTest(
  "a study on a Ray cluster, one of whose two nodes is killed, has the episodes of one machine, step by step",
  async () => {
    using own = ownFolder();
    const folder = own.path;
    const python = [
      "run",
      "--quiet",
      "--frozen",
      "--isolated",
      "--project",
      join(checkoutRoot(), "envs"),
      "--only-group",
      "ray",
      "python",
    ];
    const cluster = startServer("uv", [
      ...python,
      join(checkoutRoot(), "tests", "apps", "cli", "ray_cluster.py"),
    ], {
      failure: (why) => new Error(`the cluster did not start: ${why}`),
    });
    try {
      const { endpoint } = await cluster.ready;
      const store = join(folder, "ray.sqlite");
      const said = await played(
        [...STUDY, "--ray", endpoint, "--store", store],
        join(folder, "ray.shards"),
        () => cluster.child.stdin?.write("\n"),
      );
      const starts = [1, 2, 3, 4].map((k) =>
        said.split("\n").filter((line) =>
          line.includes(`shard ${k}/4: `) && line.includes("begins")
        ).length
      );
      assert.ok(
        starts.every((count) => count >= 1) && starts.some((count) => count >= 2),
        `no shard was started again: ${starts}\n${said}`,
      );

      const digests: string[] = [];
      for (const path of [join(folder, "one.sqlite"), store]) {
        const { status, err } = await lab(...STUDY, "--store", path);
        assert.equal(status, 0, err);
        assert.equal(
          /begins/.test(err),
          path !== store,
          "what was played on the cluster is not played again",
        );
        using opened = openStore(path, { readOnly: true });
        digests.push(...listStudies(opened).map((study) => digestOf(opened, study)));
      }
      assert.equal(digests.length, 2);
      assert.equal(digests[1], digests[0]);
    } finally {
      await stopServer(cluster);
    }
  },
);

/**
 * Plays on the cluster, calls `kill` when every shard has played a step, and gives what was said.
 */
async function played(words: readonly string[], shards: string, kill: () => void): Promise<string> {
  const child = spawn(process.execPath, [
    "run",
    "-A",
    "--quiet",
    "--no-check",
    join(checkoutRoot(), "tests", "apps", "cli", "ray_child.ts"),
    ...words,
  ], {
    cwd: checkoutRoot(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => said += String(text));
  const ended = once(child, "close");
  const isOver = { now: false };
  void ended.then(() => isOver.now = true);
  while (
    !isOver.now && ![1, 2, 3, 4].every((k) => hasBegun(join(shards, `shard-${k}-of-4.sqlite`)))
  ) await setTimeout(100);
  kill();
  const [status] = await ended;
  assert.equal(status, 0, said);
  return said;
}

function hasBegun(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    using store = openStore(path, { readOnly: true });
    return store.prepare("select 1 from main.packed_turns where step > 0 limit 1").get() !==
      undefined;
  } catch {
    return false; // it is being made
  }
}
