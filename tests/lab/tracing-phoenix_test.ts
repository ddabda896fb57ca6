/**
 * Arize Phoenix from the Python package index receives the traces of a run and shows them by the
 * conventions; with LAB_SLOW=1.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { playStudy } from "../../lib/lab/lab.ts";
import { localProvider } from "../../lib/core/llm/providers.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { countingStudy, countingWorld } from "./doubles.ts";
import { wantsSlow } from "../slow.ts";
import { withVariables } from "../environment.ts";

interface Shown {
  readonly name: string;
  readonly span_kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

Deno.test({
  name:
    "playStudy() sends traces that Arize Phoenix shows as agent, model and tool spans with their tokens",
  ignore: !wantsSlow("traces in Arize Phoenix"),
  fn: async () => {
    const folder = mkdtempSync(join(tmpdir(), "lab-phoenix-"));
    const [port, grpc] = [await freePort(), await freePort()];
    const phoenix = spawn("uv", [
      "run",
      "--no-project",
      "--isolated",
      "--with",
      "arize-phoenix==20.26.1",
      "phoenix",
      "serve",
    ], {
      cwd: folder,
      detached: true,
      stdio: "ignore",
      env: {
        ...process.env,
        PHOENIX_HOST: "127.0.0.1",
        PHOENIX_PORT: `${port}`,
        PHOENIX_GRPC_PORT: `${grpc}`,
        PHOENIX_WORKING_DIR: folder,
        PHOENIX_TELEMETRY_ENABLED: "false",
      },
    });
    const ended = new Promise((resolve) => phoenix.once("exit", resolve));
    const at = `http://127.0.0.1:${port}`;
    try {
      await until(async () => (await fetch(`${at}/healthz`)).ok, 600);
      using _endpoint = withVariables({ OTEL_EXPORTER_OTLP_ENDPOINT: at });
      using store = openStore(":memory:");
      const worlds = {
        open: countingWorld().open,
        list: () => Promise.resolve([]),
        close: () => Promise.resolve(),
      };
      const usage = { prompt: 100, cached: 40, completion: 7, reasoning: 2 };
      const providers = [localProvider(scripted({ "*": () => "add 5" }, { id: "counter", usage }))];
      await playStudy(countingStudy({ models: { "*": "counter" } }), { store, worlds, providers });
      let spans: readonly Shown[] = [];
      await until(async () => {
        const answer = await (await fetch(`${at}/v1/projects/default/spans?limit=100`)).json();
        spans = answer.data ?? [];
        return spans.length >= 9;
      }, 30);
      const kinds = new Map(spans.map(({ name, span_kind }) => [name, span_kind]));
      const wanted = {
        "invoke_agent counting": "AGENT",
        "chat counter": "LLM",
        "execute_tool counting": "TOOL",
      };
      for (const [name, kind] of Object.entries(wanted)) assert.equal(kinds.get(name), kind, name);
      const chat = spans.find(({ name }) => name === "chat counter")?.attributes ?? {};
      assert.deepEqual([
        chat["llm.token_count.prompt"],
        chat["llm.token_count.completion"],
        chat["llm.model_name"],
      ], [100, 7, "counter"]);
    } finally {
      process.kill(-(phoenix.pid ?? 0), "SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** Waits until `isTrue` is, at most so many seconds. */
async function until(isTrue: () => Promise<boolean>, seconds: number): Promise<void> {
  for (const end = Date.now() + 1000 * seconds;;) {
    if (await isTrue().catch(() => false)) return;
    assert.ok(Date.now() < end, `Phoenix has not answered after ${seconds} s`);
    await setTimeout(500);
  }
}
