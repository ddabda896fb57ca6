/**
 * The world server as a child of this process: it is started on demand, restarted if it dies, and ends with this process.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { z } from "zod";
import { WorldError } from "../errors.ts";
import { checkoutRoot } from "../platform.ts";
import { Connection } from "./connection.ts";

/** A server that has been started. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Resolves to the server's endpoint; rejects with `not-started` and its last lines of standard error if it ends first. */
  readonly ready: Promise<{ readonly endpoint: string; readonly pid: number }>;
  /** Resolves with the reason, in words, when the server has ended. */
  readonly exited: Promise<string>;
}

/** Longest time of a start, in ms; from a cold disk the Python packages load slowly. */
const START_TIMEOUT = 90_000;
/** Time that a server has to end by itself before it is killed, in ms. */
const GRACE = 10_000;
/** Time to wait for its standard error after its end, in ms. */
const LAST_WORDS = 200;
/** Lines of its standard error that are kept for an error message. */
const LAST_LINES = 3;
/** Lease of a session on the lab's own server: a week, so that none expires while a model answers. */
const LEASE_SECONDS = 7 * 24 * 3600;

const readyLine = z.object({ ready: z.literal(true), endpoint: z.string(), pid: z.int() });

/** Path of the Python interpreter that runs the world server. @throws {WorldError} `not-started` if the Python worlds are not installed. */
export function serverCommand(root: string = checkoutRoot()): string {
  const python = join(root, "envs", ".venv", "bin", "python");
  if (existsSync(python)) return python;
  throw new WorldError(
    "not-started",
    `cannot start the world server: ${python} is missing; install the Python worlds with: uv sync --all-extras --project envs`,
  );
}

/** Starts a server that lives no longer than this process: it ends when its standard input does, however this process dies. */
export function spawnServer(args: readonly string[], root: string = checkoutRoot()): ServerProcess {
  const python = serverCommand(root);
  const child = spawn(python, ["-m", "labyrinth_envs", "serve", "--parent", ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    // In a group of its own, so that Ctrl-C reaches the lab alone, which ends its calls in order.
    detached: true,
    env: { LABYRINTH_CACHE: join(root, ".lab", "games"), ...process.env },
  });
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lastLines.push(line.trim());
    if (lastLines.length > LAST_LINES) lastLines.shift();
  });
  child.stdin.on("error", () => {}); // it has ended: `exited` says so

  const exited = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => {
      const tell = (): void => resolve([signal ? `killed by ${signal}` : `status ${code}`, ...lastLines].join(": "));
      child.once("close", tell); // its last words have come
      setTimeout(tell, LAST_WORDS).unref(); // or a worker that outlives it for a moment holds its standard error open
    });
  });
  const ready = new Promise<{ endpoint: string; pid: number }>((resolve, reject) => {
    const fail = (why: string): void => reject(new WorldError("not-started", `the world server did not start (${why})`));
    const timer = setTimeout(() => {
      fail(`it was not ready within ${START_TIMEOUT / 1000} s`);
      child.kill("SIGKILL");
    }, START_TIMEOUT);
    createInterface({ input: child.stdout }).once("line", (line) => {
      clearTimeout(timer);
      const said = readyLine.safeParse(parseJson(line));
      if (said.success) resolve(said.data);
      else fail(`it said ${line.slice(0, 200)}`);
    });
    exited.then((why) => {
      clearTimeout(timer);
      fail(why);
    });
  });
  ready.catch(() => {}); // whoever waits for it hears of it
  return { child, ready, exited };
}

/** Keeps one server for this process: starts it when it is first needed, and again after it has died. */
export class Supervisor {
  #running: { readonly server: ServerProcess; readonly connection: Promise<Connection> } | undefined;

  /** @param root the checkout that has the Python worlds; `checkoutRoot()` when the server starts, if it is left out */
  constructor(readonly root?: string) {}

  /** The connection to the server that runs now. Calls on the connection of one that has died end with `worker-died`. */
  connection(): Promise<Connection> {
    this.#running ??= this.#start();
    return this.#running.connection;
  }

  /** Stops the server and waits until it has ended; its workers end with it. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    const { child, exited } = running.server;
    await running.connection.then((connection) => connection.close(), () => {});
    child.ref();
    child.stdin?.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), GRACE);
    await exited;
    clearTimeout(timer);
  }

  #start(): { server: ServerProcess; connection: Promise<Connection> } {
    const server = spawnServer(["--lease", String(LEASE_SECONDS)], this.root);
    const connection = server.ready.then(({ endpoint }) => {
      detach(server.child);
      return new Connection({ endpoint });
    });
    const running = { server, connection };
    server.exited.then(async (why) => {
      if (this.#running === running) this.#running = undefined;
      const message = `the world server has died (${why}), and its sessions with it; open the world again`;
      await connection.then((connection) => connection.close(new WorldError("worker-died", message)), () => {});
    });
    return running;
  }
}

/** Lets this process exit although the child runs; the child then sees the end of its standard input. */
function detach(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
