import assert from "node:assert/strict";
import { type Level, mend, RULES } from "../../../lib/core/text/reading-rules.ts";

/** Per rule what it makes of texts: `written ⇒ read`, or what it must leave alone. */
const CASES: readonly (readonly [Level, string, ...string[]])[] = [
  [
    "reply",
    "characters without width, and other spaces and line ends",
    "\u200Bgo\u00A0north\r\nlook ⇒ go north\nlook",
    "a  b",
  ],
  [
    "reply",
    "the prompt before the answer, and a thought whose tokens a server left out",
    "[INST] What now? [/INST] go north ⇒  go north",
    "analysisI could go south.assistantfinalgo north ⇒ go north",
    "analysis of the hall",
  ],
  [
    "reply",
    "tokens of a chat template; what follows one is another turn",
    "go north<|im_end|>\nuser ⇒ go north",
    "a <b> | c",
  ],
  [
    "reply",
    "an answer between tags",
    "So: <answer>go north</answer>! ⇒ go north",
    "<ANSWER>go north</ANSWER> ⇒ go north",
    "<answer>go ⇒ go",
    "go</answer> ⇒ go",
    "<answer>go north</answer> or <answer>go east</answer> ⇒ go east",
    "<b>go</b>",
  ],
  [
    "reply",
    "a fence around the answer",
    "```\ngo north\n``` ⇒ \ngo north\n",
    "a\n```\nb\n```\nc\n```\nd\n``` ⇒ a\n\nb\n\nc\n\nd\n",
    "a `b` c",
  ],
  [
    "reply",
    "a box and a font of LaTeX, a link of Markdown",
    "$\\boxed{go north}$ ⇒ go north",
    "Direct answer: \\[\\boxed{\\text{Tarn}}\\] ⇒ Direct answer: Tarn",
    "$\\boxed{\\mathrm{Tarn}}$, \\textbf{Ost} ⇒ Tarn, Ost",
    "[Tarn](https://wiki/Tarn) [1](x) ⇒ Tarn [1](x)",
    "\\frac{1}{2}",
  ],
  [
    "reply",
    "words and lines that announce the answer or close it",
    "Sure! Here is the answer:\n\ngo north ⇒ go north",
    "**Final Answer:** go north ⇒ go north",
    "### Answer\ngo north ⇒ go north",
    "Here's the summary:\nA hall ⇒ A hall",
    "**New Summary:** A hall ⇒ A hall",
    "assistant\ngo north ⇒ go north",
    "---\ngo north\n--- ⇒ go north",
    "key\nhall\n\nLet me know if you need more! ⇒ key\nhall",
    "Direct answer: Tarn",
    "Okay, open the door: now",
    "Here is the key.",
  ],
  [
    "reply",
    "emphasis or a heading's or list's sign at all of it, a quotation's before each line",
    "## A hall ⇒ A hall",
    "- A hall ⇒ A hall",
    "- a\n- b",
    "**go north** ⇒ go north",
    "> a\n> b ⇒ a\nb",
    "*a* and *b*",
    "> look\nA hall.",
  ],
  ["reply", "round brackets around all of it", "(Tarn) ⇒ Tarn", "(a) and (b)"],
  [
    "reply",
    "quotation marks around all of it",
    '"go north" ⇒ go north',
    "“go north” ⇒ go north",
    '"{\\"a\\": \\"b\\"}" ⇒ {"a": "b"}',
    '"a" and "b"',
    '"a"\n"b"',
  ],
  [
    "json",
    "doubled braces",
    '{{"a": 1}} ⇒ {"a": 1}',
    '{{"a": {{"b": 1}}}} ⇒ {"a": {"b": 1}}',
    '{"a": {"b": 1}}',
  ],
  [
    "json",
    "escaped quotation marks in place of plain ones, full-width colons and commas",
    '{\\"a\\": \\"b\\"} ⇒ {"a": "b"}',
    '{"a"： 1，"b"：2} ⇒ {"a": 1,"b":2}',
    '{"a": "\\"b\\""}',
  ],
  [
    "json",
    "apostrophes in strings between apostrophes",
    "{'a': 'The cook's hat', 'b': ['it didn't', 5]} ⇒ {\"a\": \"The cook's hat\", \"b\": [\"it didn't\", 5]}",
    '[\'say "go"\', \'a\\\'b\'] ⇒ ["say \\"go\\"", "a\'b"]',
    '{"a": "the \'b\': c"}',
  ],
  [
    "lines",
    "a JSON list in place of lines",
    '["a", "b"] ⇒ a\nb',
    '[["a", "is", "b"]] ⇒ a, is, b',
    '{"x": [{"s": "a", "o": null}]} ⇒ a, ',
    "[a, is, b]",
  ],
  [
    "lines",
    "rows of a Markdown table",
    "| S | R | O |\n|---|:-:|---|\n| a | is in | b |\n| c | is | d | ⇒ a, is in, b\nc, is, d",
    "a | b\nc | d",
  ],
  [
    "lines",
    "a note below the list",
    "key\nhall\n\n**Note:** some are guesses.\nMany. ⇒ key\nhall",
    "key\nNote: this",
  ],
  [
    "lines",
    "full-width commas, semicolons and numbers",
    "１．a，is in，b；c ⇒ a, is in, b;c",
    "a、b",
  ],
  [
    "lines",
    "brackets and commas between the entries of one line",
    "[a, b, c], [d, e, f] ⇒ [a, b, c]\n[d, e, f]",
    "a, [b], c",
  ],
  [
    "entry",
    "bold and italics",
    "**key**, is in, *hall* ⇒ key, is in, hall",
    "2 * 3 * 4",
    "_key_, is in, _hall_ ⇒ key, is in, hall",
    "open_the_door",
    "**1.** key ⇒ 1. key",
  ],
  [
    "entry",
    "numbering, bullets, headings",
    "1. key ⇒ key",
    "(2) key ⇒ key",
    "#2: key ⇒ key",
    "- key ⇒ key",
    "3.key ⇒ key",
    "## key ⇒ key",
    "> key ⇒ key",
    "- [ ] key ⇒ key",
    "① key ⇒ key",
    "Step 1: key ⇒ key",
    "steps: key",
    "1.5 kg",
    "-=hall=-",
    "1871",
  ],
  ["entry", "quotation marks around an entry", '"key", ⇒ key', '"a" and "b"', "'tis a key"],
  [
    "entry",
    "a label before the list",
    "Triplets: key ⇒ key",
    "Fact 2: key ⇒ key",
    "Here are the names: ⇒ ",
    "The triplets from it are: key ⇒ key",
    "key: red",
    "answer, is, 42",
  ],
  [
    "entry",
    "brackets around an entry, or left open",
    "[key ⇒ key",
    "((key)) ⇒ key",
    "(a, is, b), ⇒ a, is, b",
    "room 1] ⇒ room 1",
    "room (north)",
    "(a) and (b)",
  ],
  [
    "triplet",
    "semicolons in place of commas",
    "a; is in; b ⇒ a, is in, b",
    "a; is; b; c; is; d ⇒ a, is, b; c, is, d",
    "a, is, b; c",
    "a; b",
  ],
  [
    "triplet",
    "labels of its parts",
    "subject: a, relation: is in, object: b ⇒  a, is in, b",
    "Subject = a,predicate=is,object: b ⇒  a, is, b",
    "a, object, b",
  ],
  ["name", "quotation marks, a comma or a semicolon around a name", '"key", ⇒ key', "the cooks'"],
  [
    "name",
    "placeholders and words for nothing",
    "… ⇒ ",
    "null ⇒ ",
    "<name> ⇒ ",
    "N/A ⇒ ",
    "no new facts ⇒ ",
    "notary",
    "nothing",
    "none of it",
  ],
  ["number", "the scale beside a rating", "from 1 to 10: 7 ⇒  : 7", "9/10 ⇒ 9 ", "7 of 3"],
  [
    "action",
    "what stands behind the closing bracket of a call",
    "lookup[a [b]] (Result 1) ⇒ lookup[a [b]]",
    "go to [x] now",
    "search[a",
  ],
];

