/**
 * The leniencies in reading replies, one rule each, with its source. Whole replies are mended by
 * `replyText`, parts of lists by `read-lists.ts`, JSON by `parseJson`.
 */

import { jsonrepair } from "jsonrepair";
import { isObject } from "./canonical.ts";
import { firstTurn, unfenced, unframed, unquoted, untagged } from "./reply-mends.ts";
import {
  commasForSemicolons,
  doubleQuotes,
  rowsOfTable,
  singleBraces,
  unbracketed,
  upToBracket,
} from "./mending.ts";

/** What a rule is applied to; a `triplet` is an entry that should be one. */
export type Level = "reply" | "json" | "lines" | "entry" | "triplet" | "name" | "number" | "action";

export interface Rule {
  readonly level: Level;
  readonly what: string;
  /**
   * Where it was met: a public report, or a play of a small model (Qwen2.5-Coder-1.5B-Instruct).
   */
  readonly source: string;
  readonly mend: (text: string) => string;
}

const NO_NAME =
  /^(?:null|none|no (?:\w+ )?(?:entit|tripl|fact|name)\w+|nil|undefined|nan|n\/?a|string|\.{2,}|…|-+|\?+|<[^<>]*>|\{[^{}]*\}|\[\s*\])\.?$/i;
const LABEL =
  /^(?:(?:sure|certainly|okay|ok|of course)\b[^:;\n]{0,80}|here(?:['’]s| is| are)\b[^:;,\n]{0,80}|(?:the |extracted |final |new |my |your |next )*(?:triplets?|triples?|facts?|relations?|relationships|entities|names|questions?|actions?|output|result|answer|list)(?: (?:extracted|from|of|in)\b[^:;,\n]{0,60})?(?: (?:is|are)| #?\d{1,3})?)\s*:(?=\s|$)\s*/i;

/** Part of an episode's identity: whoever changes how a reply is read or re-asked raises it. */
export const READING = "8";

const HABIT = "a habit of chat models";

export const RULES: readonly Rule[] = [
  {
    level: "reply",
    what: "characters without width, and other spaces and line ends",
    source: "lmql #267",
    mend: (text) =>
      text.replaceAll(/[\u200B\u2060\uFEFF]/g, "").replaceAll(/[\u00A0\u202F]/g, " ").replaceAll(
        /\r\n?|[\u2028\u2029]/g,
        "\n",
      ),
  },
  {
    level: "reply",
    what: "the prompt before the answer, and a thought whose tokens a server left out",
    source: "Mistral's template; gpt-oss, Sidekick #75",
    mend: (text) =>
      text.replace(
        /^\s*(?:<s>\s*)?\[INST\][\s\S]*\[\/INST\]|^\s*analysis(?=[A-Z])[\s\S]*?assistantfinal/,
        "",
      ),
  },
  {
    level: "reply",
    what: "tokens of a chat template; what follows one is another turn",
    source: "llama.cpp #6859, llamafile #630",
    mend: firstTurn,
  },
  {
    level: "reply",
    what: "an answer between tags",
    source: "DeepSeek-R1, Granite",
    mend: untagged,
  },
  { level: "reply", what: "a fence around the answer", source: "HippoRAG #194", mend: unfenced },
  {
    level: "reply",
    what: "a box and a font of LaTeX, a link of Markdown",
    source: "lm-evaluation-harness #2552, NeMo-Gym #1844",
    mend: (text) =>
      text.replaceAll(/\\(?:text|math)(?:rm|bf|it)?\{([^{}]*)\}/g, "$1").replaceAll(
        /(?:(?:\${1,2}|\\[[(])\s{0,4})?\\boxed\{([^{}]*)\}(?:\s{0,4}(?:\${1,2}|\\[\])]))?/g,
        "$1",
      ).replaceAll(/\[([^\][\n]+)\]\(https?:[^()\s]*\)/g, "$1"),
  },
  {
    level: "reply",
    what: "words and lines that announce the answer or close it",
    source: HABIT,
    mend: unframed,
  },
  {
    level: "reply",
    what: "emphasis or a heading's or list's sign at all of it, a quotation's before each line",
    source: HABIT,
    mend: (text) =>
      /^(?:[ \t]*>.*(?:\n|$))+$/.test(text.trim())
        ? text.replaceAll(/^[ \t]*> ?/gm, "")
        : text.replace(/^\s*(\*{1,3})([^*]+)\1\s*$|^\s*(?:#+|[-*•]) (.*)\s*$/, "$2$3"),
  },
  {
    level: "reply",
    what: "round brackets around all of it",
    source: HABIT,
    mend: (text) => text.replace(/^\s*\(([^()\n]+)\)\s*$/, "$1"),
  },
  {
    level: "reply",
    what: "quotation marks around all of it",
    source: HABIT,
    mend: unquoted,
  },
  {
    level: "json",
    what: "doubled braces",
    source: "MemGPT's calls by a small model",
    mend: singleBraces,
  },
  {
    level: "json",
    what: "escaped quotation marks in place of plain ones, full-width colons and commas",
    source: HABIT,
    mend: (text) =>
      (/(?<!\\)"/.test(text) ? text : text.replaceAll('\\"', '"')).replaceAll(/"\s*：/g, '":')
        .replaceAll(
          /(["\]}\d])\s*，\s*(?=["[{\d])/g,
          "$1,",
        ),
  },
  {
    level: "json",
    what: "apostrophes in strings between apostrophes",
    source: "hermes-agent #12068, json_repair #56",
    mend: doubleQuotes,
  },
  {
    level: "lines",
    what: "a JSON list in place of lines",
    source: "HippoRAG #194",
    mend: linesOfJson,
  },
  {
    level: "lines",
    what: "rows of a Markdown table",
    source: HABIT,
    mend: rowsOfTable,
  },
  {
    level: "lines",
    what: "a note below the list",
    source: HABIT,
    mend: (text) =>
      text.replace(
        /\n[ \t]*\n[^\w\n]{0,5}(?:notes?|explanation|reasoning|rationale|justification)\b[^:\n]{0,40}:[\s\S]*$/i,
        "",
      ),
  },
  {
    level: "lines",
    what: "full-width commas, semicolons and numbers",
    source: "id-tagging-schema #2898",
    mend: (text) =>
      text.replaceAll("，", ", ").replaceAll("；", ";").replaceAll(/^\s*[０-９]{1,3}[．）]/gm, ""),
  },
  {
    level: "lines",
    what: "brackets and commas between the entries of one line",
    source: "AriGraph's triplets by a small model",
    mend: (text) => text.replaceAll(/([\])])\s*,\s*(?=[[(])/g, "$1\n"),
  },
  {
    level: "entry",
    what: "bold and italics",
    source: "llama_index #10036",
    mend: (text) =>
      text.replaceAll(/(\*\*|__|\*|`|(?<!\w)_)(\S|\S.*?\S)\1(?<!_(?=\w))/g, "$2").replaceAll(
        "**",
        "",
      ),
  },
  {
    level: "entry",
    what: "numbering, bullets, headings",
    source: "llama_index #10036",
    mend: (text) =>
      text.replace(
        /^\s*(?:(?:[-*•–—·▪◦●✅+>→①-⑳]|\[[ x]?\]|#{1,6}|[#(]?\d{1,3}[.):]|\[\d{1,3}\]|\(?[a-z]\)|step \d{1,3}[.:])\s+|\d{1,3}[.)](?=[^\s\d.)])|-(?=[a-z])|[•▪◦●①-⑳])+/i,
        "",
      ),
  },
  {
    level: "entry",
    what: "quotation marks around an entry",
    source: "HippoRAG #194",
    mend: (text) => text.replace(/^\s*(?:["“]([^"“”]*)["”]|'([^']*)')[,;]?\s*$/, "$1$2"),
  },
  {
    level: "entry",
    what: "a label before the list",
    source: "llama_index #10036",
    mend: (text) => text.replace(LABEL, ""),
  },
  {
    level: "entry",
    what: "brackets around an entry, or left open",
    source: "AriGraph's triplets by a small model",
    mend: unbracketed,
  },
  {
    level: "triplet",
    what: "semicolons in place of commas",
    source: "WESE's triplets by a small model",
    mend: commasForSemicolons,
  },
  {
    level: "triplet",
    what: "labels of its parts",
    source: HABIT,
    mend: (text) =>
      text.replaceAll(/(^|,)\s*(?:subject|predicate|relation|object|head|tail) ?[:=]\s*/gi, "$1 "),
  },
  {
    level: "name",
    what: "quotation marks, a comma or a semicolon around a name",
    source: "HippoRAG #194",
    mend: (text) => text.replaceAll(/^[\s"'“”‘’`,;]+|[\s"“”`,;]+$|(?<!s)['’]$/g, ""),
  },
  {
    level: "name",
    what: "placeholders and words for nothing",
    source: "A-MEM and room graph by a small model, HippoRAG #194",
    mend: (text) => NO_NAME.test(text.trim()) ? "" : text,
  },
  {
    level: "number",
    what: "the scale beside a rating",
    source: "langchain #4636, trulens #862",
    mend: (text) =>
      text.replaceAll(
        /\b(?:from\s+)?\d+\s*(?:to|[-–—]|\.\.)\s*\d+\b|\s*(?:\/|\bout of\b)\s*\d+\b/gi,
        " ",
      ),
  },
  {
    level: "action",
    what: "what stands behind the closing bracket of a call",
    source: "Act in the wiki by a small model",
    mend: upToBracket,
  },
];

export function mend(level: Level, text: string): string {
  return RULES.reduce((mended, rule) => rule.level === level ? rule.mend(mended) : mended, text);
}

/**
 * Writes a JSON list, alone or the only list of an object, as lines: texts and numbers one a line,
 * a list within it with commas between. A triplet may be an object, and an object of texts a list.
 */
function linesOfJson(text: string): string {
  const span = text.slice(
    text.search(/[[{]/),
    Math.max(text.lastIndexOf("]"), text.lastIndexOf("}")) + 1,
  );
  if (!/^(?:\[\s*["'[{]|\{)/.test(span)) return text;
  let value: unknown;
  try {
    value = JSON.parse(jsonrepair(mend("json", span)));
  } catch {
    return text;
  }
  const map = isObject(value) ? value : undefined;
  const values = Object.values(map ?? {});
  const isTold = values.length > 0 && values.every((part) => typeof part === "string");
  const [list, ...others] = !map || tripletOf(map)
    ? [[value].flat()]
    : isTold
    ? [values]
    : values.filter(Array.isArray);
  if (others.length > 0 || !list || list.length === 0) return text;
  return list.map((entry: unknown) => {
    const parts = isObject(entry) ? tripletOf(entry) ?? Object.values(entry) : [entry].flat();
    return parts.map((part) =>
      typeof part === "string" || typeof part === "number" ? String(part).replaceAll("\n", " ") : ""
    ).join(", ");
  }).join("\n");
}

/** The parts of an object with a triplet's fields, in order, also under their usual names. */
function tripletOf(object: object): unknown[] | undefined {
  const parts = [
    /^(?:subject|head|source|from|(?:node|entity)_?1)$/i,
    /^(?:relation|relationship|predicate|label|edge|type)$/i,
    /^(?:object|tail|target|to|(?:node|entity)_?2)$/i,
  ].map((names) => Object.entries(object).find(([name]) => names.test(name))?.[1]);
  return parts.includes(undefined) ? undefined : parts;
}
