/**
 * Files of many JSON objects, read one at a time: JSON Lines, or one JSON array. A file of any size is scanned once, in pieces, for where
 * its records stand; nothing but that is kept.
 *
 * @module
 */

import { createReadStream, type Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { UsageError } from "../../errors.ts";

/** A file of records. */
export interface RecordFile {
  /** How many records it has. */
  readonly size: number;
  /** The record at a place from 0, with where it stands (`<file>, line <n>`). @throws {UsageError} if it is no JSON. */
  read(index: number): Promise<{ readonly value: unknown; readonly where: string }>;
}

/** Where records stand, in bytes; lines count from 1. */
interface Spans {
  readonly starts: number[];
  readonly ends: number[];
  readonly lines: number[];
  /** Line of the record that the end of the file cuts off. */
  cut?: number;
}

const known = new Map<string, { readonly stamp: string; readonly spans: Promise<Spans> }>();

/**
 * Opens a file of records; one that has not changed since is not scanned again.
 *
 * @throws {UsageError} if it cannot be read, holds no record, or ends in the middle of one.
 */
export async function openRecordFile(path: string): Promise<RecordFile> {
  const stamp = stampOf(await statOf(path));
  let entry = known.get(path);
  if (entry?.stamp !== stamp) {
    entry = { stamp, spans: scan(path) };
    known.set(path, entry);
  }
  const { starts, ends, lines, cut } = await entry.spans;
  if (cut !== undefined) throw new UsageError(`${path}, line ${cut}: the file ends in the middle of a record; fetch it again, whole`);
  if (starts.length === 0) throw new UsageError(`${path} holds no record; it must be JSON Lines or one JSON array`);
  return {
    size: starts.length,
    async read(index) {
      const [start, end] = [starts[index], ends[index]];
      if (start === undefined || end === undefined) throw new RangeError(`${path} has ${starts.length} records, none at place ${index}`);
      const where = `${path}, line ${lines[index]}${lines.at(-1) === 1 ? `, record ${index + 1}` : ""}`;
      const text = await readSpan(path, start, end);
      try {
        return { value: JSON.parse(text), where };
      } catch (error) {
        throw new UsageError(`${where}: this is no JSON (${(error as Error).message}); fetch the file again, whole`, { cause: error });
      }
    },
  };
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}

function stampOf({ size, mtimeMs }: Stats): string {
  return `${size} ${mtimeMs}`;
}

async function readSpan(path: string, start: number, end: number): Promise<string> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(end - start);
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read);
      if (bytesRead === 0) break; // it has become shorter: no JSON then
      read += bytesRead;
    }
    return new TextDecoder().decode(bytes.subarray(0, read));
  } finally {
    await file.close();
  }
}

const [NEWLINE, QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'\n"\\[]{}'].map((sign) => sign.charCodeAt(0));

/** The first sign of the file says which form it has. */
async function scan(path: string): Promise<Spans> {
  const spans: Spans = { starts: [], ends: [], lines: [] };
  let scanner: ((byte: number, at: number, line: number) => void) & { end?: (at: number) => void } | undefined;
  let at = 0;
  let line = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Uint8Array;
    for (let i = 0; i < bytes.length; i++, at++) {
      const byte = bytes[i] as number;
      if (!scanner && !isSpace(byte)) scanner = byte === OPEN_LIST ? elements(spans) : records(spans);
      scanner?.(byte, at, line);
      if (byte === NEWLINE) line += 1;
    }
  }
  scanner?.end?.(at);
  return spans;
}

/** Every line that is not blank. */
function records(spans: Spans): ((byte: number, at: number, line: number) => void) & { end: (at: number) => void } {
  let open = false;
  const end = (at: number): void => {
    if (open) spans.ends.push(at);
    open = false;
  };
  const take = (byte: number, at: number, line: number): void => {
    if (byte === NEWLINE) return end(at);
    if (open || isSpace(byte)) return;
    open = true;
    spans.starts.push(at);
    spans.lines.push(line);
  };
  return Object.assign(take, { end });
}

/** Every object of one array. */
function elements(spans: Spans): ((byte: number, at: number, line: number) => void) & { end: () => void } {
  let depth = 0;
  let quoted = false;
  let escaped = false;
  const take = (byte: number, at: number, line: number): void => {
    if (quoted) {
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === OPEN || byte === OPEN_LIST) {
      if (depth === 1) {
        spans.starts.push(at);
        spans.lines.push(line);
      }
      depth += 1;
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 1) spans.ends.push(at + 1);
    }
  };
  const end = (): void => {
    if (depth > 0) spans.cut = spans.lines.at(-1) ?? 1;
  };
  return Object.assign(take, { end });
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0xef || byte === 0xbb || byte === 0xbf; // also a byte order mark
}
