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
  /** Whether it begins like neither form. */
  foreign?: true;
}

const known = new Map<string, { readonly stamp: string; readonly spans: Promise<Spans> }>();

/**
 * Opens a file of records; one that has not changed since is not scanned again.
 *
 * @throws {UsageError} if it cannot be read, begins like no JSON, holds no record, or ends in the middle of one.
 */
export async function openRecordFile(path: string): Promise<RecordFile> {
  const stamp = stampOf(await statOf(path));
  let entry = known.get(path);
  if (entry?.stamp !== stamp) {
    entry = { stamp, spans: scan(path).catch((error) => unreadable(path, error)) };
    known.set(path, entry);
    entry.spans.catch(() => known.delete(path)); // what could not be read may be mended by the next time
  }
  const { starts, ends, lines, cut, foreign } = await entry.spans;
  if (foreign) {
    throw new UsageError(`${path} begins like no JSON; unpack it first where it is packed: it must be JSON Lines or one JSON array`);
  }
  if (cut !== undefined) throw new UsageError(`${path}, line ${cut}: the file ends in the middle of a record; fetch it again, whole`);
  if (starts.length === 0) throw new UsageError(`${path} holds no record; it must be JSON Lines or one JSON array`);
  return {
    size: starts.length,
    async read(index): ReturnType<RecordFile["read"]> {
      const [start, end] = [starts[index], ends[index]];
      if (start === undefined || end === undefined) throw new RangeError(`${path} has ${starts.length} records, none at place ${index}`);
      const where = `${path}, line ${lines[index]}${lines.at(-1) === 1 ? `, record ${index + 1}` : ""}`;
      return { value: parse(await readSpan(path, start, end), where), where };
    },
  };
}

/** A record on its way. */
export interface StreamedRecord {
  readonly value: unknown;
  /** `<file>, line <n>`. */
  readonly where: string;
  /** Its first byte in the file. */
  readonly start: number;
  /** Bytes. */
  readonly length: number;
}

/** Bytes of a line beyond which it is no record: the hole that a broken-off download leaves must not fill the memory. */
const LONGEST_LINE = 2 ** 26;

/**
 * The records of a JSON Lines file from the first to the last, in one pass that keeps nothing.
 *
 * @throws {UsageError} if the file cannot be read, or a line is no JSON object or longer than 64 MiB.
 */
export async function* streamRecords(path: string): AsyncGenerator<StreamedRecord> {
  const file = await open(path).catch((error) => unreadable(path, error));
  const decoder = new TextDecoder();
  let bytes = new Uint8Array(1 << 20);
  let held = 0; // of them, what has been read and not given
  let start = 0; // of the first of them
  let line = 0;

  function recordIn(from: number, to: number): StreamedRecord | undefined {
    line += 1;
    while (from < to && isSpace(bytes[from] as number)) from++;
    if (from === to) return undefined;
    const where = `${path}, line ${line}`;
    if (bytes[from] !== OPEN) {
      throw new UsageError(`${where}: no JSON object begins here; the file must be JSON Lines: unpack it first where it is packed`);
    }
    return { value: parse(decoder.decode(bytes.subarray(from, to)), where), where, start: start + from, length: to - from };
  }

  try {
    for (let more = true; more;) {
      const { bytesRead } = await file.read(bytes, held, bytes.length - held).catch((error) => unreadable(path, error));
      more = bytesRead > 0;
      if (!more) bytes[held] = NEWLINE as number; // the last line may want its end
      const searched = held;
      held += Math.max(bytesRead, 1);
      const read = bytes.subarray(0, held);
      let from = 0;
      for (let end = read.indexOf(NEWLINE as number, searched); end >= 0; end = read.indexOf(NEWLINE as number, from)) {
        const record = recordIn(from, end);
        if (record) yield record;
        from = end + 1;
      }
      if (from > 0) bytes.copyWithin(0, from, held);
      held -= from;
      start += from;
      if (held > LONGEST_LINE) {
        throw new UsageError(`${path}, line ${line + 1}: it goes on for more than 64 MiB, which is no record; fetch the file again, whole`);
      }
      if (2 * held > bytes.length) bytes = copyOf(bytes, 2 * bytes.length);
    }
  } finally {
    await file.close();
  }
}

function copyOf(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(length);
  copy.set(bytes);
  return copy;
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${where}: this is no JSON (${(error as Error).message.replaceAll(/\s+/g, " ")}); fetch the file again, whole`, {
      cause: error,
    });
  }
}

function statOf(path: string): Promise<Stats> {
  return stat(path).catch((error) => unreadable(path, error));
}

function unreadable(path: string, error: Error): never {
  throw new UsageError(`cannot read ${path}: ${error.message}`, { cause: error });
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

/** Takes in a file piece by piece. */
interface Scanner {
  take(bytes: Uint8Array, offset: number): void;
  /** Told how long the file was. */
  end(length: number): void;
}

/** The first sign of the file says which form it has. */
async function scan(path: string): Promise<Spans> {
  const spans: Spans = { starts: [], ends: [], lines: [] };
  let scanner: Scanner | undefined;
  let line = 1;
  let offset = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Uint8Array;
    if (!scanner) {
      const first = bytes.findIndex((byte) => !isSpace(byte));
      if (first >= 0 && bytes[first] !== OPEN_LIST && bytes[first] !== OPEN) return { ...spans, foreign: true };
      if (first >= 0) scanner = bytes[first] === OPEN_LIST ? elements(spans, line) : records(spans, line);
      else line += bytes.filter((byte) => byte === NEWLINE).length;
    }
    scanner?.take(bytes, offset);
    offset += bytes.length;
  }
  scanner?.end(offset);
  return spans;
}

/** Every line that is not blank. */
function records(spans: Spans, first: number): Scanner {
  let line = first;
  let open = false;
  function end(at: number): void {
    if (open) spans.ends.push(at);
    open = false;
  }
  function begin(bytes: Uint8Array, from: number, to: number, offset: number): void {
    let at = from;
    while (at < to && isSpace(bytes[at] as number)) at++;
    if (open || at === to) return;
    open = true;
    spans.starts.push(offset + at);
    spans.lines.push(line);
  }
  return {
    take(bytes, offset): void {
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE as number); at >= 0; at = bytes.indexOf(NEWLINE as number, from)) {
        begin(bytes, from, at, offset);
        end(offset + at);
        line += 1;
        from = at + 1;
      }
      begin(bytes, from, bytes.length, offset);
    },
    end,
  };
}

/** Every object or list in one array. */
function elements(spans: Spans, first: number): Scanner {
  let line = first;
  let depth = 0;
  let quoted = false;
  let escaped = false;
  return {
    take(bytes, offset): void {
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i];
        if (quoted) {
          if (escaped) escaped = false;
          else if (byte === BACKSLASH) escaped = true;
          else if (byte === QUOTE) quoted = false;
        } else if (byte === QUOTE) quoted = true;
        else if (byte === NEWLINE) line += 1;
        else if (byte === OPEN || byte === OPEN_LIST) {
          if (depth === 1) {
            spans.starts.push(offset + i);
            spans.lines.push(line);
          }
          depth += 1;
        } else if (byte === CLOSE || byte === CLOSE_LIST) {
          depth -= 1;
          if (depth === 1) spans.ends.push(offset + i + 1);
        }
      }
    },
    end(): void {
      if (depth > 0) spans.cut = spans.lines.at(-1) ?? first;
    },
  };
}

/** Blanks, line ends, and the bytes of a mark that some programs put at the start. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0xef || byte === 0xbb || byte === 0xbf;
}
