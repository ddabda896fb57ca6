/**
 * The direct way to a session on this machine: calls go to its worker's Unix socket, while the
 * server opens, closes and watches.
 */

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers";
import { loadModule, unlessAborted } from "../platform.ts";
import { type Caller, type CallOptions, Connection } from "./connection.ts";
import { type Answer, encodeRequest, readReply, type Reply } from "./messages.ts";
import type { Method, Params } from "./protocol.ts";

/**
 * Longest time of one call, in ms, as on the other way; the server kills a worker that takes too
 * long well before.
 */
const TIMEOUT = 600_000;
/**
 * Part of that time between two looks at the calls: a timer for each call would take a fifth of the
 * client's processor time.
 */
const LOOKS = 10;
const HEADER = 8;
const OF_SERVER: readonly Method[] = ["hello", "list", "open", "close", "ping", "direct"];

interface Pending {
  readonly asked: number;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (broken: typeof BROKEN | Error) => void;
}

/** Why a pending call ends when the socket does: it is then made by the server. */
const BROKEN = Symbol("the socket is closed");

export function isLocalEndpoint(endpoint: string): boolean {
  return /^(ipc:\/\/|tcp:\/\/(127\.[\d.]+|localhost|\[::1\]):)/.test(endpoint);
}

/**
 * Opens the direct way to a session. If there is none (an older server, a container, another user's
 * worker) or its socket breaks, calls go through the server under the same ids: the worker carries
 * out an id once.
 */
export async function openWorkerLine(
  connection: Connection,
  session: string,
): Promise<Caller & { close(): void }> {
  const socket = await connection.call("direct", { session }).then(
    ({ ok }) => connectTo(ok.path),
    () => undefined,
  );
  return new WorkerLine(connection, socket);
}

/** A connected socket, or `undefined` if there is no way. It alone keeps no process alive. */
function connectTo(path: string): Promise<Socket | undefined> {
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  const socket = loadModule<typeof import("node:net")>("node:net").connect(path);
  socket.once("connect", () => resolve(socket)).once("error", () => resolve(undefined));
  return promise;
}

class WorkerLine implements Caller {
  readonly #connection: Connection;
  readonly #pending = new Map<string, Pending>();
  readonly #read = new FrameReader();
  #socket: Socket | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(connection: Connection, socket: Socket | undefined) {
    this.#connection = connection;
    this.#socket = socket;
    if (socket) this.#watch = setInterval(() => this.#endLate(), TIMEOUT / LOOKS).unref();
    socket?.unref();
    socket?.on("data", (data: Buffer) => this.#receive(data)).on("error", () => this.close()).on(
      "close",
      () => this.close(),
    );
  }

  async call<M extends Method>(
    method: M,
    params: Params<M>,
    { id = Connection.id(), signal }: CallOptions = {},
  ): Promise<Answer<M>> {
    signal?.throwIfAborted();
    if (this.#socket && !OF_SERVER.includes(method)) {
      try {
        return (await this.#ask(
          this.#socket,
          id,
          encodeRequest(id, method, params, HEADER),
          signal,
        )).answer(method);
      } catch (error) {
        if (error !== BROKEN) throw error;
      }
    }
    return await this.#connection.call(method, params, { id, signal });
  }

  close(): void {
    clearInterval(this.#watch);
    this.#socket?.destroy();
    this.#socket = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(BROKEN);
  }

  #endLate(): void {
    const now = performance.now();
    if ([...this.#pending.values()].some(({ asked }) => now - asked > TIMEOUT)) this.close();
  }

  /** @param message a request after room for its header */
  async #ask(
    socket: Socket,
    id: string,
    message: Buffer,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    if (this.#pending.size === 0) socket.ref(); // a process lives until its calls are answered
    this.#pending.set(id, { asked: performance.now(), resolve, reject });
    message.writeUInt32LE(1, 0);
    message.writeUInt32LE(message.length - HEADER, 4);
    socket.write(message);
    try {
      return await unlessAborted(promise, signal);
    } finally {
      this.#pending.delete(id);
      if (this.#pending.size === 0) socket.unref();
    }
  }

  #receive(data: Buffer): void {
    for (const frames of this.#read.push(data)) {
      const reply = readReply(frames, "this session's worker");
      this.#pending.get(reply.id ?? "")?.resolve(reply); // else an answer to an abandoned call
    }
  }
}

/**
 * Puts messages together: the number of frames and the bytes of each as 32-bit integers, lowest
 * byte first, and then the frames.
 */
class FrameReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Bytes that the next message takes at least. */
  #wanted = 4;

  *push(part: Buffer): Generator<Uint8Array[]> {
    this.#parts.push(part);
    this.#bytes += part.length;
    while (this.#bytes >= this.#wanted) {
      const all = this.#parts.length === 1 ? this.#parts[0] as Buffer : Buffer.concat(this.#parts);
      const { frames, end } = readFrames(all);
      const rest = frames ? all.subarray(end) : all;
      this.#parts = [rest];
      this.#bytes = rest.length;
      this.#wanted = frames ? 4 : end;
      if (frames) yield frames;
    }
  }
}

function readFrames(bytes: Buffer): { readonly frames?: Uint8Array[]; readonly end: number } {
  const count = bytes.readUInt32LE(0);
  const start = 4 + 4 * count;
  if (bytes.length < start) return { end: start };
  const sizes = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(4 + 4 * index));
  const end = sizes.reduce((sum, size) => sum + size, start);
  if (bytes.length < end) return { end };
  let at = start;
  return { frames: sizes.map((size) => bytes.subarray(at, at += size)), end };
}
