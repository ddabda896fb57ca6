/**
 * The catalogue of worlds: those of a world server, remote or started by the lab, and those of this
 * process (questions and claims).
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { checkoutRoot, env, interruptSignal, unlessAborted } from "../platform.ts";
import { Connection } from "./connection.ts";
import type { EnvSpec, MeasuredEnvironment, WorldEntry } from "./environment.ts";
import type { LocalWorld, LocalWorlds } from "./questions/local-world.ts";
import { createOpeningQueue } from "./opening-queue.ts";
import { Supervisor } from "./server.ts";
import { openSession } from "./session.ts";
import type { CurveKeys } from "./wire.ts";
import { isLocalEndpoint } from "./worker-line.ts";
import { openWorldsCache, type WorldsCache } from "./worlds-cache.ts";

/** A catalogue of worlds, and the function that opens them. Every method may throw `WorldError`. */
export interface Worlds {
  /** The catalogue, sorted by id. */
  list(): Promise<readonly WorldEntry[]>;
  /**
   * Opens a world; omitted parameters take their defaults. Call `reset` next. If the server is
   * full, the call waits for a free session, except with `queue: false`: a holder of a session must
   * not wait for another one.
   */
  open(
    id: string,
    params?: Readonly<Record<string, unknown>>,
    options?: { readonly queue?: boolean },
  ): Promise<MeasuredEnvironment>;
  /**
   * Finds what a world is without leaving it open; worlds that have no shorter way are opened and
   * closed.
   */
  specOf?(id: string, params?: Readonly<Record<string, unknown>>): Promise<EnvSpec>;
  /** Closes all open worlds, and the lab's own server if nobody else uses it. */
  close(): Promise<void>;
}

/** Options of {@linkcode connectWorlds}. */
export interface WorldsOptions {
  /**
   * A running server, `tcp://host:port`.
   * @default `LAB_WORLDS`; if that is unset, the lab starts a server of its own
   */
  readonly endpoint?: string;
  /**
   * Folder that holds `client.key_secret`, as `./lab keys` writes it.
   * @default `LAB_WORLDS_KEYS`
   */
  readonly keys?: string;
  /** Returns, at each call, the signal that ends the call. @default the user's interrupt */
  readonly signal?: () => AbortSignal | undefined;
  /** Called with one line of text before work that may take minutes (a corpus is indexed). */
  readonly onDelay?: (what: string) => void;
  /**
   * Whether steps go straight to the processes of worlds where these are on this machine, and not
   * through their server.
   * @default {true}
   */
  readonly direct?: boolean;
  /** Milliseconds after which a silent server at `endpoint` counts as gone. @default {10000} */
  readonly silence?: number;
}

/**
 * Connects to worlds; `await using` closes them. No server is started or contacted before the first
 * call, and an idle connection keeps no process alive.
 *
 * @throws {UsageError} if the folder of keys holds none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { connectWorlds } from "labyrinth/env";
 *
 * await using worlds = connectWorlds();
 * const env = await worlds.open("textworld/hunt", { stepLimit: 2 });
 * await env.reset();
 * await env.step("look");
 * const turn = await env.step("inventory");
 * assert.equal(turn.observation.trim(), "You are carrying nothing.");
 * assert.equal(turn.end, "limit");
 * ```
 */
