/**
 * Memories of other languages as memories of the lab: `python:FILE.py[:Class]`,
 * `python:package.module:Class`, and `mcp:COMMAND` for a memory server of MCP. Each runs in a process of its own (`foreign-process.ts`).
 */

import { Buffer } from "node:buffer";
import type { SpawnSyncReturns } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { z } from "zod";
import { MemoryError, UsageError } from "../errors.ts";
import { safeText } from "../foreign-text.ts";
import { checkoutRoot, env, loadModule, unlessAborted } from "../platform.ts";
import { sha256 } from "../text/canonical.ts";
import type { Prompt } from "../llm/prompt.ts";
import { checkOptions } from "../text/registry.ts";
import { ForeignProcess, pythonFor, surroundings } from "./foreign-process.ts";
import { readRecollection } from "./foreign-recollection.ts";
import type {
  Artefact,
  Cue,
  Memory,
  MemoryContext,
  MemoryEntry,
  Perception,
  Recollection,
} from "./memory.ts";

const PREFIX = "python:";
const MCP = "mcp:";
const MCP_CLASS = "labyrinth_memory.mcp:McpMemory";

/** Options of every memory of this kind; all others go to the constructor of its class. */
const options = z.looseObject({
  seconds: z.number().positive().max(3600).default(120).describe("most seconds of one call"),
  memoryMb: z.int().min(64).default(4096).describe("memory of the process, in MiB"),
  role: z.string().regex(/^[\w-]+\/[\w./-]+$/).optional().describe("role of the models it asks"),
});

type Settings = z.output<typeof options>;

/** Those of a server of MCP: its mapping is a JSON file or its content, which episodes differ by. */
const mcpOptions = options.extend({
  mapping: z.union([z.string().transform(readMapping), z.record(z.string(), z.unknown())])
    .optional().describe("which tools write and search, a JSON file"),
});

const known = new Map<string, MemoryEntry>();

/** Whether a name is that of a memory in another process. */
export function isForeign(id: string): boolean {
  return id.startsWith(PREFIX) || id.startsWith(MCP);
}

/**
 * The entry of a memory in another process. Its version is the SHA-256 of its file, or the version
 * of its package.
 *
 * @throws {UsageError} if there is no such file or module.
 */
export function foreignMemory(id: string): MemoryEntry {
  const source = sourceOf(id);
  const key = `${id} ${source.version}`;
  const schema = id.startsWith(MCP) ? mcpOptions : options;
  const read = (given: object): Settings => checkOptions(`the memory ${id}`, schema, given);
  const promptsOf = (role: string): readonly Prompt[] => [{ role, instructions: "", sections: {} }];
  return known.getOrInsertComputed(key, () => ({
    id: source.id,
    description: "a memory in Python, in a process of its own",
    version: source.version,
    options: schema,
    prompts: promptsOf(source.role),
    asks: (given) => promptsOf(read(given).role ?? source.role),
    create: (given = {}) => {
      const settings = read(given);
      return (context) => createForeign(context, source, settings);
    },
  }));
}

interface Source {
  /** The name without folders. */
  readonly id: string;
  readonly role: string;
  readonly version: string;
  readonly python: string;
  /** What `labyrinth_memory` loads. */
  readonly name: string;
  /** Further arguments of its constructor. */
  readonly own?: Readonly<Record<string, unknown>>;
}

function readMapping(path: string): Record<string, unknown> {
  const file = resolve(env("LAB_CWD") ?? process.cwd(), path);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new UsageError(`cannot read the mapping ${path}: it must be a JSON object`, { cause });
  }
}

