/**
 * Bodies: the long texts of the record, each compressed by itself or as its difference from a similar one, as prompts of one role are, and the
 * truths of one episode. The views `turns`, `truths` and `replies` show them as they were written, and the hashes of rows are over what the views show.
 */

import { Buffer } from "node:buffer";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { constants, inflateSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { createDelta } from "fossil-delta";

/** What of a store is needed here. */
interface Statements {
  prepare(sql: string): StatementSync;
}

type Row = Readonly<Record<string, SQLInputValue | undefined>>;

/** A table with bodies: its columns that may be one, and which of its rows resemble each other. */
interface PackedTable {
  readonly columns: readonly string[];
  readonly likeness: (row: Row) => string;
}

/** The tables with bodies. In the store they are called `packed_…`; under their own names stand views. */
export const PACKED_TABLES: Readonly<Record<string, PackedTable>> = {
  replies: { columns: ["request", "reply"], likeness: ({ role }) => String(role) },
  turns: { columns: ["frames", "details"], likeness: ({ episode, pass }) => `${episode} ${pass}` },
  truths: { columns: ["truth"], likeness: ({ episode, pass }) => `${episode} ${pass}` },
};

/** The name under which rows of a table are written. */
export function writtenName(table: string): string {
  return table in PACKED_TABLES ? `packed_${table}` : table;
}

/** The name of the SQL function that the views decode bodies with. */
const FUNCTION = "unpacked";

/**
 * Defines the function `unpacked(body, base, cut)` on a connection. It is null for a body that cannot be read, so that its row is found broken.
 */
export function defineUnpacked(database: DatabaseSync): void {
  database.function(FUNCTION, { deterministic: true }, (body, base, cut) => {
    try {
      return body === null ? null : withCut(read(body as Uint8Array, base as Uint8Array | null), cut as Uint8Array | null);
    } catch {
      return null;
    }
  });
}

function read(body: Uint8Array, base: Uint8Array | null): Uint8Array {
  if (base === null) return plain(body);
  const sign = base.subarray(-6).reduce((sum, byte) => 256 * sum + byte, 0);
  let known = readBases.get(sign);
  if (!known || Buffer.compare(known.body, base) !== 0) {
    known = { body: base, bytes: plain(base) };
    if (readBases.size >= MOST_READ) readBases.clear();
    readBases.set(sign, known);
  }
  return applied(known.bytes, plain(body));
}

/**
 * Applies a difference in Fossil's format: the length of the result, then `count@from,` (copy of the base) and `count:bytes` in turn. The package's
 * own function takes ten times as long, byte by byte. The checksum at the end is not looked at, since the row has a hash.
 */
function applied(base: Uint8Array, delta: Uint8Array): Uint8Array {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let digit = digitOf(delta[at]); digit >= 0; digit = digitOf(delta[++at])) value = value * 64 + digit;
    at++;
    return value;
  };
  const made = new Uint8Array(number());
  for (let to = 0; to < made.length;) {
    const count = number();
    const isCopy = delta[at - 1] === COPY;
    const from = isCopy ? number() : at;
    if (count === 0) throw new RangeError("cannot read a difference: it ends too early");
    made.set((isCopy ? base : delta).subarray(from, from + count), to);
    to += count;
    if (!isCopy) at += count;
  }
  return made;
}

/** The value of a digit to the base 64; −1 of any other character. */
function digitOf(byte = 0): number {
  return DIGITS[byte] as number;
}

const DIGITS = new Int8Array(256).fill(-1);
Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~").forEach((byte, value) => DIGITS[byte] = value);
const COPY = "@".charCodeAt(0);

function plain(body: Uint8Array): Uint8Array {
  return !isZstd(body) ? body : zstdDecompressSync(body, body.length < SHORT ? { chunkSize: 4 * SHORT } : {});
}

/** Bodies below this many bytes, as most differences are, are read into a smaller buffer, whose making takes a fifth of the time. */
const SHORT = 1024;

/** The bases that were read last, compressed and plain, by their last bytes. */
const readBases = new Map<number, { readonly body: Uint8Array; readonly bytes: Uint8Array }>();
const MOST_READ = 256;

/**
 * Cuts the part of a request out that tells one vote from another, so that the votes of one question share a body. It is kept in the row, after
 * the place that it was cut from.
 */
function cutSample(request: Uint8Array): { readonly rest: Uint8Array; readonly cut: Uint8Array } {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.length);
  const text = bytes.toString("latin1"); // a character a byte: found much faster there
  const from = text.indexOf('"sample":{');
  const to = text.indexOf("}", from) + 1;
  if (from < 0) return { rest: bytes, cut: Buffer.from("0:") };
  return {
    rest: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
    cut: Buffer.concat([Buffer.from(`${from}:`), bytes.subarray(from, to)]),
  };
}

/** Puts back what `cutSample` cut out; null where nothing was. */
function withCut(rest: Uint8Array, cut: Uint8Array | null): Uint8Array {
  if (cut === null) return rest;
  const colon = cut.indexOf(COLON);
  const at = Number(Buffer.from(cut.subarray(0, colon)).toString());
  return Buffer.concat([rest.subarray(0, at), cut.subarray(colon + 1), rest.subarray(at)]);
}

const COLON = ":".charCodeAt(0);

/** Whether bytes are a frame of Zstandard; a difference begins with its length in other characters. */
function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** A request as JSON, from its column: plain or, as versions before wrote it, deflated. */
export function requestBytes(column: unknown): Uint8Array {
  const bytes = column as Uint8Array;
  return bytes[0] === DEFLATED ? inflateSync(bytes) : bytes;
}

