/**
 * Foreign text, which models, worlds and endpoints write: made safe once where it enters memory and
 * record, and shown safely in a terminal.
 *
 * @module
 */

/**
 * Control characters but tab and line ends, halves of surrogate pairs, and the two code points that
 * XML forbids.
 */
const UNSAFE = /[[\p{Cc}\p{Cs}\uFFFE\uFFFF]--[\t\n\r]]/gv;

/**
 * Replaces each character that XML 1.0 forbids or a terminal obeys by U+FFFD; all other text stays
 * as it is.
 */
export function safeText(text: string): string {
  return text.replaceAll(UNSAFE, "\uFFFD");
}

const MARKUP: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Writes text so that HTML and XML show it as it is, also within double quotes. */
export function markupText(text: string): string {
  return safeText(text).replaceAll(/[&<>"]/g, (sign) => MARKUP[sign] ?? sign);
}

const OBEYED = /[[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]--[\t\n]]/gv;

export function terminalText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(OBEYED, escaped);
}

export function terminalJson(json: string): string {
  return json.replaceAll(/[[\p{Cc}\uFFFE\uFFFF]--[\t\n\r]]/gv, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Applies `safe` to every text and key in arrays and plain objects. A value with nothing to replace
 * is returned as it is; other objects are left alone.
 * @param safe
 * @default {safeText}
 */
export function safeValue<T>(value: T, safe: (text: string) => string = safeText): T {
  return mapped(value, safe) as T;
}

function mapped(value: unknown, safe: (text: string) => string): unknown {
  if (typeof value === "string") return safe(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, safe));
    return items.some((item, index) => !Object.is(item, value[index])) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, member]) => {
    const entry = [safe(key), mapped(member, safe)] as const;
    isChanged ||= entry[0] !== key || !Object.is(entry[1], member);
    return entry;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
