/** Text for pdfLaTeX: signs that it reads as its own or does not know. */

import { safeText } from "../core/foreign-text.ts";
import { oneLine } from "../core/text/written.ts";

const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "|": "\\textbar{}",
  "–": "--",
  "—": "---",
  "…": "\\dots{}",
  "§": "\\S{}",
  "\u00a0": "~",
  "‘": "`",
  "’": "'",
  "“": "``",
  "”": "''",
};

const FORMULAS: Readonly<Record<string, string>> = {
  ...{
    "−": "-",
    "×": "\\times",
    "÷": "\\div",
    "±": "\\pm",
    "·": "\\cdot",
    "√": "\\surd",
    "∞": "\\infty",
    "Δ": "\\Delta",
  },
  ...{
    "<": "<",
    ">": ">",
    "≤": "\\le",
    "≥": "\\ge",
    "≠": "\\ne",
    "≈": "\\approx",
    "→": "\\to",
    "←": "\\leftarrow",
  },
};

/**
 * A root over its parentheses, which may hold parentheses; the space between a number and its
 * unit; a quotation mark; any other sign to replace.
 */
const SPECIAL =
  /√\((?<root>(?:[\w\s−+/]|\([\w\s−+/]*\))*)\)|(?<gap>(?<=(?<!\w)\d[\d.]*) (?=%|USD\b))|(?<open>(?<![^\s(])")|(?<close>")|(?<sign>[A-Za-z]\p{M}+|[\\&%$#_{}~^|<>]|[^\x20-\x7e])/gu;

/** Letters that pdfLaTeX knows without a package: those of western languages. */
const LETTER = /^[[À-ÿŁłŒœŠšŸŽž]--[ÐðÞþ]]$/v;

const T1: Readonly<Record<string, string>> = {
  ...{
    "Ð": "\\DH",
    "ð": "\\dh",
    "Þ": "\\TH",
    "þ": "\\th",
    "Đ": "\\DJ",
    "đ": "\\dj",
    "Ŋ": "\\NG",
    "ŋ": "\\ng",
    "\u0328": "\\k",
  },
};

const MARKS: Readonly<Record<string, string>> = {
  ...{
    "\u0300": "\\`",
    "\u0301": "\\'",
    "\u0302": "\\^",
    "\u0303": "\\~",
    "\u0304": "\\=",
    "\u0306": "\\u",
    "\u0307": "\\.",
  },
  ...{
    "\u0308": '\\"',
    "\u030a": "\\r",
    "\u030b": "\\H",
    "\u030c": "\\v",
    "\u0323": "\\d",
    "\u0327": "\\c",
    "\u0331": "\\b",
  },
};

/**
 * A line of text as pdfLaTeX reads it, decomposed letters composed; a sign that it does not know by
 * itself is written as its code point.
 */
export function latexText(text: string): string {
  return safeText(oneLine(text).normalize("NFC")).replaceAll(SPECIAL, (...found) => {
    const { root, gap, open, close, sign = "" } = found.at(-1) as Record<
      string,
      string | undefined
    >;
    if (root !== undefined) return `$\\sqrt{${root.replaceAll("−", "-")}}$`;
    if (gap !== undefined) return "\\,";
    if (open !== undefined || close !== undefined) return open ? "``" : "''";
    const formula = FORMULAS[sign];
    if (formula !== undefined) return `$${formula}$`;
    if (SIGNS[sign] !== undefined || LETTER.test(sign)) return SIGNS[sign] ?? sign;
    return letter(sign) ??
      (sign > "~" || sign.length > 1 ? [...sign].map(codePoint).join("") : `\\${sign}`);
  });
}

/** A letter, with or without a mark, by LaTeX's commands; `undefined` where it has none. */
function letter(sign: string): string | undefined {
  const [base = "", mark = "", another] = sign.normalize("NFD");
  if (mark === "") return T1[base] && inT1(T1[base]);
  if (!/[A-Za-z]/.test(base) || another !== undefined) return undefined;
  const command = `${MARKS[mark] ?? T1[mark]}{${
    /[ij]/.test(base) && !/[\u0323\u0327\u0328\u0331]/.test(mark) ? `\\${base}` : base
  }}`;
  return MARKS[mark] ? command : T1[mark] && inT1(command);
}

function inT1(command: string): string {
  return `{\\fontencoding{T1}\\selectfont${command}}`;
}

function codePoint(sign: string): string {
  return sign <= "~"
    ? sign
    : `[U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`;
}
