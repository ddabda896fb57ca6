import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { endBelow } from "../../../lib/apps/bench/processes.ts";

Deno.test({
  name: "endBelow() ends the processes below one, and theirs, and leaves the one alone",
  ignore: !existsSync("/proc/self/stat"),
  fn: async () => {
    const child = spawn("sh", [
      "-c",
      "sleep 600 & sh -c 'sleep 600 & echo ready; wait; echo no' & wait; echo left",
    ], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (text) => said += text);
    while (!said.includes("ready")) await once(child.stdout, "data");
    endBelow(child.pid);
    assert.deepEqual(await once(child, "close"), [0, null]); // closed by all that held its output
    assert.equal(said, "ready\nleft\n");
  },
});
