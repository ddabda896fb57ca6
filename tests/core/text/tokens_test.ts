import assert from "node:assert/strict";
import { countTokens as countWhole } from "gpt-tokenizer/encoding/o200k_base";
import { createDraw } from "../../../lib/core/random.ts";
import { countTokens } from "../../../lib/core/text/tokens.ts";

Deno.test("countTokens() counts as OpenAI's o200k encoding does", async () => {
  // Counted with OpenAI's own tiktoken, encoding o200k_base.
  assert.equal(await countTokens(""), 0);
  assert.equal(await countTokens("hello world"), 2);
  assert.equal(await countTokens("tiktoken is great!"), 6);
});

Deno.test("countTokens() counts 100 kB without a break", async () => {
  for (
    const text of [
      "a".repeat(100_000),
      " ".repeat(100_000),
      "あ".repeat(30_000),
      "word ".repeat(20_000),
    ]
  ) {
    const count = await countTokens(text);
    assert(count > 500 && count <= 30_000, `counted ${count}`);
  }
  assert.equal(await countTokens("word ".repeat(2000)), 2001);
});

Deno.test("countTokens() counts line by line what the encoding counts in one go", async () => {
  const parts = [
    "\n",
    "\n",
    "\r\n",
    " ",
    "  ",
    "\t",
    ..."/ // ... . word Word's 12345 é あ 🙂".split(" "),
    "\u00a0",
    "\u2028",
    "-=",
    "<|endoftext|>",
  ];
  const draw = createDraw("lines");
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: 1 + Math.floor(24 * draw.next()) }, () => draw.pick(parts))
      .join("");
    assert.equal(
      await countTokens(text),
      countWhole(text, { disallowedSpecial: new Set() }),
      JSON.stringify(text),
    );
  }
});
