/** Rewrites of reply texts: tables, braces, quotes, lists, brackets. */

const BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

export function rowsOfTable(text: string): string {
  const lines = text.split("\n");
  const under = lines.findIndex((line) =>
    /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/.test(line.trim())
  );
  if (under < 0) return text;
  const rows = lines.slice(under + 1).filter((line) => line.includes("|"));
  return rows.map((row) =>
    row.trim().replaceAll(/^\||\|$/g, "").split("|").map((cell) => cell.trim()).join(", ")
  ).join("\n");
}

export function singleBraces(text: string): string {
  if (!/^\{\{[\s\S]*\}\}$/.test(text)) return text;
  const outer = text.slice(1, -1);
  try {
    JSON.parse(outer);
    return outer;
  } catch {
    return text.replaceAll("{{", "{").replaceAll("}}", "}");
  }
}

/**
 * Rewrites strings between apostrophes as JSON strings: an apostrophe ends one only where a comma
 * and another value, a colon or a closing bracket follows it.
 */
export function doubleQuotes(text: string): string {
  if (!/[[{,:]\s*'/.test(text)) return text;
  const end = /'(?=\s*(?:[:\]}]|$|,\s*(?:['"[{\]}\d-]|true\b|false\b|none\b|null\b|\w+\s*:)))/gi;
  let written = "";
  for (let at = 0; at < text.length;) {
    const whole = text[at] === '"' ? /"(?:[^"\\]|\\.)*"/y : /[^'"]+|./sy;
    if (text[at] !== "'") {
      whole.lastIndex = at;
      const [part = text[at] ?? ""] = whole.exec(text) ?? [];
      written += part;
      at += part.length;
      continue;
    }
    end.lastIndex = at + 1;
    while (end.test(text) && text[end.lastIndex - 2] === "\\");
    const stop = end.lastIndex === 0 ? text.length : end.lastIndex - 1;
    written += JSON.stringify(
      text.slice(at + 1, stop).replaceAll("\\'", "'").replaceAll('\\"', '"').replaceAll(
        "\\n",
        "\n",
      ),
    );
    at = stop + 1;
  }
  return written;
}

/** `A; is in; B` → `A, is in, B`, and each three parts of more. */
export function commasForSemicolons(text: string): string {
  const parts = text.split(";").map((part) => part.trim()).filter((part) => part !== "");
  if (text.includes(",") || parts.length === 0 || parts.length % 3 !== 0) return text;
  return Array.from(
    { length: parts.length / 3 },
    (_, at) => parts.slice(3 * at, 3 * at + 3).join(", "),
  ).join("; ");
}

export function unbracketed(text: string): string {
  let bare = text.trim().replace(/(?<=[)\]}])[,;]$/, "");
  for (;;) {
    const [first = "", last = ""] = [bare[0], bare.at(-1)];
    const opens = BRACKETS[first] !== undefined &&
      (BRACKETS[first] === last ? isAround(bare) : !bare.includes(BRACKETS[first] ?? ""));
    const closes = !opens &&
      Object.entries(BRACKETS).some(([open, close]) => close === last && !bare.includes(open));
    if (!opens && !closes) return bare;
    bare = bare.slice(opens ? 1 : 0, closes || (opens && BRACKETS[first] === last) ? -1 : undefined)
      .trim();
  }
}

function isAround(text: string): boolean {
  let depth = 0;
  for (const [at, sign] of [...text].entries()) {
    if (sign === text[0]) depth++;
    else if (sign === BRACKETS[text[0] ?? ""]) depth--;
    if (depth === 0) return at === text.length - 1;
  }
  return false;
}

export function upToBracket(text: string): string {
  if (!/^\s*\w+\[/.test(text)) return text;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return text.slice(0, at + 1);
  }
  return text;
}
