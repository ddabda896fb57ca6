/**
 * Files of many JSON objects: JSON Lines, or one JSON array. A file of any size is scanned for the
 * places of its records, which are read on request.
 */

import { Buffer } from "node:buffer";
import { closeSync, createReadStream, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../errors.ts";

export interface Span {
  readonly start: number;
  readonly length: number;
  readonly line: number;
}

export interface RecordFile {
  readonly size: number;
  /**
   * The record at an index from 0, with its place (`<file>, line <n>`).
   * @throws {UsageError} if it is not JSON, or the file has changed.
   */
  read(index: number): Promise<{ readonly value: unknown; readonly where: string }>;
}

const known = new Map<string, { readonly stamp: string; readonly spans: Promise<Span[]> }>();

/**
 * Opens a file of records. It is scanned once for each state of the file.
 * @throws {UsageError} if it cannot be read, is not JSON, has no record, or ends within one.
 */
export async function openRecordFile(path: string): Promise<RecordFile> {
  const stamp = stampOf(await stat(path).catch((error) => unreadable(path, error)));
  let entry = known.get(path);
  if (entry?.stamp !== stamp) {
    entry = { stamp, spans: scan(path) };
    known.set(path, entry);
    entry.spans.catch(() => known.delete(path)); // a file that could not be read may be mended by the next time
  }
  const spans = await entry.spans;
  if (spans.length === 0) {
    throw new UsageError(`${path} holds no record; it must be JSON Lines or one JSON array`);
  }
  const inOneLine = spans.at(-1)?.line === 1;
  return {
    size: spans.length,
    read: (index) =>
      Promise.try(() => {
        const span = spans[index];
        if (!span) {
          throw new RangeError(`${path} has ${spans.length} records, none at index ${index}`);
        }
        const where = `${path}, line ${span.line}${inOneLine ? `, record ${index + 1}` : ""}`;
        return {
          value: parse(readSpan(path, span, stamp), where, index === spans.length - 1),
          where,
        };
      }),
  };
}

/**
 * The records of a JSON Lines file from the first to the last, in one pass that keeps nothing.
 *
 * @throws {UsageError} if the file cannot be read, or a line is not a JSON object or is longer than
 *   64 MiB.
 */
export async function* streamRecords(
  path: string,
): AsyncGenerator<Span & { readonly value: unknown; readonly where: string }> {
  let file: number | undefined;
  try {
    for await (const span of linesOf(path)) {
      const text = readText(file ??= openSync(path, "r"), span);
      const where = `${path}, line ${span.line}`;
      if (!text.startsWith("{")) {
        throw new UsageError(
          `${where}: not a JSON object; the file must be JSON Lines: unpack it if it is packed`,
        );
      }
      const last = span.start + span.length >= fstatSync(file).size;
      yield { ...span, value: parse(text, where, last), where };
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * The text of a record.
 * @throws {UsageError} if the file no longer has the stamp that it had when it was scanned.
 */
export function readSpan(path: string, span: Omit<Span, "line">, stamp: string): string {
  const file = openSync(path, "r");
  try {
    if (stampOf(fstatSync(file)) !== stamp) throw changed(path);
    return readText(file, span);
  } finally {
    closeSync(file);
  }
}

export function changed(path: string): UsageError {
  return new UsageError(
    `${path} has been changed since its records were indexed: run the same command again`,
  );
}

export function stampOf({ size, mtimeMs }: Stats): string {
  return `${size} ${mtimeMs}`;
}

function readText(file: number, { start, length }: Omit<Span, "line">): string {
  const bytes = new Uint8Array(length);
  return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes, 0, length, start)));
}

/** @param last whether it is the last record: one that has no end was cut off with the file */
function parse(text: string, where: string, last = false): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (last && isCut(text)) throw truncated(where);
    throw new UsageError(
      `${where}: invalid JSON (${
        (error as Error).message.replaceAll(/\s+/g, " ")
      }); fetch the file again`,
      {
        cause: error,
      },
    );
  }
}

function isCut(text: string): boolean {
  const bare = text.replaceAll(/"(?:[^"\\]|\\[^])*"/g, "");
  return bare.includes('"') || bare.split(/[[{]/).length > bare.split(/[\]}]/).length;
}

function truncated(where: string): UsageError {
  return new UsageError(
    `${where}: the file is truncated: it ends in the middle of a record; fetch it again`,
  );
}

function unreadable(path: string, error: unknown): never {
  throw new UsageError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
}

const [NEWLINE, QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = Buffer.from(
  '\n"\\[]{}',
) as unknown as [number, ...number[]];

function isSpace(byte: number | undefined): boolean {
  return byte !== undefined &&
    ([0x20, 0xef, 0xbb, 0xbf].includes(byte) || (byte >= 0x09 && byte <= 0x0d));
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) {
      yield bytes;
      await setTimeout();
    }
  } catch (error) {
    unreadable(path, error);
  }
}

async function scan(path: string): Promise<Span[]> {
  for await (const bytes of piecesOf(path)) {
    const first = bytes.find((byte) => !isSpace(byte));
    if (first === OPEN) return await Array.fromAsync(linesOf(path));
    if (first === OPEN_LIST) return await Array.fromAsync(elementsOf(path));
    if (first === undefined) continue;
    throw new UsageError(
      `${path} is not JSON: it must be JSON Lines or one JSON array; unpack it if it is packed`,
    );
  }
  return [];
}

/**
 * Bytes beyond which a line is no record: a download that broke off leaves a hole, which must not
 * fill the memory.
 */
const LONGEST_LINE = 2 ** 26;

async function* linesOf(path: string): AsyncGenerator<Span> {
  let [offset, line] = [0, 1];
  let start: number | undefined;
  for await (const bytes of piecesOf(path)) {
    for (let from = 0; from < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, from);
      const to = newline < 0 ? bytes.length : newline;
      while (start === undefined && from < to && isSpace(bytes[from])) from++;
      if (from < to) start ??= offset + from;
      const length = start === undefined ? 0 : offset + to - start;
      if (length > LONGEST_LINE) {
        throw new UsageError(
          `${path}, line ${line}: longer than 64 MiB, so not a record; fetch the file again`,
        );
      }
      if (newline >= 0) {
        if (start !== undefined) yield { start, length, line };
        start = undefined;
        line += 1;
      }
      from = to + 1;
    }
    offset += bytes.length;
  }
  if (start !== undefined) yield { start, length: offset - start, line };
}

/**
 * Every object or list in the one array of a file.
 * @throws {UsageError} if the file ends before the array does.
 */
async function* elementsOf(path: string): AsyncGenerator<Span> {
  let [offset, line, depth, start, startLine] = [0, 1, 0, 0, 1];
  let [quoted, escaped] = [false, false];
  for await (const bytes of piecesOf(path)) {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte === NEWLINE) line += 1;
      if (quoted) {
        quoted = escaped || byte !== QUOTE;
        escaped = !escaped && byte === BACKSLASH;
      } else if (byte === QUOTE) quoted = true;
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (depth === 1) [start, startLine] = [offset + i, line];
        depth += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth === 1) yield { start, length: offset + i + 1 - start, line: startLine };
      }
    }
    offset += bytes.length;
  }
  if (depth > 0) throw truncated(`${path}, line ${startLine}`);
}
