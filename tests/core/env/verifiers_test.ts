/** The package `verifiers` plays a world through the OpenEnv server, as the page says. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { startServer } from "../../../lib/core/child-server.ts";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { slowTest } from "../../slow.ts";
import { uv } from "../../uv.ts";
import { withOpenEnv } from "./openenv.ts";
import { ownFolder } from "../../folder.ts";

const PARAMS = { stepLimit: 5 };
const SEEDS = [3, 4];

/** Takes what lies about, else the first valid action. */
function choice(actions: readonly string[]): string {
  return actions.find((action) => action.startsWith("take")) ?? actions[0] ?? "look";
}

async function scoresByLab(): Promise<number[]> {
  await using worlds = connectWorlds();
  const scores: number[] = [];
  for (const seed of SEEDS) {
    const world = await worlds.open("textworld/hunt", { ...PARAMS, seed });
    let turn = await world.reset();
    while (turn.end === undefined) {
      turn = await world.step(choice(await world.validActions() ?? []));
    }
    scores.push(turn.score);
    await world.close();
  }
  return scores;
}

/** A model behind OpenAI's interface, which answers each observation by its `choice`. */
function model(): ReturnType<typeof createServer> {
  return createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { messages } = JSON.parse(text) as { messages: { content: string }[] };
    const seen = JSON.parse(messages.at(-1)?.content ?? "") as {
      observation: { valid_actions: string[] };
    };
    const content = JSON.stringify({ text: choice(seen.observation.valid_actions) });
    const chunk = (delta: object, finish: string | null): string =>
      `data: ${
        JSON.stringify({
          id: "x",
          object: "chat.completion.chunk",
          created: 0,
          model: "mine",
          choices: [{ index: 0, delta, finish_reason: finish }],
        })
      }\n\n`;
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(
      `${chunk({ role: "assistant", content }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
    );
  });
}

slowTest("verifiers plays through the OpenEnv server, and its reward is the score", async () => {
  const words = ["run", "--quiet", "--no-project", "--with", "verifiers[openenv]==0.4.0"];
  try {
    await uv([...words, "python", "-c", "import verifiers"]);
  } catch (error) {
    process.stdout.write(`skipped: verifiers cannot be installed here (${error})\n`);
    return;
  }
  const python = await withOpenEnv();
  const page = join(checkoutRoot(), "docs", "how-to", "gymnasium-and-openenv.md");
  const toml = /^```toml\n(.*?)^```/ms.exec(readFileSync(page, "utf8"))?.[1] ?? "";
  using own = ownFolder();
  const folder = own.path;
  const server = startServer(
    python,
    [
      ...["-m", "labyrinth_envs", "openenv", "--port=0", "--world=textworld/hunt"],
      `--params=${JSON.stringify(PARAMS)}`,
    ],
    {
      env: { LABYRINTH_CACHE: join(checkoutRoot(), ".lab", "games") },
      failure: (why) => new Error(`the OpenEnv server did not start: ${why}`),
    },
  );
  const mine = model();
  try {
    await new Promise<void>((resolve) => mine.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(mine.address() as AddressInfo).port}/v1`;
    const { endpoint } = await server.ready;
    const written = toml.replace("https://api.openai.com/v1", address)
      .replace("http://127.0.0.1:8000", endpoint);
    assert.ok(written.includes(address) && written.includes(endpoint));
    writeFileSync(join(folder, "hunt.toml"), written);
    await uv([...words, "vf-eval", "@", "hunt.toml", "--no-rich"], {
      cwd: folder,
      env: { OPENAI_API_KEY: "none" },
    });
    const [played = ""] = readdirSync(join(folder, "outputs"));
    const lines = readFileSync(join(folder, "outputs", played, "traces.jsonl"), "utf8");
    const episodes = lines.trim().split("\n").map((line) => JSON.parse(line)) as {
      ok: boolean;
      task: { data: { idx: number } };
      traces: { rewards: { openenv_reward: { score: number } } }[];
    }[];
    const rewards = episodes.sort((a, b) => a.task.data.idx - b.task.data.idx)
      .map(({ traces: [trace] }) => trace?.rewards.openenv_reward.score);
    const expected = await scoresByLab();
    assert.ok(expected.some((score) => score > 0));
    assert.deepEqual(rewards, expected);
  } finally {
    mine.close();
    server.child.kill("SIGINT");
    await server.exited;
  }
});
