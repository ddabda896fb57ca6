/** The record of replies: each request in the form that is hashed, and the reply to it. */

import { Buffer } from "node:buffer";
import type { SQLOutputValue } from "node:sqlite";
import { requestBytes } from "./bodies.ts";
import { canonicalJson, sha256 } from "../../core/text/canonical.ts";
import { damagedRow } from "./errors.ts";
import type { Store } from "./open.ts";
import { isAsHashed } from "./row-hash.ts";
import { createTable, hidden, json, rounded } from "./table.ts";

/**
 * A request in the form that is hashed, plain JSON: `role`, `model`, `messages` (pictures by SHA-256), `tools`, `schema`, `sampling`, `n`
 * and `sample`, where absent parts have their defaults.
 */
export type KeyedRequest = Readonly<Record<string, unknown>> & { readonly role: string; readonly model: string };

/** A recorded reply. */
export interface ReplyRow<Reply = unknown> {
  /** SHA-256 (hex) over the canonical JSON of `request`. */
  readonly key: string;
  /** The request. */
  readonly request: KeyedRequest;
  /** The whole reply as JSON: a `ChatReply` with all choices and its usage. */
  readonly reply: Reply;
  /** Host that answered, or `local`; not hashed. */
  readonly endpoint: string;
  /** Version of the code that asked; not hashed. */
  readonly codeVersion: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const REPLIES = createTable<ReplyRow & Pick<KeyedRequest, "role" | "model">>("replies", {
  role: hidden,
  model: hidden,
  request: {
    write: (request: KeyedRequest) => Buffer.from(hashedForm(request)),
    read: (column: Uint8Array) => JSON.parse(Buffer.from(requestBytes(column)).toString()),
  },
  reply: json,
  at: rounded,
}, { hashed: true });

/** Computes the key of a request: SHA-256 (hex) over its canonical JSON. */
export function replyKey(request: KeyedRequest): string {
  return sha256(hashedForm(request));
}

/** The canonical JSON of a request, which is written once for its key and its row. */
function hashedForm(request: KeyedRequest): string {
  return hashedForms.getOrInsertComputed(request, canonicalJson);
}

const hashedForms = new WeakMap<KeyedRequest, string>();

/**
 * Records a reply. A reply that is recorded already under the key is kept, unless `replace` is set. `near` names what asks similar questions, such
 * as an episode: its requests are stored as differences.
 */
export function putReply(store: Store, row: ReplyRow, { replace = false, near }: PutReplyOptions = {}): void {
  const { role, model } = row.request;
  store.transaction(() => {
    const there = store.prepare("select request, request_body, reply_body from main.packed_replies where key = ?").get(row.key);
    if (there && !replace) return;
    if (there) store.prepare("delete from main.bodies where id = ? and base is not null").run(there["reply_body"] ?? null);
    const written = there && { request: there["request"], request_body: there["request_body"] };
    REPLIES.insert(store, { ...row, role, model }, { conflict: "or replace", near, written });
  });
}

/** Options of `putReply`. */
export interface PutReplyOptions {
  readonly replace?: boolean;
  readonly near?: string;
}

/** Finds the reply recorded under a key, without its request; `undefined` if there is none. @throws {StoreError} `damaged` if it is not as it was recorded. */
export function getReply(store: Store, key: string): unknown {
  // One that cannot be written may be of a version without hashes.
  const columns = store.readOnly ? "*" : "key, role, model, reply, endpoint, code_version, at, hash";
  const row = store.prepare(`select ${columns} from replies where key = ?`).get(key);
  if (row && isAsHashed("replies", row) === false) throw damagedRow(store.path, `the reply ${key.slice(0, 16)}`);
  return row && REPLIES.read(row).reply;
}

/**
 * Finds a recorded reply with its request; `undefined` if there is none.
 *
 * @throws {StoreError} `damaged` if it is not as it was recorded.
 *
 * @example
 * ```ts
 * import { getReplyRow, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no reply yet
 * assert.equal(getReplyRow(store, "0".repeat(64)), undefined);
 * ```
 */
export function getReplyRow(store: Store, key: string): ReplyRow | undefined {
  const row = store.prepare("select * from replies where key = ?").get(key);
  if (row && !isWholeReply(row)) throw damagedRow(store.path, `the reply ${key.slice(0, 16)}`);
  return row && REPLIES.read(row);
}

/** Finds a recorded request by its key, without the reply; `undefined` if there is none. @throws {StoreError} `damaged` if it is not as it was recorded. */
export function getRequest(store: Store, key: string): KeyedRequest | undefined {
  const row = store.prepare("select request from replies where key = ?").get(key);
  if (!row) return undefined;
  if (!isWholeRequest(row["request"], key)) throw damagedRow(store.path, `the reply ${key.slice(0, 16)}`);
  return REPLIES.read(row).request;
}

/** Whether a row of `replies` is as it was recorded: reply and metadata by their hash, the request by its key. */
export function isWholeReply(row: Readonly<Record<string, SQLOutputValue>>): boolean {
  return isAsHashed("replies", row) !== false && isWholeRequest(row["request"], row["key"]);
}

function isWholeRequest(column: SQLOutputValue | undefined, key: SQLOutputValue | undefined): boolean {
  try {
    return sha256(requestBytes(column)) === key;
  } catch {
    return false;
  }
}

/**
 * Yields the recorded replies of a role, latest first, replies of equal time by key.
 *
 * @example
 * ```ts
 * import { createModels, localProvider, scripted } from "labyrinth";
 * import { listReplies, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const mine = scripted(["hello"], { id: "mine" });
 * const model = createModels({ map: { "*": "mine" }, store, codeVersion: "0", providers: [localProvider(mine)] });
 * await model.chat({ role: "demo/greet", messages: [{ role: "user", content: "Hi" }] });
 * const [row] = [...listReplies(store, "demo/greet", { limit: 1 })];
 * assert.deepEqual([row?.request.model, row?.codeVersion], ["mine", "0"]);
 * ```
 */
export function* listReplies(store: Store, role: string, options: { readonly limit?: number } = {}): Generator<ReplyRow> {
  const rows = store.prepare("select * from replies where role = ? order by at desc, key limit ?").all(role, options.limit ?? -1);
  for (const row of rows) yield REPLIES.read(row);
}
