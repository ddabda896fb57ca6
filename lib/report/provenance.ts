/**
 * Where an exported file comes from: the studies behind it with the heads of their chains, written into the file itself and read back.
 *
 * The mark is one JSON object in ASCII on one line. It stands last: as a comment in Markdown and LaTeX, as a line under a caption, as `metadata` in
 * SVG, as a `tEXt` chunk of PNG, as an entry of the PDF's document information. CSV has no comments (RFC 4180), and Polars, pandas, R and spreadsheets
 * would read one as the heads: the file beside it, `.md` of a table and `.txt` of a figure, holds its hash.
 */

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { checkoutRoot } from "../core/platform.ts";
import { hashOf, sha256 } from "../core/text/canonical.ts";
import { chainOf, headOf } from "../lab/store/chain.ts";
import { excludeBroken } from "../lab/store/damage.ts";
import type { Store } from "../lab/store/open.ts";
import { listed } from "../core/text/listed.ts";

/** A study behind an exported file, as the store held it when the file was written. */
export interface StudyProvenance {
  /** Id of the study. */
  readonly study: string;
  /** Id of the backbone, which answered for the models, e.g. `offline`. */
  readonly backbone: string;
  /** Id of the embedder; empty where none is recorded. */
  readonly embedder: string;
  /** Seeds of the episodes, e.g. `1-3 7`. */
  readonly seeds: string;
  /** 12 hex digits of SHA-256 over the versions, options and prompts of worlds, methods and memories: the code that decides what is played. */
  readonly code: string;
  /** Number of completed episodes. */
  readonly episodes: number;
  /** The head of the study's chain: 64 hex digits of SHA-256 over what was played. */
  readonly chain: string;
}

/** The origin of an exported file. */
export interface Provenance {
  /** Version of the library. */
  readonly labyrinth: string;
  /** The studies behind it. */
  readonly studies: readonly StudyProvenance[];
}

/** The mark of a file as it was found there. */
export interface Mark extends Provenance {
  /** Whether the file is as it was written. */
  readonly isWhole: boolean;
  /** SHA-256 of the CSV beside it. */
  readonly csv?: string;
}

/**
 * Tells of some studies what an exported file says of them. Broken episodes are left out. Equal plays have equal provenance, on any machine and at
 * any time: it holds no date and no commit, which would change a file in the commit that adds it.
 *
 * @example
 * ```ts
 * import { provenanceOf } from "labyrinth/report";
 * import { endEpisode, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 7 };
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * endEpisode(store, "e1", { status: "completed", passes: [{ kind: "only", score: 1, maxScore: 1, steps: 12 }] }, 0);
 * const [mine] = provenanceOf(store, ["mine"]).studies;
 * assert.deepEqual([mine?.backbone, mine?.seeds, mine?.episodes, mine?.chain.length], ["offline", "7", 1, 64]);
 * ```
 */
export function provenanceOf(store: Store, studies: readonly string[]): Provenance {
  const { version } = JSON.parse(readFileSync(`${checkoutRoot()}deno.json`, "utf8")) as { readonly version: string };
  const told = studies.toSorted().map((study) => studyProvenance(store, study));
  return { labyrinth: version, studies: told.filter(({ episodes }) => episodes > 0) };
}

/** Fields of an identity that vary by episode; the others name the code, options and prompts. */
const DRAWN: ReadonlySet<string> = new Set(["params", "game", "gold", "seed", "attempt", "artefact", "models", "embedder"]);

function studyProvenance(store: Store, study: string): StudyProvenance {
  excludeBroken(store, study);
  const chain = chainOf(store, study);
  const of = (column: string): string[] =>
    store.prepare(`select distinct cast(${column} as text) as value from episodes where study = ? and status = 'completed' order by 1`)
      .all(study).flatMap(({ value }) => value === null ? [] : [String(value)]);
  const decisive = of("identity").map((text) =>
    hashOf(Object.fromEntries(Object.entries(JSON.parse(text) as object).filter(([key]) => !DRAWN.has(key))))
  );
  return {
    study,
    backbone: listed(of("backbone")),
    embedder: listed(of("json_extract(identity, '$.embedder')")),
    seeds: inRanges(of("seed")),
    code: hashOf([...new Set(decisive)].sort()).slice(0, 12),
    episodes: chain.length,
    chain: headOf(chain),
  };
}

/** `1-3 7`: whole numbers in order, those that follow each other as a range. */
function inRanges(numbers: readonly string[]): string {
  const ranges: [bigint, bigint][] = [];
  for (const value of numbers.map(BigInt).sort((a, b) => a < b ? -1 : 1)) {
    const last = ranges.at(-1);
    if (last && value === last[1] + 1n) last[1] = value;
    else ranges.push([value, value]);
  }
  return ranges.map(([first, end]) => first === end ? `${first}` : `${first}-${end}`).join(" ");
}

