/**
 * A model endpoint for benchmarks, as a program of its own. It answers each request after 1.0 s with the name of the model that was asked; as
 * `mock-endpoint.ts house`, at once what the role of that name answers in a house of 9 rooms. Its first line says where it listens; it ends
 * with its standard input.
 */

import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { serveHttp } from "../../core/platform.ts";
import { houseAnswer } from "./house.ts";

/** Milliseconds from a request to its answer, unless it plays in the house. */
const LATENCY_MS = 1000;

const playsInHouse = process.argv[2] === "house";
const steps = new Map<string, number>();

function answerOf(model: string): string {
  if (!playsInHouse) return model;
  const step = 1 + (steps.get(model) ?? 0);
  steps.set(model, step);
  return houseAnswer(model, step, 9);
}

function serve(): void {
  const server = serveHttp({ hostname: "127.0.0.1", port: 0 }, async (request) => {
    const { model, n = 1 } = await request.json() as { model: string; n?: number };
    if (!playsInHouse) await setTimeout(LATENCY_MS);
    const content = answerOf(model);
    return Response.json({
      id: "mock",
      object: "chat.completion",
      created: 0,
      model,
      choices: Array.from({ length: n }, (_, index) => ({ index, message: { role: "assistant", content }, finish_reason: "stop" })),
      usage: { prompt_tokens: 1, completion_tokens: n, total_tokens: 1 + n },
    });
  });
  process.stdout.write(`${JSON.stringify({ ready: true, endpoint: `http://127.0.0.1:${server.port}/v1`, pid: process.pid })}\n`);
  process.stdin.resume().once("end", () => process.exit(0));
}

// the benchmark of starting imports every module
if (import.meta.main) serve();
