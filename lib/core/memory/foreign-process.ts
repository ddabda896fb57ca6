/**
 * The process of a memory that is written in another language, and the calls to it: the frames of
 * the world server over ZeroMQ, one process for each memory, with limits of time and memory.
 */

import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { detach, type ServerProcess, startServer } from "../child-server.ts";
import { MemoryError, type MemoryErrorKind } from "../errors.ts";
import { Wire } from "../env/wire.ts";
import { safeText } from "../foreign-text.ts";
import { checkoutRoot, env } from "../platform.ts";
import { jsonOf } from "../text/json.ts";

/** How a memory's process is started. */
export interface ForeignCommand {
  /** The interpreter. */
  readonly python: string;
  /** The memory, as `python -m labyrinth_memory` takes it. */
  readonly name: string;
  /** How the memory is called in messages. */
  readonly id: string;
  /** Most seconds of one call, > 0, without the time in which it waited for models. */
  readonly seconds: number;
  /** Milliseconds in which it has waited for models so far. */
  readonly waited?: () => number;
  /** Memory that the process may have, in MiB. */
  readonly memoryMb: number;
  /** Further variables of its environment. */
  readonly variables: Readonly<Record<string, string>>;
}

interface Call {
  readonly resolve: (ok: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: number;
  readonly method: string;
}

const KINDS = ["memory-raised", "memory-reply"] as const;
const reply = z.union([
  z.strictObject({ v: z.literal(1), id: z.string(), ok: z.unknown() }),
  z.strictObject({
    v: z.literal(1),
    id: z.string(),
    error: z.strictObject({ code: z.enum(KINDS), message: z.string() }),
  }),
]);

/** A running memory. Its calls are answered in order; the first failure ends the process. */
export class ForeignProcess {
  readonly #command: ForeignCommand;
  readonly #folder = mkdtempSync(join(tmpdir(), "labyrinth-memory-"));
  readonly #server: ServerProcess;
  readonly #wire: Promise<Wire>;
  readonly #calls = new Map<string, Call>();
  #failed: MemoryError | undefined;

  constructor(command: ForeignCommand) {
    this.#command = command;
    const { python, name, memoryMb, variables } = command;
    const args = ["serve", name, "--folder", this.#folder, "--memory-mb", String(memoryMb)];
    this.#server = startServer(python, ["-m", "labyrinth_memory", ...args], {
      env: { ...surroundings(this.#folder), ...variables },
      inherits: false,
      failure: (why) => this.#error("memory-died", `did not start (${why})`),
    });
    this.#wire = this.#server.ready.then(({ endpoint }) => {
      detach(this.#server.child);
      return new Wire(endpoint, undefined, {
        receive: (frames) => this.#receive(frames),
        waiting: (now) => this.#waiting(now),
        broken: (cause) => this.#fail("memory-died", `broke its connection (${cause})`),
      });
    });
    this.#wire.catch(() => {}); // the first call says so
    this.#server.exited.then((why) => this.#fail("memory-died", `has died (${why})`));
  }

  /**
   * Calls a method of the memory.
   * @throws {MemoryError} if it raised, gave what cannot be read, took too long or has died.
   */
  async call(method: string, params: object): Promise<unknown> {
    const wire = await this.#wire;
    if (this.#failed) throw this.#failed;
    const id = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const deadline = this.#ownTime(performance.now()) + this.#command.seconds * 1000;
    this.#calls.set(id, { resolve, reject, deadline, method });
    wire.queue(id, new TextEncoder().encode(JSON.stringify({ v: 1, id, method, params })));
    return await promise;
  }

  /** Ends the process and all that it has started, and removes its folder. */
  close(): void {
    this.#end(this.#error("memory-died", "has been closed"));
  }

  #receive([frame = new Uint8Array()]: readonly Uint8Array[]): void {
    const said = reply.safeParse(jsonOf(new TextDecoder().decode(frame)));
    if (!said.success) return void this.#fail("memory-reply", "sent what is no reply");
    const call = this.#calls.get(said.data.id);
    this.#calls.delete(said.data.id);
    if ("ok" in said.data) return call?.resolve(said.data.ok);
    const { code, message } = said.data.error;
    call?.reject(this.#fail(code, message));
  }

  #waiting(now: number): { calls: number; usual: number } {
    const own = this.#ownTime(now);
    const late = [...this.#calls.values()].find(({ deadline }) => own > deadline);
    if (late) {
      const { seconds } = this.#command;
      this.#fail("memory-timeout", `gave no answer to ${late.method} within ${seconds} s`);
    }
    return { calls: this.#calls.size, usual: 20 };
  }

  /** A clock that stands still while the memory waits for a model. */
  #ownTime(now: number): number {
    return now - (this.#command.waited?.() ?? 0);
  }

  #fail(kind: MemoryErrorKind, what: string): MemoryError {
    const error = this.#error(kind, what);
    this.#end(error);
    return this.#failed ?? error;
  }

  #end(error: MemoryError): void {
    if (this.#failed) return;
    this.#failed = error;
    for (const call of this.#calls.values()) call.reject(error);
    this.#calls.clear();
    this.#wire.then((wire) => wire.close(), () => {});
    const { pid } = this.#server.child;
    for (const each of [...(pid === undefined ? [] : [-pid]), ...processesAt(this.#folder)]) {
      try {
        process.kill(each, "SIGKILL"); // the memory leads a group of its own
      } catch { /* it has ended */ }
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #error(kind: MemoryErrorKind, what: string): MemoryError {
    const line = safeText(what.replaceAll(/\s+/g, " ")).slice(0, 600);
    return new MemoryError(kind, `the memory ${this.#command.id} ${line}`);
  }
}

/** Processes whose home is a folder: those that a memory has started as daemons. Linux alone. */
function processesAt(folder: string): number[] {
  const isAt = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`HOME=${folder}`);
    } catch {
      return false; // it is another user's, or has ended
    }
  };
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isAt(name)).map(Number);
}

/**
 * The environment of a memory: nothing of the lab's own but paths and the language, since it may
 * hold keys. Its home is its folder, so that packages leave nothing behind.
 */
export function surroundings(folder: string): Record<string, string> {
  return {
    PATH: env("PATH") ?? "",
    LANG: "C.UTF-8",
    HOME: folder,
    TMPDIR: folder,
    PYTHONPATH: join(checkoutRoot(), "envs", "src"),
    PYTHONHASHSEED: "0",
    PYTHONDONTWRITEBYTECODE: "1",
    ...(env("PYTHONPYCACHEPREFIX") && { PYTHONPYCACHEPREFIX: env("PYTHONPYCACHEPREFIX") ?? "" }),
    OMP_NUM_THREADS: "1",
  };
}

/**
 * The interpreter of a folder's own environment (`.venv` there or in a folder above it), else that
 * of the lab; `LAB_MEMORY_PYTHON` overrides both.
 */
export function pythonFor(folder: string): string {
  const given = env("LAB_MEMORY_PYTHON");
  if (given !== undefined) return given;
  for (let at = folder;; at = join(at, "..")) {
    const python = join(at, ".venv", "bin", "python");
    if (existsSync(python)) return python;
    if (join(at, "..") === at) break;
  }
  return join(checkoutRoot(), "envs", ".venv", "bin", "python");
}
