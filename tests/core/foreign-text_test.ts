import assert from "node:assert/strict";
import { safeText, safeValue, terminalJson, terminalText } from "../../lib/core/foreign-text.ts";

Deno.test("safeText() replaces what XML forbids and terminals obey, and leaves all other text", () => {
  assert.equal(
    safeText("a\u0001b\u001bc\u009bd\u007fe\uFFFEf\uD800g\0"),
    "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg\uFFFD",
  );
  for (const text of ["tab\tline\r\nend", "ключ 箱子 مفتاح", "😀 <b>&amp; $ =1", ""]) {
    assert.equal(safeText(text), text);
  }
});

Deno.test("safeValue() reaches every text and key, and returns a value without any as it is", () => {
  const png = new Uint8Array([0, 1]);
  const value = {
    goal: "Win.",
    sections: { place: "Hall" },
    frames: [{ image: png }],
    score: NaN,
    end: undefined,
  };
  assert.equal(safeValue(value), value);
  assert.deepEqual(safeValue({ ...value, sections: { "pl\u0001ace": ["Ha\u001bll"] } }), {
    ...value,
    sections: { "pl\uFFFDace": ["Ha\uFFFDll"] },
  });
  assert.equal(safeValue({ ...value, goal: "\0" }).frames[0]?.image, png);
});

Deno.test("terminalText() and terminalJson() write escapes in place of what a terminal obeys", () => {
  assert.equal(
    terminalText("a\u001b[31m\r\nb\rc\u202E\u009b\td"),
    "a\\u001b[31m\nb\\u000dc\\u202e\\u009b\td",
  );
  const json = JSON.stringify({ a: "\u001b\u009b\u007f" });
  assert.doesNotMatch(terminalJson(json), /\p{Cc}/u);
  assert.deepEqual(JSON.parse(terminalJson(json)), JSON.parse(json));
});
