/** Reads values as Python prints them, which the published logs hold. */

/** A printed value: lists, tuples and sets are arrays, a dict is an array of its entries in order. */
export type PythonValue = string | number | boolean | null | readonly PythonValue[] | PythonDict;

/** A dict, in order; a key occurs twice where the text has it twice. */
export interface PythonDict {
  readonly entries: readonly (readonly [key: PythonValue, value: PythonValue])[];
}

/**
 * Reads one value printed by Python's `repr`.
 *
 * @throws {SyntaxError} if the text is no such value, with the place (characters from 0).
 */
export function parsePython(text: string): PythonValue {
  const token = /\s*(?:('(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*")|([-+.\w]+(?:\(\))?)|([[\](){},:]))/y;
  let next = advance();
  const value = readValue();
  if (next.at < text.length) throw unexpected("the end");
  return value;

  function advance(): { readonly at: number; readonly string?: string; readonly word?: string; readonly mark?: string } {
    const start = token.lastIndex;
    const [, string, word, mark] = token.exec(text) ?? [];
    if (token.lastIndex === 0) token.lastIndex = text.length; // no token: whoever wants one refuses it
    return { at: start + (text.slice(start).search(/\S|$/)), string, word, mark };
  }

  function takes(mark: string): boolean {
    if (next.mark !== mark) return false;
    next = advance();
    return true;
  }

  function readValue(): PythonValue {
    if (takes("[")) return readParts("]", readValue);
    if (takes("(")) return readParts(")", readValue);
    if (takes("{")) {
      const parts = readParts("}", () => {
        const key = readValue();
        return takes(":") ? { key, value: readValue() } : { key };
      });
      if (parts.every((part) => "value" in part)) return { entries: parts.map(({ key, value = null }) => [key, value]) };
      if (parts.some((part) => "value" in part)) throw unexpected("a dict or a set, not both");
      return parts.map(({ key }) => key);
    }
    const { string, word = "" } = next;
    const value = string !== undefined
      ? string.slice(1, -1).replaceAll(ESCAPE, unescaped)
      : Object.hasOwn(WORDS, word)
      ? WORDS[word]
      : word !== "" && Number.isFinite(Number(word))
      ? Number(word)
      : undefined;
    if (value === undefined) throw unexpected("a value");
    next = advance();
    return value;
  }

  function readParts<Part>(close: string, read: () => Part): Part[] {
    const parts: Part[] = [];
    while (!takes(close)) {
      parts.push(read());
      if (!takes(",") && next.mark !== close) throw unexpected(`"," or "${close}"`);
    }
    return parts;
  }

  function unexpected(wanted: string): SyntaxError {
    const got = next.at < text.length ? JSON.stringify(text.slice(next.at, next.at + 20)) : "the end";
    return new SyntaxError(`wanted ${wanted} at character ${next.at}, got ${got}`);
  }
}

/** Reads a printed list, tuple or set of strings. @throws {SyntaxError} if the text is anything else. */
export function parseStrings(text: string): string[] {
  const value = parsePython(text);
  const strings = isDict(value) && value.entries.length === 0 ? [] : value; // an empty dict and an empty set begin alike
  if (!Array.isArray(strings) || !strings.every((part) => typeof part === "string")) throw new SyntaxError("it is no list of strings");
  return strings as string[];
}

/** Whether the value is a dict. */
export function isDict(value: PythonValue): value is PythonDict {
  return typeof value === "object" && value !== null && "entries" in value && !Array.isArray(value);
}

const WORDS: Readonly<Record<string, PythonValue>> = { None: null, True: true, False: false, "set()": [], nan: null };

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g;

function unescaped(whole: string, x?: string, u?: string, U?: string, mark = ""): string {
  const code = x ?? u ?? U;
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  if (/[xuU]/.test(mark)) throw new SyntaxError(`wanted hexadecimal digits after ${whole}`);
  return ESCAPES[mark] ?? whole;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };
