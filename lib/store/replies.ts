/**
 * The record of replies: what was asked, in the form that is keyed, and what came back.
 *
 * @module
 */

import { deflateSync, inflateSync } from "node:zlib";
import { canonicalJson, sha256 } from "./canonical.ts";
import type { Store } from "./open.ts";

/**
 * A request as it is keyed, plain JSON: `role` and `model`; beside them `messages` (pictures by SHA-256), `tools`, `schema`, `sampling`,
 * `n` and `sample`, absent ones by their defaults.
 */
export type KeyedRequest = Readonly<Record<string, unknown>> & { readonly role: string; readonly model: string };

/** A recorded reply. `Reply` is JSON. */
export interface ReplyRow<Reply = unknown> {
  /** SHA-256 (hex) over the canonical JSON of `request`. */
  readonly key: string;
  /** What was asked, as it is keyed: see `KeyedRequest`. */
  readonly request: KeyedRequest;
  /** What came back, whole: a `ChatReply`, all choices and usage with it. */
  readonly reply: Reply;
  /** Where it came from: recorded, not keyed. */
  readonly endpoint: string;
  /** Version of the code that asked: recorded, not keyed. */
  readonly codeVersion: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The key under which a request's reply is recorded. */
export function replyKey(request: KeyedRequest): string {
  return sha256(canonicalJson(request));
}

/** Records a reply. One already recorded under the key stays, unless it is to be replaced. */
export function putReply(store: Store, row: ReplyRow, options: { readonly replace?: boolean } = {}): void {
  const insert = store.prepare(
    `insert or ${options.replace ? "replace" : "ignore"} into replies (key, role, model, request, reply, endpoint, code_version, at)
    values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  store.transaction(() =>
    insert.run(
      row.key,
      row.request.role,
      row.request.model,
      deflateSync(canonicalJson(row.request), { level: 1 }),
      JSON.stringify(row.reply),
      row.endpoint,
      row.codeVersion,
      Math.round(row.at),
    )
  );
}

/** The reply recorded under a key, without its request (a replay needs none). */
export function getReply(store: Store, key: string): unknown {
  const row = store.prepare("select reply from replies where key = ?").get(key);
  return row && JSON.parse(String(row.reply));
}

/** A recorded reply with its request. */
export function getReplyRow(store: Store, key: string): ReplyRow | undefined {
  const row = store.prepare("select * from replies where key = ?").get(key);
  return row && toReply(row);
}

/**
 * The recorded replies of a role, latest first (equal times: by key).
 *
 * @example
 * ```ts
 * import { createModels, localProvider, scripted } from "labyrinth/llm";
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
  for (const row of rows) yield toReply(row);
}

function toReply(row: Record<string, unknown>): ReplyRow {
  return {
    key: String(row.key),
    request: JSON.parse(inflateSync(row.request as Uint8Array).toString()),
    reply: JSON.parse(String(row.reply)),
    endpoint: String(row.endpoint),
    codeVersion: String(row.code_version),
    at: Number(row.at),
  };
}
