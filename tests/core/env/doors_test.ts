/**
 * The same walks by Gymnasium, by OpenEnv and by the lab's own client have the same trajectories.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { startServer } from "../../../lib/core/child-server.ts";
import { serverCommand } from "../../../lib/core/env/server.ts";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { slowTest, wantsSlow } from "../../slow.ts";
import { withOpenEnv } from "./openenv.ts";

/** World, parameters, number of the walk, steps. */
type Walk = readonly [string, Readonly<Record<string, unknown>>, number, number];

const WORLDS: readonly string[] = ["textworld/hunt", "babyai/sized", "nethack"];
const SLOW_WORLDS: readonly string[] = ["textworld/rl-benchmark", "minihack"];

/** Worlds with a parameter `stepLimit`. */
const LIMITED: readonly string[] = ["textworld/hunt", "textworld/rl-benchmark"];

/** `count` walks, as many through each world; half of those of some worlds end at a limit of steps. */
function walks(worlds: readonly string[], count: number): Walk[] {
  return Array.from({ length: count }, (_, at) => {
    const world = worlds[at % worlds.length] as string;
    const limit = at % 2 === 0 && LIMITED.includes(world) ? { stepLimit: 6 } : {};
    return [world, { seed: at % 5, ...limit }, at, 8];
  });
}

async function byLab(all: readonly Walk[]): Promise<string[]> {
  await using worlds = connectWorlds();
  const hashes: string[] = [];
  for (const [world, params, number, steps] of all) {
    const played = await worlds.open(world, params);
    const hash = createHash("sha256");
    let turn = await played.reset();
    for (let step = 0; step <= steps; step += 1) {
      const { goal, observation, score, end } = turn;
      const seen = [goal, observation, Math.round(1000 * score), end !== undefined];
      hash.update(pythonJson(seen));
      if (end || step === steps) break;
      const actions = await played.validActions() ?? [];
      const from = actions.length > 0 ? actions : ["look"];
      turn = await played.step(from[(31 * step + 17 * number) % from.length] as string);
    }
    await played.close();
    hashes.push(hash.digest("hex"));
  }
  return hashes;
}

/** A list as `json.dumps` writes it, with a space after each comma. */
function pythonJson(list: readonly unknown[]): string {
  return `[${list.map((part) => JSON.stringify(part)).join(", ")}]`;
}

async function byPython(
  python: string,
  way: string,
  all: readonly Walk[],
): Promise<string[]> {
  const script = join(checkoutRoot(), "envs", "tests", "walks.py");
  const { stdout } = await promisify(execFile)(
    python,
    [script, way, JSON.stringify(all)],
    { env: { ...process.env, LABYRINTH_CACHE: join(checkoutRoot(), ".lab", "games") } },
  );
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[];
}

Deno.test("walks by Gymnasium have the trajectories of the lab's own client", async () => {
  const isSlow = wantsSlow("97 of 100 walks by Gymnasium");
  const all = isSlow ? walks([...WORLDS, ...SLOW_WORLDS], 100) : walks(WORLDS, 3);
  const expected = await byLab(all);
  assert.ok(new Set(expected).size > all.length / 2, "most walks differ from one another");
  assert.deepEqual(await byPython(serverCommand(), "gym", all), expected);
});

slowTest(
  "OpenEnv's validator passes the server, and 100 walks by it end as the lab's",
  async () => {
    const python = await withOpenEnv();
    const all = walks(WORLDS, 100);
    const expected = await byLab(all);
    const page = join(checkoutRoot(), "docs", "how-to", "gymnasium-and-openenv.md");
    const blocks = [
      ...readFileSync(page, "utf8")
        .matchAll(/^```python\n((?:from openenv|import asyncio).*?)^```/gms),
    ].map(([, code = ""]) => code);
    assert.equal(blocks.length, 2, "OpenEnv and MCP");
    for (const world of WORLDS) {
      const server = startServer(
        python,
        ["-m", "labyrinth_envs", "openenv", "--port=0", "--max-sessions=1", `--world=${world}`],
        {
          env: { LABYRINTH_CACHE: join(checkoutRoot(), ".lab", "games") },
          failure: (why) => new Error(`the OpenEnv server did not start: ${why}`),
        },
      );
      try {
        const { endpoint } = await server.ready;
        const validator = ["-m", "openenv.cli", "validate", "--json", "--url", endpoint];
        const { stdout } = await promisify(execFile)(python, validator);
        assert.equal(JSON.parse(stdout).passed, true, stdout);
        for (const block of blocks) {
          const code = block.replace("http://127.0.0.1:8000", endpoint);
          const ran = await promisify(execFile)(python, ["-c", code]);
          assert.match(ran.stdout, /^[\d.]+ of [\d.]+\n$/);
        }
        const mine = all.filter(([id]) => id === world);
        assert.deepEqual(
          await byPython(python, endpoint, mine),
          expected.filter((_, at) => all[at]?.[0] === world),
        );
      } finally {
        server.child.kill("SIGINT");
        await server.exited;
      }
    }
  },
);