for (const [level, what, ...cases] of CASES) {
  Deno.test(`mend("${level}"): ${what}`, () => {
    const rule = RULES.find((rule) => rule.level === level && rule.what === what);
    assert.ok(rule, "the table has no such rule");
    for (const one of cases) {
      const [written = "", read = written] = one.split(" ⇒ ");
      assert.equal(rule.mend(written), read, written);
    }
  });
}

Deno.test("every rule has its cases, and a source", () => {
  assert.deepEqual(
    RULES.map(({ level, what }) => `${level}: ${what}`),
    CASES.map(([level, what]) => `${level}: ${what}`),
  );
  assert.deepEqual(RULES.filter(({ source }) => source === ""), []);
});

Deno.test("mend() gets through 100 kB of any sign, and all else through the longest text that is read", () => {
  const signs =
    `[¦{¦(¦'¦"¦*¦\`¦{'a¦1. ¦- ¦</s>¦<|¦\`\`\`\n¦1 to ¦;¦a[¦<answer>¦</answer>¦_a¦\$¦\\boxed{¦\n¦ ¦> ¦|¦-¦|-¦---\n¦[INST]¦，¦\\"¦Answer:\n`;
  for (const sign of signs.split("¦")) {
    const text = sign.repeat(100_000 / sign.length);
    for (const level of new Set(RULES.map((rule) => rule.level))) {
      mend(level, level === "reply" ? text : text.slice(0, 20_000));
    }
  }
});
