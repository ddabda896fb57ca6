/** Reads values as Python prints them, which the published logs hold. */

/** A printed value; lists, tuples and sets are arrays, a dict keeps order and repeated keys. */
export type PythonValue = string | number | boolean | null | readonly PythonValue[] | PythonDict;

export interface PythonDict {
  readonly entries: readonly (readonly [key: PythonValue, value: PythonValue])[];
}

const WORDS: Readonly<Record<string, PythonValue>> = {
  None: null,
  True: true,
  False: false,
  "set()": [],
  nan: null,
};
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };
const TOKEN = /\s*('(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[-+.\w]+(?:\(\))?|[[\](){},:])|\s*/y;

/**
 * Reads one value printed by Python's `repr`.
 * @throws {SyntaxError} if the text is no such value, with the place (characters from 0)
 */
export function parsePython(text: string): PythonValue {
  const tokens = new RegExp(TOKEN);
  let [token, at] = ["", 0];
  advance();
  const value = readValue();
  if (at < text.length) throw unexpected("the end");
  return value;

  function advance(): void {
    [, token = ""] = tokens.exec(text) ?? []; // none where what follows is no token: whoever wants one refuses it
    at = tokens.lastIndex - token.length;
  }

  function takes(mark: string): boolean {
    if (token !== mark) return false;
    advance();
    return true;
  }

  function readValue(): PythonValue {
    const open = token;
    const close = CLOSING[open];
    if (close === undefined) return readScalar();
    advance();
    const parts: PythonValue[] = [];
    const values: PythonValue[] = [];
    while (!takes(close)) {
      parts.push(readValue());
      if (open === "{" && takes(":")) values.push(readValue());
      if (!takes(",") && token !== close) throw unexpected(`"," or "${close}"`);
    }
    if (values.length === 0) return parts;
    if (values.length !== parts.length) throw unexpected("a dict or a set, not both");
    return { entries: parts.map((key, index) => [key, values[index] ?? null]) };
  }

  function readScalar(): PythonValue {
    const word = token;
    const value = /^['"]/.test(word)
      ? word.slice(1, -1).replaceAll(ESCAPE, unescaped)
      : Object.hasOwn(WORDS, word)
      ? WORDS[word]
      : /^[-+.\d]/.test(word) && Number.isFinite(Number(word))
      ? Number(word)
      : undefined;
    if (value === undefined) throw unexpected("a value");
    advance();
    return value;
  }

  function unexpected(wanted: string): SyntaxError {
    const got = at < text.length ? JSON.stringify(text.slice(at, at + 20)) : "the end";
    return new SyntaxError(`wanted ${wanted} at character ${at}, got ${got}`);
  }
}

/**
 * Reads a printed list, tuple or set of strings.
 * @throws {SyntaxError} if the text is anything else.
 */
export function parseStrings(text: string): string[] {
  const value = parsePython(text);
  if (text.trim() === "{}") return []; // an empty dict
  if (!Array.isArray(value) || !value.every((part) => typeof part === "string")) {
    throw new SyntaxError("it is no list of strings");
  }
  return value as string[];
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

function unescaped(whole: string, x?: string, u?: string, U?: string, mark = ""): string {
  const code = x ?? u ?? U;
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  if (/[xuU]/.test(mark)) throw new SyntaxError(`wanted hexadecimal digits after ${whole}`);
  return ESCAPES[mark] ?? whole;
}
