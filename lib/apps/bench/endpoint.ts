/**
 * A model endpoint for benchmarks, as a program of its own. It answers each request after 1.0 s
 * with the name of the model that was asked; as
 * `endpoint.ts house`, at once what the role of that name answers in a house of 9 rooms. Its first
 * line says where it listens; it ends with its standard input.
 */

import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { startServer, stopServer } from "../../core/child-server.ts";
import { checkoutRoot, serveHttp } from "../../core/platform.ts";
import { RUN } from "./measure.ts";

/** The roles that Ariadne with AriGraph asks at each step. */
export const HOUSE_ROLES = [
  ...["arigraph/extract", "arigraph/outdate", "arigraph/entities", "arigraph/explore"],
  ...["ariadne/plan", "ariadne/act"],
];

/**
 * Answers a role at a step of an agent that walks through a house of so many rooms again and again,
 * with 13 triplets a room.
 */
export function houseAnswer(role: string, step: number, rooms: number): string {
  const place = step % rooms;
  const things = Array.from({ length: 6 }, (_, i) => `thing ${place * 6 + i}`);
  switch (role) {
    case "arigraph/extract":
      return [
        `room ${place}, has exit, east`,
        ...things.map((thing, i) => `${thing}, is on, shelf ${i}`),
        ...things.map((thing) => `room ${place}, contains, ${thing}`),
      ].join("; ");
    case "arigraph/outdate":
      return "[]";
    case "arigraph/entities":
      return `{"room ${place}": 1, "thing ${Math.floor(place / 2) * 6}": 2, "shelf 3": 1}`;
    case "arigraph/explore":
      return "False";
    case "ariadne/plan":
      return `{"plan_steps": [{"sub_goal_1": "look around", "reason": ""}]}`;
    default:
      return `{"reason_for_action": "", "action_to_take": "look"}`;
  }
}

/** Calls `work` with the address of the endpoint, a process of its own, started with `words`. */
export async function withEndpoint<T>(
  words: readonly string[],
  work: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const program = join(checkoutRoot(), "lib", "apps", "bench", "endpoint.ts");
  const endpoint = startServer(process.execPath, [...RUN, program, ...words], {
    failure: (why) => new Error(`the mock endpoint did not start (${why})`),
  });
  try {
    return await work((await endpoint.ready).endpoint);
  } finally {
    await stopServer(endpoint);
  }
}

function serve(isHouse: boolean): void {
  const steps = new Map<string, number>();
  const server = serveHttp({ hostname: "127.0.0.1", port: 0 }, async (request) => {
    const { model } = await request.json() as { model: string };
    if (!isHouse) await setTimeout(1000);
    steps.set(model, 1 + (steps.get(model) ?? 0));
    const content = isHouse ? houseAnswer(model, steps.get(model) ?? 0, 9) : model;
    return Response.json({
      ...{ id: "mock", object: "chat.completion", created: 0, model },
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  });
  process.stdout.write(
    `${
      JSON.stringify({
        ready: true,
        endpoint: `http://127.0.0.1:${server.port}/v1`,
        pid: process.pid,
      })
    }\n`,
  );
  process.stdin.resume().once("end", () => process.exit(0));
}

if (import.meta.main) serve(process.argv[2] === "house"); // the benchmark of starting imports every module