const BLANK = "0".repeat(64);
const START = '{"labyrinth":"';
const HASH = '"sha256":"';
const KEYWORD = "Labyrinth";
/** A JSON object whose values are texts, numbers and lists of plain objects. */
const OBJECT = /^\{(?:[^"{}]|"(?:[^"\\]|\\.)*"|\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})*\}/;

const text = z.string();
const STUDY = { study: text, backbone: text, embedder: text, seeds: text, code: text, episodes: z.number(), chain: text };
const MARK = z.object({ labyrinth: text, sha256: text, csv: text.optional(), studies: z.array(z.object(STUDY)) });

/** The mark as one line of JSON without signs of markup, with zeros for the hash of the file, which `sealMark` fills in. */
export function markOf({ labyrinth, studies }: Provenance, csv?: string | Uint8Array): string {
  const mark = JSON.stringify({ labyrinth, sha256: BLANK, ...(csv === undefined ? {} : { csv: sha256(csv) }), studies });
  return mark.replaceAll(/[^\x20-\x7e]|[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** How each kind of file takes a mark. A PDF gets it when it is made: see `svgToPdf`. */
const MARKED: Readonly<Record<string, (content: string | Uint8Array, mark: string) => string | Uint8Array>> = {
  md: (text, mark) => `${text}\n<!-- ${mark} -->\n`,
  tex: (text, mark) => `${text}% ${mark}\n`,
  txt: (text, mark) => `${text}${mark}\n`,
  svg: (text, mark) => `${text}`.replace(/<\/svg>\s*$/, (end) => `<metadata>${mark}</metadata>${end}`),
  png: (bytes, mark) => withText(bytes as Uint8Array, mark),
};

/** Marks the files of one exhibit by their endings; the CSV stays as it is. */
export function marked<Files extends Readonly<Record<string, string | Uint8Array>>>(files: Files, provenance: Provenance): Files {
  return Object.fromEntries(
    Object.entries(files).map(([ending, content]) => {
      const csv = ending === "md" || ending === "txt" ? files["csv"] : undefined;
      const taken = MARKED[ending]?.(content, markOf(provenance, csv)) ?? content;
      return [ending, ending === "csv" ? content : sealMark(taken)];
    }),
  ) as unknown as Files;
}

/** Puts a `tEXt` chunk before the end of a PNG. */
function withText(png: Uint8Array, text: string): Uint8Array {
  const END = 12; // the last chunk is empty: length, name and checksum
  const data = Buffer.from(`tEXt${KEYWORD}\0${text}`, "latin1");
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  return Buffer.concat([png.subarray(0, -END), withChecksum(chunk), png.subarray(-END)]);
}

/** Writes the checksum of a chunk of a PNG into it. */
function withChecksum(chunk: Buffer): Buffer {
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

/** Writes the hash of a marked file, taken with zeros in its place, into the mark. */
function sealMark(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(content as Uint8Array);
  const at = hashPlace(bytes);
  return at === undefined ? bytes : withHash(bytes, at, sha256(bytes));
}

function hashPlace(bytes: Buffer): number | undefined {
  const start = bytes.lastIndexOf(START);
  const at = start < 0 ? -1 : bytes.indexOf(HASH, start);
  return at < 0 ? undefined : at + HASH.length;
}

function withHash(bytes: Buffer, at: number, hash: string): Buffer {
  const made = Buffer.from(bytes);
  made.write(hash, at, "latin1");
  const name = made.lastIndexOf(`tEXt${KEYWORD}\0`, at);
  if (made.subarray(1, 4).toString("latin1") === "PNG" && name > 0) {
    withChecksum(made.subarray(name - 4, name + 8 + made.readUInt32BE(name - 4)));
  }
  return made;
}

/** Reads the mark of a file; `undefined` where it has none. */
export function readMark(content: Uint8Array): Mark | undefined {
  const bytes = Buffer.from(content);
  const at = hashPlace(bytes);
  if (at === undefined) return undefined;
  const rest = bytes.toString("latin1", bytes.lastIndexOf(START));
  const isPdf = bytes.subarray(0, 4).toString("latin1") === "%PDF";
  try {
    const [found = ""] = OBJECT.exec(isPdf ? rest.replaceAll(/\\([\\()])/g, "$1") : rest) ?? [];
    const { sha256: hash, ...mark } = MARK.parse(JSON.parse(found));
    const isWhole = hash === sha256(withHash(bytes, at, BLANK)) && bytes.equals(withHash(bytes, at, hash)); // with its checksum
    return { ...mark, isWhole };
  } catch {
    return undefined; // what stands there is no mark, or no longer one
  }
}

/** A text without the mark that an exported file of it ends with. */
export function withoutMark(text: string): string {
  return text.replace(/\n?^(<!-- |% )?\{"labyrinth":".*\n$/m, "");
}
