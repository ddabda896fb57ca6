/**
 * The world server as a child of this process: it is started on demand, restarted if it dies, and
 * ends with this process.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { detach, type ServerProcess, startServer, stopServer } from "../child-server.ts";
import { WorldError } from "../errors.ts";
import { checkoutRoot } from "../platform.ts";
import { Connection } from "./connection.ts";

/**
 * Lease of a session on the lab's own server: a week, so that none expires while a model answers.
 */
const LEASE_SECONDS = 7 * 24 * 3600;
/** Sessions on the lab's own server: as many as memory allows, which the server sees to. */
const SESSIONS = 100_000;

/**
 * Path of the Python interpreter that runs the world server.
 * @throws {WorldError} `not-started` if the Python worlds are not installed.
 */
export function serverCommand(root: string = checkoutRoot()): string {
  const python = join(root, "envs", ".venv", "bin", "python");
  if (existsSync(python)) return python;
  throw new WorldError(
    "not-started",
    `cannot start the world server: ${python} is missing; install the Python worlds with: uv sync --all-extras --project envs`,
  );
}

export function spawnServer(args: readonly string[], root: string = checkoutRoot()): ServerProcess {
  return startServer(serverCommand(root), ["-m", "labyrinth_envs", "serve", "--parent", ...args], {
    env: { LABYRINTH_CACHE: join(root, ".lab", "games") },
    failure: (why) => new WorldError("not-started", `the world server did not start (${why})`),
  });
}

export class Supervisor {
  #running:
    | { readonly server: ServerProcess; readonly connection: Promise<Connection> }
    | undefined;

  /**
   * @param root the checkout that has the Python worlds; `checkoutRoot()` when the server starts,
   *   if it is left out
   */
  constructor(readonly root?: string) {}

  /**
   * The connection to the server that runs now. Calls on the connection of one that has died end
   * with `worker-died`.
   */
  connection(): Promise<Connection> {
    this.#running ??= this.#start();
    return this.#running.connection;
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    await running.connection.then((connection) => connection.close(), () => {});
    await stopServer(running.server);
  }

  #start(): { server: ServerProcess; connection: Promise<Connection> } {
    const server = spawnServer([
      "--lease",
      String(LEASE_SECONDS),
      "--max-sessions",
      String(SESSIONS),
    ], this.root);
    const connection = server.ready.then(({ endpoint }) => {
      detach(server.child);
      return new Connection({ endpoint });
    });
    const running = { server, connection };
    server.exited.then(async (why) => {
      if (this.#running === running) this.#running = undefined;
      const message =
        `the world server has died (${why}), and its sessions with it; open the world again`;
      await connection.then(
        (connection) => connection.close(new WorldError("worker-died", message)),
        () => {},
      );
    });
    return running;
  }
}
