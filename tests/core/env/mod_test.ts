/** What importing the worlds loads. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { checkoutRoot } from "../../../lib/core/platform.ts";

async function runtime(...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, {
    cwd: checkoutRoot(),
    maxBuffer: 2 ** 26,
  })).stdout;
}

const ENTRY = join("lib", "core", "env", "mod.ts");

Deno.test("labyrinth/env loads ZeroMQ when the first connection opens", async () => {
  const script = `
    import { createRequire } from "node:module";
    import { connectWorlds } from "./${ENTRY}";
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes("zeromq"));
    const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 });
    const before = loaded();
    await worlds.list().catch(() => {});
    console.log(before, loaded());
  `;
  assert.equal((await runtime("eval", "--no-check", script)).trim(), "false true");
});
