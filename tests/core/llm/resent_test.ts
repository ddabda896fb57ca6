import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { ModelError } from "../../../lib/core/errors.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { startFakeEndpoint } from "./fake-endpoint.ts";

Deno.test("createOpenAIModel() sends each attempt once where the endpoint drops connections that it kept open", async () => {
  const endpoint = await startDroppingEndpoint();
  try {
    const model = createOpenAIModel("m", { baseUrl: endpoint.baseUrl, env: () => undefined });
    const attempts = 30;
    let answered = 0;
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        await model.chat({
          role: "demo/ask",
          messages: [{ role: "user", content: `Hi ${attempt}` }],
        });
        answered++;
      } catch (error) {
        assert.ok(error instanceof ModelError, String(error));
      }
      await setTimeout(5); // time in which a connection goes back to a pool
    }
    assert.deepEqual([endpoint.requests(), answered], [attempts, attempts]);
  } finally {
    await endpoint.close();
  }
});

Deno.test("createOpenAIModel() sends no request to where an endpoint redirects it, and says where that is", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() =>
    new Response(null, { status: 307, headers: { location: "/v1/chat/completions" } })
  );
  const model = createOpenAIModel("m", { baseUrl: endpoint.baseUrl, env: () => undefined });
  const failed = model.chat({ role: "demo/ask", messages: [{ role: "user", content: "Hi" }] });
  await assert.rejects(failed, {
    kind: "no-endpoint",
    message: /answered 307 .*it points to \/v1\/chat\/completions: set OPENAI_BASE_URL/,
  });
  assert.equal(endpoint.asked.length, 1);
});

/**
 * Keeps connections open after an answer, reads the second request on each, and drops it without a
 * word.
 */
async function startDroppingEndpoint(): Promise<
  { baseUrl: string; requests: () => number; close: () => Promise<unknown> }
> {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    let answered = false;
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket)).on("data", (chunk) => {
      text += chunk;
      const [head = "", body = ""] = text.split("\r\n\r\n");
      if (body.length < Number(head.match(/content-length: (\d+)/i)?.[1] ?? Infinity)) return;
      text = "";
      requests++;
      if (answered) return void socket.destroy();
      answered = true;
      const reply = JSON.stringify({
        choices: [{
          index: 0,
          message: { role: "assistant", content: "hello" },
          finish_reason: "stop",
        }],
      });
      const headers =
        `content-type: application/json\r\nconnection: keep-alive\r\ncontent-length: ${reply.length}`;
      socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${reply}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: () => requests,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      return once(server, "close");
    },
  };
}