export function connectWorlds(options: WorldsOptions = {}): Worlds & AsyncDisposable {
  const { signal = interruptSignal, onDelay, direct = true } = options;
  const isRemote = (options.endpoint ?? env("LAB_WORLDS")) !== undefined;
  const source = isRemote ? remote(options) : local();
  let opened: WorldsCache | undefined;
  const cache = (): WorldsCache | undefined =>
    isRemote ? undefined : opened ??= openWorldsCache(checkoutRoot());
  const open = new Set<MeasuredEnvironment>();
  const queue = createOpeningQueue({ held: () => open.size, signal, onDelay });
  const connect = async (): Promise<Connection> =>
    await unlessAborted(source.connection(), signal());

  async function openNow(
    id: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<MeasuredEnvironment> {
    const connection = await connect();
    const session = await openSession(connection, id, params, {
      signal,
      direct: direct && isLocalEndpoint(connection.endpoint),
      closed: (session) => {
        open.delete(session);
        queue.closed();
      },
    });
    open.add(session);
    return session;
  }

  async function listServed(): Promise<readonly WorldEntry[]> {
    const { ok } = await (await connect()).call("list", {}, { signal: signal() });
    const served = ok.worlds.map(({ problem, ...entry }) => ({
      ...entry,
      problem: problem ?? undefined,
    }));
    cache()?.rememberCatalogue(served);
    return served;
  }

  const worlds = {
    async list(): Promise<readonly WorldEntry[]> {
      const served = cache()?.catalogue() ?? await listServed();
      const local = Object.entries(await localWorlds()).map((
        [id, { doc, parameters, problem }],
      ) => ({
        id,
        doc,
        parameters,
        problem: problem(),
      }));
      return [...served, ...local].sort((a, b) => a.id < b.id ? -1 : 1);
    },
    async open(
      id: string,
      params: Readonly<Record<string, unknown>> = {},
      options: Parameters<Worlds["open"]>[2] = {},
    ): Promise<MeasuredEnvironment> {
      const own = await localWorld(id);
      if (own) { // it is in this process: there is no server to ask and no session to close
        const interrupt = signal();
        interrupt?.throwIfAborted();
        return await own.open(params, { signal: interrupt, onDelay });
      }
      return await (options.queue === false
        ? openNow(id, params)
        : queue.run(() => openNow(id, params)));
    },
    async specOf(id: string, params: Readonly<Record<string, unknown>> = {}): Promise<EnvSpec> {
      const known = cache()?.spec(id, params);
      if (known) return known;
      const env = await worlds.open(id, params);
      await env.close();
      if (!await localWorld(id)) cache()?.rememberSpec(id, params, env.spec);
      return env.spec;
    },
    async close(): Promise<void> {
      opened?.save();
      await Promise.allSettled([...open].map((session) => session.close()));
      await source.release();
    },
    [Symbol.asyncDispose](): Promise<void> {
      return worlds.close();
    },
  };
  CONNECTED.add(worlds);
  return worlds;
}

async function localWorlds(): Promise<LocalWorlds> {
  return (await import("./questions/worlds.ts")).LOCAL_WORLDS;
}

async function localWorld(id: string): Promise<LocalWorld | undefined> {
  const worlds = await localWorlds();
  return Object.hasOwn(worlds, id) ? worlds[id] : undefined;
}

const CONNECTED = new WeakSet<object>();

export function isConnected(worlds: object): boolean {
  return CONNECTED.has(worlds);
}

interface Source {
  connection(): Promise<Connection>;
  release(): Promise<void>;
}

function remote(options: WorldsOptions): Source {
  const endpoint = options.endpoint ?? env("LAB_WORLDS") ?? "";
  const folder = options.keys ?? env("LAB_WORLDS_KEYS");
  const connection = new Connection({
    endpoint,
    keys: folder === undefined ? undefined : readKeys(folder),
    silence: options.silence,
  });
  return {
    connection: () => Promise.resolve(connection),
    release: () => Promise.resolve(connection.close()),
  };
}

const supervisor = new Supervisor();
let users = 0;

function local(): Source {
  let using = false;
  return {
    connection(): Promise<Connection> {
      if (!using) users += 1;
      using = true;
      return supervisor.connection();
    },
    async release(): Promise<void> {
      if (!using) return;
      using = false;
      await stopUsing();
    },
  };
}

async function stopUsing(): Promise<void> {
  users -= 1;
  if (users === 0) await supervisor.stop();
}

/**
 * Keeps the lab's own server until disposed of: the studies of a command start one for all of them
 * (2 s of processor time).
 */
export function keepServer(): AsyncDisposable {
  users += 1;
  return { [Symbol.asyncDispose]: stopUsing };
}

function readKeys(folder: string): CurveKeys {
  const path = join(folder, "client.key_secret");
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new UsageError(
      `cannot read the keys of this client from ${path}; copy the file from ./lab keys there`,
    );
  }
  const [publicKey, secretKey, serverKey] = ["public-key", "secret-key", "server-key"]
    .map((name) => text.match(new RegExp(`^\\s*${name}\\s*=\\s*"(.{40})"\\s*$`, "m"))?.[1]);
  if (!publicKey || !secretKey || !serverKey) {
    throw new UsageError(
      `${path} holds no keys of a client; copy the file from ./lab keys there`,
    );
  }
  return { publicKey, secretKey, serverKey };
}
