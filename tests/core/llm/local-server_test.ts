import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  installLocalModel,
  llamaFolder,
  localServerProvider,
} from "../../../lib/core/llm/local-server.ts";
import { providerOf } from "../../../lib/core/llm/providers.ts";
import { parseRoleMap, withParameters } from "../../../lib/core/llm/role-map.ts";
import { bindingIdentity, type ModelBinding } from "../../../lib/core/llm/roles.ts";
import { checkoutRoot, useCheckout } from "../../../lib/core/platform.ts";
import { serverCommand } from "../../../lib/core/env/server.ts";
import { lab } from "../../apps/cli/captured.ts";

/** In place of llama.cpp: answers with its own arguments, dies at the word "die". */
const SERVER = `
import json, os, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = self.rfile.read(int(self.headers["content-length"])).decode()
        if '"die"' in asked:
            os._exit(7)
        body = json.dumps({"model": "fake", "choices": [{"message": {"content": " ".join(sys.argv[1:])}, "finish_reason": "stop"}],
                           "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *arguments):
        pass

if "broken.gguf" in sys.argv[1]:
    sys.exit("labyrinth_models: no GGUF file")
server = HTTPServer(("127.0.0.1", 0), Handler)
print(json.dumps({"ready": True, "endpoint": f"http://127.0.0.1:{server.server_port}/v1", "pid": os.getpid()}), flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
`;
import { wantsSlow } from "../../slow.ts";

const ask = (content: string) => ({
  role: "demo/ask",
  messages: [{ role: "user" as const, content }],
});

async function inCheckout(work: (folder: string) => Promise<void>): Promise<void> {
  const [own, folder] = [checkoutRoot(), mkdtempSync(join(tmpdir(), "labyrinth-llama-"))];
  const python = serverCommand();
  try {
    useCheckout(folder);
    mkdirSync(join(llamaFolder(), "bin"), { recursive: true });
    symlinkSync(python, join(llamaFolder(), "bin", "python"));
    mkdirSync(join(folder, "envs", "src", "labyrinth_models"), { recursive: true });
    writeFileSync(join(folder, "envs", "src", "labyrinth_models", "llama.py"), SERVER);
    await work(folder);
  } finally {
    useCheckout(own);
    rmSync(folder, { recursive: true });
  }
}

Deno.test({
  name: "localServerProvider starts a server at the first call, and another one after it has died",
  sanitizeOps: false, // the server ends with this process
  sanitizeResources: false,
  fn: () =>
    inCheckout(async (folder) => {
      const file = join(folder, "tiny.gguf");
      writeFileSync(file, "");
      installLocalModel("gguf:tiny", { file, context: 1024, parallel: 3, threads: 1 });
      const { model, host, price, concurrency } = localServerProvider.open("gguf:tiny", {
        timeoutSeconds: 20,
      }, { attempt: 1 });
      assert.deepEqual([host, price, concurrency], ["gguf:tiny", undefined, 3]);
      const told = (await model.chat(ask("Hi"))).choices[0].text;
      assert.equal(told, `${file} --name=gguf:tiny --context=1024 --parallel=3 --threads=1`);
      await assert.rejects(model.chat(ask("die")), { name: "ModelError", kind: "server" });
      let text = "";
      for (let tries = 0; tries < 600 && text === ""; tries++) { // that the server has ended is noticed a while after it has ended
        await delay(50);
        text = await model.chat(ask("Hi")).then(({ choices: [{ text }] }) => text, () => "");
      }
      assert.equal(text, told);
    }),
});

Deno.test("a model of this machine is asked not to repeat itself unless the user says otherwise, and one with an address there", () => {
  const own = parseRoleMap("qwen");
  const extraBody = {
    ...{ repeat_penalty: 1.05, dry_multiplier: 2, dry_base: 2 },
    ...{ dry_allowed_length: 6, dry_penalty_last_n: 256 },
  };
  assert.deepEqual(own, { "*": { model: "qwen", extraBody } });
  assert.match(bindingIdentity(own["*"] as ModelBinding), /^qwen .*"repeat_penalty":1.05/);
  const other = withParameters(own, ['extraBody={"repeat_penalty":1}']);
  assert.deepEqual(other, { "*": { model: "qwen", extraBody: { repeat_penalty: 1 } } });
  const elsewhere = { baseUrl: "http://127.0.0.1:9/v1" };
  assert.deepEqual([providerOf("qwen", {}).id, providerOf("qwen", elsewhere).id], [
    "llama.cpp",
    "openai",
  ]);
});

Deno.test("localServerProvider names what is missing, and why a server did not start", () =>
  inCheckout(async (folder) => {
    const check = (id: string): void => localServerProvider.check?.(id, {}, { attempt: 1 });
    assert.throws(() => check("smollm2"), {
      name: "UsageError",
      message: /smollm2 is not installed: run \.\/lab model smollm2 once/,
    });
    const file = join(folder, "broken.gguf");
    installLocalModel("gguf:broken", { file });
    assert.throws(() => check("gguf:broken"), {
      name: "UsageError",
      message: /is missing \(.*broken\.gguf\): run \.\/lab model gguf FILE again/,
    });
    writeFileSync(file, "");
    check("gguf:broken");
    const { model } = localServerProvider.open("gguf:broken", {}, { attempt: 1 });
    await assert.rejects(model.chat(ask("Hi")), {
      kind: "no-endpoint",
      message: /did not start with the model gguf:broken.*no GGUF file/,
    });
  }));

Deno.test({
  name: "model smollm2 installs a language model that answers",
  ignore: !wantsSlow("installing a language model and asking it"),
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const installed = await lab("model", "smollm2");
    assert.equal(installed.status, 0, installed.err);
    assert.match(installed.out, /--models smollm2/);
    const { model } = localServerProvider.open("smollm2", {}, { attempt: 1 });
    const request = {
      ...ask("What is the capital of France?"),
      sampling: { temperature: 0, maxTokens: 30 },
    };
    const properties = {
      city: { type: "string", maxLength: 4 },
      colour: { enum: ["green", "blue"] },
      more: {
        type: "array",
        items: { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }] },
        maxItems: 2,
      },
    };
    const schema = {
      name: "answer",
      schema: {
        type: "object",
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      },
    };
    const reply = await model.chat({
      ...request,
      schema,
      sampling: { temperature: 0, maxTokens: 80 },
    });
    assert.equal(reply.model, "smollm2");
    const { city, colour, more } = JSON.parse(reply.choices[0].text); // the form is enforced, with its bounds
    assert.ok(
      city.length <= 4 && properties.colour.enum.includes(colour) && more.length <= 2,
      reply.choices[0].text,
    );
    assert.ok(reply.usage.prompt > 5 && reply.usage.completion > 0);
    const again = await model.chat({ ...request, sampling: { ...request.sampling, stop: ["a"] } });
    assert.ok(
      again.usage.cached > 5 && !again.choices[0].text.includes("a"),
      JSON.stringify(again),
    );
  },
});
