import assert from "node:assert/strict";
import { type Level, mend, RULES } from "../../lib/text/reading-rules.ts";

/** What each rule mends, and what it must leave alone: `[level, what, [written, read]…]`. */
const CASES: readonly [Level, string, ...(readonly [string, string])[]][] = [
  ["reply", "tokens of a chat template; what follows one is another turn", ["go north<|im_end|>\nuser", "go north"], [
    "a <b> | c",
    "a <b> | c",
  ]],
  ["reply", "an answer between tags", ["So: <answer>go north</answer>!", "go north"], ["<answer>go", "<answer>go"]],
  ["reply", "a fence around the answer", ["```\ngo north\n```", "\ngo north\n"], ["a `b` c", "a `b` c"]],
  ["json", "doubled braces", ['{{"a": 1}}', '{"a": 1}'], ['{{"a": {{"b": 1}}}}', '{"a": {"b": 1}}'], [
    '{"a": {"b": 1}}',
    '{"a": {"b": 1}}',
  ]],
  [
    "json",
    "apostrophes in strings between apostrophes",
    ["{'a': 'The cook's hat', 'b': ['it didn't', 5]}", `{"a": "The cook's hat", "b": ["it didn't", 5]}`],
    ["['say \"go\"', 'a\\'b']", `["say \\"go\\"", "a'b"]`],
    [`{"a": "the 'b': c"}`, `{"a": "the 'b': c"}`],
  ],
  ["lines", "a JSON list in place of lines", ['["a", "b"]', "a\nb"], ['[["a", "is", "b"]]', "a, is, b"], [
    '{"x": [{"s": "a", "o": null}]}',
    "a, ",
  ], [
    "[a, is, b]",
    "[a, is, b]",
  ]],
  ["lines", "brackets and commas between the entries of one line", ["[a, b, c], [d, e, f]", "[a, b, c]\n[d, e, f]"], [
    "a, [b], c",
    "a, [b], c",
  ]],
  ["entry", "numbering, bullets, headings", ["1. key", "key"], ["(2) key", "key"], ["- key", "key"], ["3.key", "key"], ["## key", "key"], [
    "1.5 kg",
    "1.5 kg",
  ], [
    "-=hall=-",
    "-=hall=-",
  ], ["1871", "1871"]],
  ["entry", "bold and italics", ["**key**, is in, *hall*", "key, is in, hall"], ["2 * 3 * 4", "2 * 3 * 4"], ["open_door", "open_door"]],
  ["entry", "quotation marks around an entry", ['"key",', "key"], ['"a" and "b"', '"a" and "b"'], ["'tis a key", "'tis a key"]],
  ["entry", "a label before the list", ["Triplets: key", "key"], ["Here are the names:", ""], ["key: red", "key: red"], [
    "answer, is, 42",
    "answer, is, 42",
  ]],
  ["entry", "brackets around an entry, or left open", ["[key", "key"], ["((key))", "key"], ["room 1]", "room 1"], [
    "room (north)",
    "room (north)",
  ], [
    "(a) and (b)",
    "(a) and (b)",
  ]],
  ["triplet", "semicolons in place of commas", ["a; is in; b", "a, is in, b"], ["a; is; b; c; is; d", "a, is, b; c, is, d"], [
    "a, is, b; c",
    "a, is, b; c",
  ], [
    "a; b",
    "a; b",
  ]],
  ["name", "quotation marks, a comma or a semicolon around a name", ['"key",', "key"], ["the cooks'", "the cooks'"]],
  ["name", "placeholders and words for nothing", ["…", ""], ["null", ""], ["<name>", ""], ["N/A", ""], ["nothing", "nothing"], [
    "none of it",
    "none of it",
  ]],
  ["number", "the scale beside a rating", ["from 1 to 10: 7", " : 7"], ["9/10", "9 "], ["7 of 3", "7 of 3"]],
  ["action", "what stands behind the closing bracket of a call", ["lookup[a [b]] (Result 1)", "lookup[a [b]]"], [
    "go to [x] now",
    "go to [x] now",
  ], [
    "search[a",
    "search[a",
  ]],
];

for (const [level, what, ...cases] of CASES) {
  Deno.test(`mend("${level}"): ${what}`, () => {
    const rule = RULES.find((rule) => rule.level === level && rule.what === what);
    assert.ok(rule, "the table has no such rule");
    for (const [written, read] of cases) assert.equal(rule.mend(written), read, written);
  });
}

Deno.test("every rule has its cases, and a source", () => {
  assert.deepEqual(RULES.map(({ level, what }) => `${level}: ${what}`), CASES.map(([level, what]) => `${level}: ${what}`));
  assert.deepEqual(RULES.filter(({ source }) => source === ""), []);
});

Deno.test("mend() gets through 100 kB of any sign, and all else through the longest text that is read", () => {
  for (const sign of ["[", "{", "(", "'", '"', "*", "`", "{'a", "1. ", "- ", "</s>", "<|", "```\n", "1 to ", ";", "a[", "<answer>"]) {
    const text = sign.repeat(100_000 / sign.length);
    for (const level of new Set(RULES.map((rule) => rule.level))) mend(level, level === "reply" ? text : text.slice(0, 20_000));
  }
});