function sourceOf(id: string): Source {
  if (id.startsWith(MCP)) {
    const command = id.slice(MCP.length).trim();
    const shown = command.replaceAll(/[^\s]*\//g, "");
    if (command === "") throw new UsageError(`cannot use the memory ${id}: wanted ${MCP}COMMAND`);
    const python = pythonFor(checkoutRoot());
    return {
      id: `${MCP}${shown}`,
      role: roleOf("mcp"),
      version: `${shown} ${identify(`${PREFIX}${MCP_CLASS}`, python)}`,
      python,
      name: MCP_CLASS,
      own: { command },
    };
  }
  const name = id.slice(PREFIX.length);
  const home = env("LAB_CWD") ?? process.cwd();
  const [, file, cls = ""] = /^(.+\.py)(:\w+)?$/.exec(name) ?? [];
  if (file === undefined) {
    if (!/^[\w.]+:\w+$/.test(name)) {
      throw new UsageError(
        `cannot use the memory ${id}: wanted ${PREFIX}FILE.py, ${PREFIX}FILE.py:Class or ${PREFIX}package.module:Class`,
      );
    }
    const python = pythonFor(home);
    return {
      id,
      role: roleOf(name.replace(":", ".")),
      version: identify(id, python),
      python,
      name,
    };
  }
  const path = resolve(home, file);
  if (!existsSync(path)) {
    throw new UsageError(`cannot use the memory ${PREFIX}${file}: there is no such file`);
  }
  const python = pythonFor(dirname(path));
  const lock = join(dirname(python), "..", "..", "uv.lock");
  const hashes = [path, ...(existsSync(lock) ? [lock] : [])].map((each) =>
    `${basename(each)} sha256:${sha256(readFileSync(each, "utf8"))}`
  );
  return {
    id: `${PREFIX}${basename(file)}${cls}`,
    role: roleOf(basename(file, ".py")),
    version: hashes.join(" "),
    python,
    name: `${path}${cls}`,
  };
}

function roleOf(name: string): string {
  return `python/${name.replaceAll(/[^\w.-]/g, "_")}`;
}

const versions = new Map<string, string>();

/** The version of a module, which its own interpreter knows. */
function identify(id: string, python: string): string {
  return versions.getOrInsertComputed(`${id} ${python}`, () => {
    const { spawnSync } = loadModule<typeof import("node:child_process")>("node:child_process");
    const words = ["-m", "labyrinth_memory", "identify", id.slice(PREFIX.length)];
    const { status, stdout, stderr }: SpawnSyncReturns<string> = spawnSync(python, words, {
      encoding: "utf8",
      env: surroundings(process.cwd()),
    });
    if (status === 0) return stdout.trim();
    throw new UsageError(`cannot use the memory ${id}: ${(stderr || "no Python").trim()}`);
  });
}

function createForeign(
  context: MemoryContext,
  source: Source,
  { seconds, memoryMb, role = source.role, ...own }: Settings,
): Memory {
  const { host, signal, ask } = context;
  const { id, python, name } = source;
  let saved: Artefact = { kind: id, body: null };
  let loaded: Artefact | undefined;
  let running: Promise<ForeignProcess> | undefined;
  let ended: MemoryError | undefined;
  let saves = false;
  let meter: Awaited<ReturnType<NonNullable<typeof host>["meter"]>> | undefined;

  async function start(): Promise<ForeignProcess> {
    signal?.throwIfAborted();
    meter = await host?.meter(role);
    const { variables = {}, waited } = meter ?? {};
    const command = { python, name, id, seconds, memoryMb, variables, waited };
    const started = new ForeignProcess(command);
    const close = (): void => {
      ended ??= new MemoryError("memory-died", `the memory ${id} has been closed`);
      started.close();
    };
    if (host) host.onEnd(close);
    else signal?.addEventListener("abort", close, { once: true });
    ({ saves } = z.object({ saves: z.boolean() }).parse(
      await started.call("open", { ...own, ...source.own }),
    ));
    if (loaded !== undefined) await started.call("load", { body: loaded.body });
    return started;
  }

  async function call(step: number, method: string, params: object): Promise<unknown> {
    if (ended) throw ended;
    const at = await (running ??= start());
    meter?.at({ ...ask.sample, step });
    try {
      return await unlessAborted(at.call(method, params), signal);
    } catch (error) {
      throw meter?.failure() ?? error; // an error of a model, even where the package hid it
    } finally {
      meter?.at(undefined);
      for (const why of meter?.refused() ?? []) {
        context.onEvent?.("refused-request", safeText(why.slice(0, 300)));
      }
    }
  }

  async function checked(step: number, method: string, params: object): Promise<unknown> {
    const ok = await call(step, method, params);
    const failure = meter?.failure();
    if (failure !== undefined) throw failure;
    return ok;
  }

  let last = 0;
  return {
    id,
    async observe({ image, ...seen }: Perception): Promise<void> {
      last = seen.step;
      const { frames: _, ...rest } = seen;
      await checked(seen.step, "observe", {
        ...rest,
        ...(image && { image: Buffer.from(image).toString("base64") }),
      });
    },
    async recall(cue: Cue): Promise<Recollection> {
      return readRecollection(id, await checked(cue.step, "recall", cue));
    },
    async settle(): Promise<void> {
      if (running === undefined) return;
      await running;
      if (!saves) return;
      const { body } = z.object({ body: z.unknown() }).parse(await checked(last, "save", {}));
      saved = { kind: id, body };
    },
    save: () => saved,
    load(artefact: Artefact): void {
      if (artefact.kind !== id || artefact.body === null || artefact.body === undefined) {
        throw new TypeError(
          `cannot load the memory: wanted what the memory ${id} saved, got ${
            JSON.stringify(artefact.kind)
          }${artefact.kind === id ? ", which has no save and load" : ""}; start from none`,
        );
      }
      [loaded, saved] = [artefact, artefact];
    },
  };
}
