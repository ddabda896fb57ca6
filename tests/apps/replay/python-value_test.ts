import assert from "node:assert/strict";
import { parsePython, parseStrings } from "../../../lib/apps/replay/python-value.ts";

Deno.test("parsePython() reads Python's quotes, escapes, nesting, trailing commas, numbers, words", () => {
  assert.deepEqual(
    parsePython(String.raw`["it's", 'say "x"', 'a\nb', 'it\'s', '\xe9\u00e9\U0001F600', 'C:\\x']`),
    [
      "it's",
      'say "x"',
      "a\nb",
      "it's",
      "éé😀",
      "C:\\x",
    ],
  );
  assert.deepEqual(parsePython("(1, -2.5, 1e-05, None, True, False, set(), ('a',))"), [
    1,
    -2.5,
    1e-5,
    null,
    true,
    false,
    [],
    ["a"],
  ]);
  assert.deepEqual(parsePython("{'a', 'b'}"), ["a", "b"]);
  assert.deepEqual(parsePython("{'a': 1, 'b': [2], 'a': 3}"), {
    entries: [["a", 1], ["b", [2]], ["a", 3]],
  });
  assert.deepEqual(parsePython(" [ ] "), []);
});

Deno.test("parsePython() refuses what is cut off or no value, and says where", () => {
  for (
    const text of [
      "['a', 'b",
      "['a'",
      "{'a': ",
      "['a' 'b']",
      "[1]]",
      "toString",
      "{1: 2, 3}",
      "'\\x4'",
    ]
  ) {
    assert.throws(() => parsePython(text), SyntaxError, text);
  }
  assert.throws(() => parsePython("['a', oops]"), /wanted a value at character 6, got "oops\]"/);
});

Deno.test("parseStrings() takes lists, tuples and sets of strings and nothing else", () => {
  assert.deepEqual(parseStrings("()"), []);
  assert.deepEqual(parseStrings("{}"), []);
  assert.deepEqual(parseStrings("('a', 'b')"), ["a", "b"]);
  for (const text of ["['a', 1]", "{'a': 1}", "'a'"]) {
    assert.throws(() => parseStrings(text), SyntaxError, text);
  }
});
