/**
 * Artefacts: what a memory hands to the next episode of its chain, and the pictures that models were
 * shown, stored once by content hash.
 */

import { deflateSync, inflateSync } from "node:zlib";
import { StoreError } from "../../core/errors.ts";
import { sha256 } from "../../core/text/canonical.ts";
import { damagedRow } from "./errors.ts";
import type { Store } from "./open.ts";

export interface StoredArtefact {
  /** Id of the memory that saved it, e.g. `arigraph`; no other memory loads it. */
  readonly kind: string;
  /** The state of the memory in its own form, JSON-able. */
  readonly body: unknown;
}

/**
 * Stores an artefact and returns its hash: SHA-256 (hex) over kind and JSON of the body, whose key
 * order a memory may depend on.
 */
export function putArtefact(store: Store, artefact: StoredArtefact): string {
  const body = JSON.stringify(artefact.body);
  const hash = sha256(JSON.stringify([artefact.kind, body]));
  store.transaction(() =>
    store.prepare("insert or ignore into main.artefacts (hash, kind, body) values (?, ?, ?)").run(
      hash,
      artefact.kind,
      deflateSync(body),
    )
  );
  return hash;
}

/**
 * Stores a picture (PNG) under the SHA-256 of its bytes, by which recorded requests name it.
 */
export function putPicture(store: Store, png: Uint8Array): void {
  store.prepare("insert or ignore into main.artefacts (hash, kind, body) values (?, 'picture', ?)")
    .run(sha256(png), png);
}

/**
 * Finds the picture with this hash; `undefined` if the store does not hold it.
 * @throws {StoreError} `damaged` if it is another one.
 */
export function getPicture(store: Store, hash: string): Uint8Array | undefined {
  const body = store.prepare("select body from artefacts where hash = ? and kind = 'picture'").get(
    hash,
  )?.body as Uint8Array | undefined;
  if (body && !isWholeArtefact({ kind: "picture", body, hash })) {
    throw damagedRow(store.path, `the artefact ${hash.slice(0, 16)}`);
  }
  return body;
}

/**
 * Loads the artefact with this hash.
 *
 * @throws {StoreError} `missing` if the store does not hold it, `damaged` if it has another hash.
 */
export function getArtefact(store: Store, hash: string): StoredArtefact {
  const row = store.prepare("select kind, body from artefacts where hash = ?").get(hash);
  if (!row) {
    throw new StoreError(
      "missing",
      `the store ${store.path} holds no artefact ${hash}: play the episode that makes it first`,
    );
  }
  if (!isWholeArtefact({ ...row, hash })) {
    throw damagedRow(store.path, `the artefact ${hash.slice(0, 16)}`);
  }
  return {
    kind: String(row.kind),
    body: JSON.parse(inflateSync(row.body as Uint8Array).toString("utf8")),
  };
}

/** Whether a row of `artefacts` has the content that its hash names. */
export function isWholeArtefact({ hash, kind, body }: Readonly<Record<string, unknown>>): boolean {
  try {
    const bytes = body as Uint8Array;
    return hash ===
      (kind === "picture"
        ? sha256(bytes)
        : sha256(JSON.stringify([kind, inflateSync(bytes).toString("utf8")])));
  } catch {
    return false;
  }
}
