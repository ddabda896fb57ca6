/**
 * Values as Python prints them: what the published logs hold.
 *
 * @module
 */

/** A printed value: lists, tuples and sets are arrays, a dict is an array of its entries in order. */
export type PythonValue = string | number | boolean | null | readonly PythonValue[] | PythonDict;

/** A dict, in order; a key may come twice where the text has it twice. */
export interface PythonDict {
  readonly entries: readonly (readonly [key: PythonValue, value: PythonValue])[];
}

/**
 * Reads one value printed by Python's `repr`.
 *
 * @throws {SyntaxError} if the text is no such value, with the place (characters from 0).
 */
export function parsePython(text: string): PythonValue {
  const source = { text, at: 0 };
  const value = readValue(source);
  skipSpace(source);
  if (source.at < text.length) throw unexpected(source, "the end");
  return value;
}

/** Reads a printed list, tuple or set of strings. @throws {SyntaxError} if the text is anything else. */
export function parseStrings(text: string): string[] {
  const value = parsePython(text);
  const strings = isDict(value) && value.entries.length === 0 ? [] : value; // an empty dict and an empty set begin alike
  if (!Array.isArray(strings) || !strings.every((part) => typeof part === "string")) throw new SyntaxError("it is no list of strings");
  return strings as string[];
}

/**
 * Whether the value is a dict.
 */
export function isDict(value: PythonValue): value is PythonDict {
  return typeof value === "object" && value !== null && "entries" in value && !Array.isArray(value);
}

interface Source {
  readonly text: string;
  at: number;
}

function readValue(source: Source): PythonValue {
  skipSpace(source);
  const mark = source.text[source.at];
  if (mark === "[") return readParts(source, "]");
  if (mark === "(") return readParts(source, ")");
  if (mark === "{") return readBraces(source);
  if (mark === "'" || mark === '"') return readString(source, mark);
  const word = /[-+.\w]+(?:\(\))?/y;
  word.lastIndex = source.at;
  const found = word.exec(source.text)?.[0] ?? "";
  const value = Object.hasOwn(WORDS, found) ? WORDS[found] : found !== "" && Number.isFinite(Number(found)) ? Number(found) : undefined;
  if (value === undefined) throw unexpected(source, "a value");
  source.at += found.length;
  return value;
}

const WORDS: Readonly<Record<string, PythonValue>> = { None: null, True: true, False: false, "set()": [], nan: null };

function readParts(source: Source, close: string): PythonValue[] {
  source.at++;
  const parts: PythonValue[] = [];
  while (!taken(source, close)) {
    parts.push(readValue(source));
    if (!taken(source, ",") && !ahead(source, close)) throw unexpected(source, `"," or "${close}"`);
  }
  return parts;
}

function readBraces(source: Source): PythonValue {
  source.at++;
  const keys: PythonValue[] = [];
  const entries: [PythonValue, PythonValue][] = [];
  while (!taken(source, "}")) {
    const key = readValue(source);
    if (taken(source, ":")) entries.push([key, readValue(source)]);
    else keys.push(key);
    if (!taken(source, ",") && !ahead(source, "}")) throw unexpected(source, '"," or "}"');
  }
  if (keys.length > 0 && entries.length > 0) throw unexpected(source, "a dict or a set, not both");
  return keys.length > 0 ? keys : { entries };
}

function readString(source: Source, quote: string): string {
  const start = source.at++;
  let out = "";
  for (;;) {
    const mark = source.text[source.at];
    if (mark === undefined) {
      source.at = start;
      throw unexpected(source, "a closed string");
    }
    source.at++;
    if (mark === quote) return out;
    out += mark === "\\" ? readEscape(source) : mark;
  }
}

function readEscape(source: Source): string {
  const mark = source.text[source.at++] ?? "";
  const digits = { x: 2, u: 4, U: 8 }[mark];
  if (digits === undefined) return ESCAPES[mark] ?? `\\${mark}`;
  const code = source.text.slice(source.at, source.at + digits);
  if (!new RegExp(`^[\\da-f]{${digits}}$`, "i").test(code)) throw unexpected(source, `${digits} hexadecimal digits`);
  source.at += digits;
  return String.fromCodePoint(Number.parseInt(code, 16));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };

function taken(source: Source, mark: string): boolean {
  if (!ahead(source, mark)) return false;
  source.at++;
  return true;
}

function ahead(source: Source, mark: string): boolean {
  skipSpace(source);
  return source.text[source.at] === mark;
}

function skipSpace(source: Source): void {
  while (/\s/.test(source.text[source.at] ?? "")) source.at++;
}

function unexpected(source: Source, wanted: string): SyntaxError {
  const got = source.at < source.text.length ? JSON.stringify(source.text.slice(source.at, source.at + 20)) : "the end";
  return new SyntaxError(`wanted ${wanted} at character ${source.at}, got ${got}`);
}
