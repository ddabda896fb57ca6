/**
 * Holds the write-ahead log of a store against its checksums before SQLite reads it: SQLite takes a log up to the first damaged frame, and forgets
 * all that was committed from there on without a word.
 *
 * Source: SQLite, "WAL-mode File Format" (https://www.sqlite.org/walformat.html). A log (`-wal`) is a header and frames, one for each page that was
 * written. A frame has the salts of the header, a checksum over all frames so far, and, if it ends a transaction, the size of the database. The index
 * beside it (`-shm`), which a killed process leaves as well, tells how many frames are committed.
 */

import { Buffer } from "node:buffer";
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../core/errors.ts";

/**
 * Finds what is wrong with the log of a store, in words that follow "the log"; `undefined` if nothing is. Frames of a transaction that was under way
 * when its process was killed are no problem.
 */
export function logProblem(path: string): string | undefined {
  for (let tries = 0; tries < 20; tries++) {
    const index = read(`${path}-shm`).subarray(0, 100);
    const log = read(`${path}-wal`);
    const problem = log.length > 0 && !statSync(path, { throwIfNoEntry: false })?.size
      ? "is there without the store"
      : problemOf(log, index);
    // While another process writes, the two may be of different moments.
    if (problem === undefined || index.equals(read(`${path}-shm`).subarray(0, 100))) return problem;
  }
  return undefined;
}

/**
 * Opens a copy of a store whose log is damaged, with all frames that are as they were committed, whatever is damaged before them. The store itself is
 * left alone: SQLite would make a new index of what it takes of the log.
 */
export function openCopy(path: string): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-store-"));
  try {
    copyWithLog(path, join(folder, "copy.sqlite"));
    return new DatabaseSync(join(folder, "copy.sqlite"), { readOnly: true });
  } catch (error) {
    throw new StoreError(
      "disk",
      `the store ${path} cannot be copied to ${folder} to read what is left of it: see that it can be read, and that there is space`,
      {
        cause: error,
      },
    );
  } finally {
    rmSync(folder, { recursive: true }); // an open file stays readable
  }
}

function copyWithLog(path: string, to: string): void {
  copyFileSync(path, to);
  const { frames } = readLog(read(`${path}-wal`)) ?? { frames: [] };
  const file = openSync(to, "r+");
  for (const { page, content, isWhole } of frames.slice(0, 1 + frames.findLastIndex(isCommit))) {
    if (isWhole) writeSync(file, content, 0, content.length, (page - 1) * content.length);
  }
  writeSync(file, Uint8Array.of(1, 1), 0, 2, 18); // the versions of the format that has no log
  closeSync(file);
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return Buffer.alloc(0);
    // what cannot be read is not gone: the store may be whole
    throw new StoreError("disk", `${path} cannot be read: ${(error as Error).message}; see to it, or choose another store with --store`, {
      cause: error,
    });
  }
}

function problemOf(bytes: Buffer, index: Buffer): string | undefined {
  const { frames: wanted, copied, salts, checksum } = committedIn(index) ?? { frames: 0, copied: 0 };
  if (bytes.length === 0) return wanted > copied ? "is gone" : undefined;
  const log = readLog(bytes);
  if (!log) return "has a damaged header";
  const whole = log.frames.findIndex(({ isWhole }) => !isWhole) >>> 0; // all of them where none is found
  const isKnown = salts?.equals(log.salts) ?? false;
  const isLost = isKnown && wanted > 0 && (wanted > whole || `${log.frames[wanted - 1]?.checksum}` !== `${checksum}`);
  // A transaction that was never committed may leave frames behind the last one, but not its end.
  const isFollowed = log.frames.slice(whole).some(isKnown ? isCommit : ({ isSalted }) => isSalted);
  const [at, of] = [Math.min(whole, log.frames.length) + 1, Math.max(wanted, log.frames.length)];
  return isLost || isFollowed ? `is damaged at frame ${at} of ${of}` : undefined;
}

type Checksum = readonly [number, number];

/** What an index says was committed: how many frames, how many of them the database file itself has, and the checksum of the last one. */
function committedIn(index: Buffer): { frames: number; copied: number; salts: Buffer; checksum: Checksum } | undefined {
  const [one, two] = [index.subarray(0, 48), index.subarray(48, 96)];
  if (index.length < 100 || !one.equals(two)) return undefined; // it is being written, or damaged
  const word = (at: number): number => one.readUInt32LE(at); // in the byte order of the machine
  if (`${checksumOf(one.subarray(0, 40), [0, 0], true)}` !== `${[word(40), word(44)]}`) return undefined;
  return { frames: word(16), copied: index.readUInt32LE(96), salts: one.subarray(32, 40), checksum: [word(24), word(28)] };
}

interface Frame {
  /** The page that it holds, from 1. */
  readonly page: number;
  /** Pages of the database after the transaction that it ends; 0 if it ends none. */
  readonly size: number;
  readonly checksum: Checksum;
  readonly content: Buffer;
  /** Whether it has a salt of this log; frames that an earlier log left in the file have none. */
  readonly isSalted: boolean;
  /** Whether it has both, and its checksum carries on that of the frame before it. */
  readonly isWhole: boolean;
}

const isCommit = ({ size, isWhole }: Frame): boolean => isWhole && size > 0;

/** Reads a log; `undefined` if its header is damaged. A frame at its end that was not written to the end is left out. */
function readLog(bytes: Buffer): { readonly salts: Buffer; readonly frames: readonly Frame[] } | undefined {
  const checksumAt = (at: number): Checksum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  // The first word of a log whose checksums are over little-endian numbers; of one over big-endian numbers it is higher by 1.
  const isLittle = bytes.length >= 32 && bytes.readUInt32BE(0) === 0x377f0682;
  if (bytes.length < 32 || `${checksumAt(24)}` !== `${checksumOf(bytes.subarray(0, 24), [0, 0], isLittle)}`) return undefined;
  const [salts, pageBytes] = [bytes.subarray(16, 24), bytes.readUInt32BE(8)];
  const frames: Frame[] = [];
  let before = checksumAt(24);
  for (let at = 32; at + 24 + pageBytes <= bytes.length; at += 24 + pageBytes) {
    const salted = [0, 4].map((word) => bytes.readUInt32BE(at + 8 + word) === salts.readUInt32BE(word));
    const [head, content, checksum] = [bytes.subarray(at, at + 8), bytes.subarray(at + 24, at + 24 + pageBytes), checksumAt(at + 16)];
    const isNext = `${checksum}` === `${checksumOf(content, checksumOf(head, before, isLittle), isLittle)}`;
    const [page, size] = [head.readUInt32BE(0), head.readUInt32BE(4)];
    frames.push({ page, size, checksum, content, isSalted: salted.includes(true), isWhole: isNext && !salted.includes(false) });
    before = checksum;
  }
  return { salts, frames };
}

/** SQLite's checksum: two sums, modulo 2³², over the pairs of numbers in a run of bytes, carried on from those before it. */
function checksumOf(bytes: Buffer, [a, b]: Checksum, isLittle: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, isLittle) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}
