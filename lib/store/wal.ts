/**
 * Holds the write-ahead log of a store against its checksums before SQLite reads it: SQLite takes a log up to the first damaged frame, and forgets
 * all that was committed from there on without a word.
 *
 * Source: SQLite, "WAL-mode File Format" (https://www.sqlite.org/walformat.html). A log (`-wal`) is a header and frames, one for each page that was
 * written. A frame has the salts of the header, a checksum over all frames so far, and, if it ends a transaction, the size of the database. The index
 * beside it (`-shm`), which a killed process leaves as well, tells how many frames are committed.
 */

import { Buffer } from "node:buffer";
import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from "node:fs";

/**
 * Finds what is wrong with the log of a store, in words that follow "the log"; `undefined` if nothing is. Frames of a transaction that was under way
 * when its process was killed are no problem.
 */
export function logProblem(path: string): string | undefined {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const index = read(`${path}-shm`, INDEX_BYTES);
    const log = read(`${path}-wal`);
    const problem = log.length > 0 && read(path, 1).length === 0 ? "is there without the store" : problemOf(log, committedIn(index));
    // While another process writes, the two may be of different moments.
    if (problem === undefined || index.equals(read(`${path}-shm`, INDEX_BYTES))) return problem;
  }
  return undefined;
}

/** Copies a store with all frames of its log that are as they were committed, whatever is damaged before them, into a file that needs no log. */
export function copyWithLog(path: string, to: string): void {
  copyFileSync(path, to);
  const bytes = read(`${path}-wal`);
  const log = readLog(bytes);
  const last = log?.frames.findLastIndex(isCommit) ?? -1;
  const file = openSync(to, "r+");
  for (const { page, at, isWhole } of log?.frames.slice(0, last + 1) ?? []) {
    const content = bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + (log?.pageBytes ?? 0));
    if (isWhole) writeSync(file, content, 0, content.length, (page - 1) * content.length);
  }
  writeSync(file, JOURNAL_MODE, 0, 2, 18);
  closeSync(file);
}

const MOST_TRIES = 20;
const [HEADER_BYTES, FRAME_HEADER_BYTES, INDEX_HEADER_BYTES, INDEX_BYTES] = [32, 24, 48, 100];
const VERSION = 3_007_000;
/** Bytes 18 and 19 of a database that has no write-ahead log. */
const JOURNAL_MODE = Uint8Array.of(1, 1);

function read(path: string, length?: number): Buffer {
  try {
    return readFileSync(path).subarray(0, length);
  } catch {
    return Buffer.alloc(0); // not there
  }
}

/** What an index says was committed. */
interface Committed {
  readonly frames: number;
  /** How many of the frames the database file itself has. */
  readonly copied: number;
  readonly salts: Buffer;
  /** The checksum of the last of the frames, as the log has it. */
  readonly checksum: Checksum;
}

/** Reads an index, whose numbers have the byte order of the machine; `undefined` if it is none, or being written. */
function committedIn(index: Buffer): Committed | undefined {
  const [one, two] = [index.subarray(0, INDEX_HEADER_BYTES), index.subarray(INDEX_HEADER_BYTES, 2 * INDEX_HEADER_BYTES)];
  if (index.length < INDEX_BYTES || !one.equals(two) || one.readUInt32LE(0) !== VERSION) return undefined;
  const [a, b] = checksumOf(one.subarray(0, 40), [0, 0], true);
  if (one.readUInt32LE(40) !== a || one.readUInt32LE(44) !== b) return undefined;
  const checksum = [one.readUInt32LE(24), one.readUInt32LE(28)] as const;
  return { frames: one.readUInt32LE(16), copied: index.readUInt32LE(96), salts: one.subarray(32, 40), checksum };
}

function problemOf(bytes: Buffer, committed: Committed | undefined): string | undefined {
  const wanted = committed?.frames ?? 0;
  if (bytes.length === 0) return committed && wanted > committed.copied ? "is gone" : undefined;
  const log = readLog(bytes);
  if (!log) return "has a damaged header";
  const { frames, salts } = log;
  const end = frames.findIndex(({ isWhole }) => !isWhole);
  const whole = end < 0 ? frames.length : end;
  const isKnown = committed?.salts.equals(salts) ?? false;
  const last = isKnown ? frames[wanted - 1] : undefined;
  const isLost = isKnown && wanted > 0 && (wanted > whole || !last || !committed || !isEqual(last.checksum, committed.checksum));
  // A transaction that was never committed may leave frames behind the last one, but not its end.
  const isFollowed = frames.slice(whole).some(isKnown ? isCommit : ({ isSalted }) => isSalted);
  return isLost || isFollowed ? `is damaged at frame ${whole + 1} of ${Math.max(wanted, frames.length)}` : undefined;
}

type Checksum = readonly [number, number];

interface Frame {
  /** Where it begins in the log. */
  readonly at: number;
  /** The page that it holds, from 1. */
  readonly page: number;
  /** Pages of the database after the transaction that it ends; 0 if it ends none. */
  readonly size: number;
  readonly checksum: Checksum;
  /** Whether it has a salt of this log; frames that an earlier log left in the file have none. */
  readonly isSalted: boolean;
  /** Whether it has both, and its checksum carries on that of the frame before it. */
  readonly isWhole: boolean;
}

const isEqual = ([a, b]: Checksum, [c, d]: Checksum): boolean => a === c && b === d;
const isCommit = ({ size, isWhole }: Frame): boolean => isWhole && size > 0;

/** Reads a log; `undefined` if its header is damaged. A frame at its end that was not written to the end is left out. */
function readLog(bytes: Buffer): { readonly salts: Buffer; readonly pageBytes: number; readonly frames: readonly Frame[] } | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(0) >>> 1 !== MAGIC >>> 1 || bytes.readUInt32BE(4) !== VERSION) return undefined;
  const isLittle = bytes.readUInt32BE(0) === MAGIC;
  const stored = (at: number): Checksum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  let before = stored(24);
  if (!isEqual(before, checksumOf(bytes.subarray(0, 24), [0, 0], isLittle))) return undefined;
  const [salts, pageBytes] = [bytes.subarray(16, 24), bytes.readUInt32BE(8)];
  const frames: Frame[] = [];
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageBytes <= bytes.length; at += FRAME_HEADER_BYTES + pageBytes) {
    const salted = [0, 4].map((word) => bytes.readUInt32BE(at + 8 + word) === salts.readUInt32BE(word));
    const content = bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + pageBytes);
    const checksum = stored(at + 16);
    const isWhole = !salted.includes(false) &&
      isEqual(checksum, checksumOf(content, checksumOf(bytes.subarray(at, at + 8), before, isLittle), isLittle));
    frames.push({ at, page: bytes.readUInt32BE(at), size: bytes.readUInt32BE(at + 4), checksum, isSalted: salted.includes(true), isWhole });
    before = checksum;
  }
  return { salts, pageBytes, frames };
}

/** The first word of a log whose checksums are over little-endian numbers; of one over big-endian numbers it is higher by 1. */
const MAGIC = 0x377f0682;

/** SQLite's checksum: two sums, modulo 2³², over the pairs of numbers in a run of bytes, carried on from those before it. */
function checksumOf(bytes: Buffer, [a, b]: Checksum, isLittle: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}
