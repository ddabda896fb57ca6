/** The record of replies: each request in the form that is hashed, and the reply to it. */

import type { SQLOutputValue } from "node:sqlite";
import { canonicalJson, sha256 } from "../../core/text/canonical.ts";
import { isEqual, rowHash } from "./digest.ts";
import { damagedRow } from "./errors.ts";
import type { Store } from "./open.ts";
import { createTable, hidden, json, rounded } from "./table.ts";
import { type Columns, insertRow } from "./texts.ts";

/**
 * A request in the form that is hashed, plain JSON: `role`, `model`, `messages` (pictures by
 * SHA-256), `tools`, `schema`, `sampling`, `n` and `sample`, where absent parts have their
 * defaults.
 */
export type KeyedRequest = Readonly<Record<string, unknown>> & {
  readonly role: string;
  readonly model: string;
};

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
  hash: hidden,
  request: { write: hashedForm, read: JSON.parse },
  reply: json,
  at: rounded,
});

/** Computes the key of a request: SHA-256 (hex) over its canonical JSON. */
export function replyKey(request: KeyedRequest): string {
  return sha256(hashedForm(request));
}

function hashedForm(request: KeyedRequest): string {
  return hashedForms.getOrInsertComputed(request, canonicalJson);
}

const hashedForms = new WeakMap<KeyedRequest, string>();

/** Records a reply. One that is recorded under the key stays, unless `replace` is set. */
export function putReply(
  store: Store,
  row: ReplyRow,
  { replace = false }: { readonly replace?: boolean } = {},
): void {
  const { role, model } = row.request;
  store.transaction(() => {
    if (!replace && store.prepare("select 1 from main.packed_replies where key = ?").get(row.key)) {
      return;
    }
    const { request, ...columns } = REPLIES.write({ ...row, role, model });
    insertRow(
      store,
      "replies",
      { ...columns, request, hash: rowHash("replies", columns) },
      "or replace",
    );
  });
}

/**
 * Finds the reply recorded under a key; `undefined` if there is none.
 * @throws {StoreError} `damaged` if it is not as it was recorded.
 */
export function getReply(store: Store, key: string): unknown {
  const row = store.prepare(
    "select key, role, model, reply, endpoint, code_version, at, hash from replies where key = ?",
  ).get(key);
  if (row && !isAsHashed(row)) throw damagedRow(store.path, `the reply ${key.slice(0, 16)}`);
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
  return row && readReply(store, row);
}

function readReply(store: Store, row: Record<string, SQLOutputValue>): ReplyRow {
  if (!isWholeReply(row)) {
    throw damagedRow(store.path, `the reply ${String(row["key"]).slice(0, 16)}`);
  }
  return REPLIES.read(row);
}

/**
 * Finds a recorded request by its key, without the reply; `undefined` if there is none. @throws
 * {StoreError} `damaged` if it is not as it was recorded.
 *
 * @example
 * ```ts
 * import { getRequest, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no reply yet
 * assert.equal(getRequest(store, "0".repeat(64)), undefined);
 * ```
 */
export function getRequest(store: Store, key: string): KeyedRequest | undefined {
  const request = store.prepare("select request from replies where key = ?").get(key)?.["request"];
  if (request === undefined) return undefined;
  if (typeof request !== "string" || sha256(request) !== key) {
    throw damagedRow(store.path, `the reply ${key.slice(0, 16)}`);
  }
  return JSON.parse(request) as KeyedRequest;
}

/** Whether a row of `replies` is as recorded: the request by its key, the rest by its hash. */
export function isWholeReply({ request, ...row }: Columns): boolean {
  return typeof request === "string" && sha256(request) === row["key"] && isAsHashed(row);
}

function isAsHashed({ hash, ...row }: Columns): boolean {
  return hash instanceof Uint8Array && isEqual(hash, rowHash("replies", row));
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
export function* listReplies(
  store: Store,
  role: string,
  options: { readonly limit?: number } = {},
): Generator<ReplyRow> {
  const rows = store.prepare("select * from replies where role = ? order by at desc, key limit ?")
    .all(role, options.limit ?? -1);
  for (const row of rows) yield readReply(store, row);
}
