import { Buffer } from "node:buffer";
import { z } from "zod";
import { WorldError } from "../errors.ts";
import { jsonOf } from "../text/json.ts";
import {
  type Method,
  METHODS,
  type Ok,
  type Params,
  PROTOCOL_VERSION,
  replyMessage,
} from "./protocol.ts";

export interface Answer<M extends Method> {
  readonly ok: Ok<M>;
  readonly images: readonly Uint8Array[];
}

export interface Reply {
  readonly id?: string;
  /**
   * Reads the answer.
   * @throws {WorldError} the server's own error, or `version` if the reply cannot be read
   */
  answer<M extends Method>(method: M): Answer<M>;
}

export function encodeRequest<M extends Method>(
  id: string,
  method: M,
  params: Params<M>,
  before = 0,
): Buffer {
  const text = JSON.stringify({ v: PROTOCOL_VERSION, id, method, params });
  const request = Buffer.allocUnsafe(before + Buffer.byteLength(text));
  request.write(text, before);
  return request;
}

/** Reads a reply: JSON, then pictures. `from` names its sender in errors. */
export function readReply([head, ...images]: readonly Uint8Array[], from: string): Reply {
  const json = parse(head);
  const id = (json as { id?: unknown } | undefined | null)?.id;
  return {
    id: typeof id === "string" ? id : undefined,
    answer: <M extends Method>(method: M): Answer<M> => {
      const reply = replyMessage.safeParse(json);
      if (!reply.success) throw unreadable(from, method, z.prettifyError(reply.error));
      if (reply.data.v !== PROTOCOL_VERSION) {
        throw unreadable(from, method, `it is of protocol version ${reply.data.v}`);
      }
      if ("error" in reply.data) {
        throw new WorldError(reply.data.error.code, reply.data.error.message);
      }
      const ok = METHODS[method].ok.safeParse(reply.data.ok);
      if (!ok.success) throw unreadable(from, method, z.prettifyError(ok.error));
      return { ok: ok.data as Ok<M>, images: images.map((image) => new Uint8Array(image)) };
    },
  };
}

function parse(head: Uint8Array = new Uint8Array()): unknown {
  return jsonOf(Buffer.from(head.buffer, head.byteOffset, head.length).toString());
}

function unreadable(from: string, method: Method, what: string): WorldError {
  const complaint = what.replaceAll(/\s+/g, " ").slice(0, 300);
  return new WorldError(
    "version",
    `cannot read the answer of ${from} to ${method}: ${complaint}; bring client and server to the same release`,
  );
}
