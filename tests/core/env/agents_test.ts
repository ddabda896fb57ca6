/** Agents of other packages on the worlds: the loop with OpenAI's client, and the task of Inspect. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { slowTest } from "../../slow.ts";
import { uv } from "../../uv.ts";
import { ownFolder } from "../../folder.ts";

const FOLDER = join(checkoutRoot(), "data", "examples", "agents");

/** Runs a program in the environment of the agents. */
async function run(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  await uv(["sync", "--quiet", "--frozen", "--project", FOLDER]);
  const { stdout } = await promisify(execFile)(join(FOLDER, ".venv", "bin", "python"), words, {
    cwd: FOLDER,
    env: { ...process.env, LABYRINTH_CACHE: join(checkoutRoot(), ".lab", "games"), ...variables },
  });
  return stdout;
}

slowTest(
  "the loop with OpenAI's client plays what its model says, and looks where it says nothing",
  async () => {
    const said = ["take Key 1", "Take key 1.", "I would think about it."];
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      const parts: Uint8Array[] = [];
      for await (const part of request) parts.push(part);
      const { messages } = JSON.parse(Buffer.concat(parts).toString());
      const content = said[asked.length] ?? "";
      asked.push(messages.at(-1).content);
      response.writeHead(200, { "Content-Type": "application/json" });
      const choices = [{
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content },
      }];
      response.end(
        JSON.stringify({ id: "1", object: "chat.completion", created: 0, model: "m", choices }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const stdout = await run(["openai_loop.py", "m"], {
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        OPENAI_API_KEY: "none",
      });
      assert.equal(stdout, "1 of 5 in 50 steps\n");
      assert.equal(asked.length, 50);
      assert.match(asked[0] ?? "", /Actions: .*take Key 1/);
      assert.match(asked[1] ?? "", /You pick up the Key 1/);
      assert.match(asked[3] ?? "", /-= Room A =-/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

const INSPECT = `
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_task import labyrinth

def call(name, **arguments):
    output = ModelOutput.for_tool_call("mockllm/model", name, arguments)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output

outputs = [call("act", action=action) for action in ("take Key 1", "look", "look", "look")]
model = get_model("mockllm/model", custom_outputs=[*outputs, call("submit", answer="done")])
[log] = eval(labyrinth(steps=3), model=model, display="none", log_dir=sys.argv[1])
[sample] = log.samples
score = sample.scores["game_score"]
print(json.dumps([log.status, score.value, score.metadata, [m.text for m in sample.messages if m.role == "tool"]]))
`;

slowTest(
  "Inspect's own agent plays a world as a task, and its log has score and steps",
  async () => {
    using own = ownFolder();
    const logs = own.path;
    const stdout = await run(["-c", INSPECT, logs], { PYTHONPATH: FOLDER });
    const [status, value, result, told] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    assert.deepEqual([status, value], ["success", 0.2]);
    assert.deepEqual(result, { score: 1, max_score: 5, steps: 3, end: "limit" });
    assert.match(told[0], /You pick up the Key 1/);
    assert.equal(told[3], "The episode has ended. Call submit.");
  },
);
