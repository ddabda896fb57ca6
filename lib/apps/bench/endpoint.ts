/**
 * A model endpoint for benchmarks, a program of its own, which answers after 1.0 s with the name of
 * the model.
 */

import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { startServer, stopServer } from "../../core/child-server.ts";
import { checkoutRoot, serveHttp } from "../../core/platform.ts";
import { RUN } from "./measure.ts";

/** Calls `work` with the address of the endpoint, a process of its own. */
export async function withEndpoint<T>(work: (baseUrl: string) => Promise<T>): Promise<T> {
  const program = join(checkoutRoot(), "lib", "apps", "bench", "endpoint.ts");
  const endpoint = startServer(process.execPath, [...RUN, program], {
    failure: (why) => new Error(`the mock endpoint did not start (${why})`),
  });
  try {
    return await work((await endpoint.ready).endpoint);
  } finally {
    await stopServer(endpoint);
  }
}

function serve(): void {
  const server = serveHttp({ hostname: "127.0.0.1", port: 0 }, async (request) => {
    const { model } = await request.json() as { model: string };
    await setTimeout(1000);
    return Response.json({
      ...{ id: "mock", object: "chat.completion", created: 0, model },
      choices: [{
        index: 0,
        message: { role: "assistant", content: model },
        finish_reason: "stop",
      }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  });
  const endpoint = `http://127.0.0.1:${server.port}/v1`;
  process.stdout.write(`${JSON.stringify({ ready: true, endpoint, pid: process.pid })}\n`);
  process.stdin.resume().once("end", () => process.exit(0));
}

if (import.meta.main) serve(); // the benchmark of starting imports every module