const DEFLATED = 0x78;

/** Texts below this many bytes stay in their row. */
const LEAST = 160;
/** Differences below this many bytes are not compressed: it takes 30 µs each and would save one sixth. */
const LEAST_COMPRESSED = 320;
/** A difference above this share of the text is not worth its base: the text becomes the base of those that follow. */
const MOST_SHARE = 0.3;
/** Bases that a process remembers. */
const MOST_BASES = 4096;

interface Body {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** A whole text, and the body that was written last beside it. */
interface Base extends Body {
  readonly last: Body;
}

const bases = new WeakMap<Statements, Map<string, Base>>();

/** Forgets the bases of a store: those of a transaction that is rolled back, or of an episode whose steps are deleted, are there no longer. */
export function forgetBases(store: Statements): void {
  bases.delete(store);
}

/**
 * Writes the long texts of a row as bodies and returns the columns of the row as the table holds them, which are the row itself where it has none.
 *
 * @param near what the row resembles most among those of its likeness, such as the episode that asked
 */
export function packColumns(store: Statements, table: string, row: Row, near = ""): Record<string, SQLInputValue | undefined> {
  const { columns, likeness } = PACKED_TABLES[table] ?? NONE;
  const packed = columns.length > 0 ? { ...row } : row as Record<string, SQLInputValue | undefined>;
  for (const column of columns) {
    const value = row[column];
    if (value === null || value === undefined || typeof row[`${column}_body`] === "number") continue;
    const bytes = typeof value === "string" ? Buffer.from(value) : readable(value);
    if (!bytes) continue; // damaged: it stays as it was found, and its row is told to be broken
    if (bytes.length < LEAST) {
      if (typeof value !== "string") packed[column] = bytes;
      continue;
    }
    const { rest, cut } = typeof value === "string" ? { rest: bytes, cut: "" } : cutSample(bytes);
    packed[`${column}_body`] = putBody(store, rest, `${table} ${column} ${likeness(row)}`, { near, isShared: column !== "reply" });
    packed[column] = cut;
  }
  return packed;
}

function readable(request: unknown): Uint8Array | undefined {
  try {
    return requestBytes(request);
  } catch {
    return undefined;
  }
}

interface BodyOptions {
  readonly near: string;
  /** Whether equal texts in a row share a body; a reply may be replaced, and its body deleted. */
  readonly isShared: boolean;
}

const NONE: PackedTable = { columns: [], likeness: () => "" };

function putBody(store: Statements, bytes: Uint8Array, likeness: string, { near, isShared }: BodyOptions): number {
  const known = bases.getOrInsertComputed(store, () => new Map<string, Base>());
  const place = `${likeness} ${near}`;
  const base = known.get(place) ?? known.get(likeness);
  if (base && isShared && Buffer.compare(base.last.bytes, bytes) === 0) return base.last.id;
  const delta = base && createDelta(base.bytes, bytes);
  if (base && delta && delta.length <= MOST_SHARE * bytes.length) {
    const last = { id: insertBody(store, delta, base.id), bytes };
    remember(known, place, { ...base, last });
    return last.id;
  }
  const made = { id: insertBody(store, bytes, null), bytes };
  for (const key of new Set([place, likeness])) remember(known, key, { ...made, last: made });
  return made.id;
}

function insertBody(store: Statements, bytes: Uint8Array, base: number | null): number {
  const body = base !== null && bytes.length < LEAST_COMPRESSED
    ? bytes
    : zstdCompressSync(bytes, { ...COMPRESSION, chunkSize: bytes.length + 64 });
  return Number(store.prepare("insert into main.bodies (base, body) values (?, ?)").run(base, body).lastInsertRowid);
}

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_contentSizeFlag]: 0 } };

function remember(known: Map<string, Base>, place: string, base: Base): void {
  known.delete(place);
  known.set(place, base);
  if (known.size > MOST_BASES) known.delete(known.keys().next().value as string);
}

/** Inserts a row, its long texts as bodies, and returns whether it was inserted. */
export function insertRow(store: Statements, table: string, row: Row, { conflict = "", near, written }: InsertOptions = {}): boolean {
  const packed = packColumns(store, table, written ? { ...row, ...written } : row, near);
  const values: SQLInputValue[] = [];
  let [columns, marks] = ["", ""];
  for (const column in packed) {
    const value = packed[column];
    if (value === undefined) continue;
    columns += values.length > 0 ? `, ${column}` : column;
    marks += values.length > 0 ? ", ?" : "?";
    values.push(value);
  }
  const sql = `insert ${conflict} into main.${writtenName(table)} (${columns}) values (${marks})`;
  return Number(store.prepare(sql).run(...values).changes) > 0;
}

/** Options of `insertRow`. */
export interface InsertOptions {
  /** What SQLite does where the key of the row is taken; the default is an error. */
  readonly conflict?: "" | "or ignore" | "or replace";
  /** See `packColumns`. */
  readonly near?: string;
  /** Columns as the table holds them, in place of those of the row. */
  readonly written?: Row;
}

/** Deletes the rows of an episode from a table with their bodies, on which no other episode's rest. */
export function deleteRows(store: Statements, table: string, episode: string): void {
  for (const column of PACKED_TABLES[table]?.columns ?? []) {
    store.prepare(`delete from main.bodies where id in (select ${column}_body from main.packed_${table} where episode = ?)`).run(episode);
  }
  store.prepare(`delete from main.${writtenName(table)} where episode = ?`).run(episode);
  forgetBases(store);
}
