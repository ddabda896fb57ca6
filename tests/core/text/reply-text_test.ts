import assert from "node:assert/strict";
import {
  completeLines,
  eitherOf,
  leaveOut,
  reader,
  readText,
  refined,
  replyText,
} from "../../../lib/core/text/reply-text.ts";

const THOUGHTS: Readonly<Record<string, string>> = {
  "DeepSeek-R1, Qwen3": "<think>\nA key.\n</think>\n\ngo north",
  "a template that gives the opening tag": "A key.\n</think>\n\ngo north",
  "two thoughts": "<think>A key.</think><think></think>go north",
  "a thought that speaks of its tag": "<think>A key.</think> is not the end</think>go north",
  "Magistral": "[THINK]A key.[/THINK]go north",
  "Kimi": "◁think▷A key.◁/think▷go north",
  "Command A": "<|START_THINKING|>A key.<|END_THINKING|><|START_RESPONSE|>go north<|END_RESPONSE|>",
  "Sky-T1":
    "<|begin_of_thought|>A key.<|end_of_thought|>\n\n<|begin_of_solution|>go north<|end_of_solution|>",
  "MedGemma": "<unused94>thought\nA key.<unused95>go north",
  "gpt-oss":
    "<|channel|>analysis<|message|>A key.<|end|><|start|>assistant<|channel|>final<|message|>go north<|return|>",
  "Seed-OSS": "<seed:think>A key.</seed:think>go north<seed:eos>",
};

for (const [who, reply] of Object.entries(THOUGHTS)) {
  Deno.test(`replyText() takes off the thought: ${who}`, () => {
    const { text, thought, isThought } = replyText(reply);
    assert.deepEqual([text, isThought], ["go north", false]);
    assert.match(String(thought), /^A key\./);
  });
}

const TOKENS = [
  ..."<|im_end|> <|eot_id|> </s> <end_of_turn> <|endoftext|> <|end|> <eos> <｜end▁of▁sentence｜> <|END_OF_TURN_TOKEN|> [/INST] <|im_e"
    .split(" "),
  "<|im_end|>\n<|im_start|>user\nYou see a door.",
];
for (const token of TOKENS) {
  Deno.test(`replyText() ends the reply at ${JSON.stringify(token)}`, () =>
    assert.equal(replyText(`go north${token}`).text, "go north"));
}

for (
  const before of [
    "\uFEFF",
    "<s>",
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<start_of_turn>model\n",
  ]
) {
  Deno.test(`replyText() drops ${JSON.stringify(before)} before the reply`, () =>
    assert.equal(replyText(`${before}go north`).text, "go north"));
}

for (
  const fenced of [
    "```\ngo north\n```",
    "```text\ngo north",
    "Here it is:\n```\ngo north\n```\nDone.",
    "```go north```",
    "<answer>go north</answer>",
  ]
) {
  Deno.test(`replyText() unwraps ${JSON.stringify(fenced)}`, () =>
    assert.equal(replyText(fenced).text, "go north"));
}

Deno.test("replyText() leaves a long text around a fence, and what several fences hold", () => {
  const long = "word ".repeat(100);
  assert.equal(replyText(`${long}\n\`\`\`\nmap\n\`\`\`\nend`).text, `${long}\n\nmap\n\nend`);
  assert.equal(replyText("```\na\n```\nand\n```\nb\n```").text, "a\n\nand\n\nb");
});

Deno.test("replyText() leaves signs that are no tokens", () => {
  for (const text of ["a < b and c | d > e", "x <|> y"]) assert.equal(replyText(text).text, text);
});

Deno.test("replyText() finds no answer in a thought without an end", () => {
  assert.deepEqual(replyText("go north<think>or south"), {
    text: "",
    thought: "or south",
    isThought: true,
  });
});

Deno.test("replyText() gets through 100 kB of tags", () => {
  for (const tag of ["<think>", "</think>", "<think></think>", "<|im_end|>", "```\n", "<|"]) {
    replyText(tag.repeat(100_000 / tag.length));
  }
});

const words = reader((text) => ({ kind: "ok" as const, value: text.split(" ") }), {
  completed: completeLines,
  longest: 20,
});

Deno.test("reader() refuses a thought without an end, and what is too long without its thoughts", () => {
  assert.match(JSON.stringify(words("<think>go")), /malformed.*within a thought/);
  assert.deepEqual(words(`<think>${"x".repeat(1000)}</think>go on`), {
    kind: "ok",
    value: ["go", "on"],
  });
  assert.match(JSON.stringify(words("x".repeat(21))), /21 characters and may have 20/);
});

Deno.test("reader() reads of a cut reply what is complete, and nothing where it does not know what is", () => {
  assert.deepEqual(words("go\non", true), { kind: "ok", value: ["go"], dropped: 1 });
  assert.match(JSON.stringify(words("go", true)), /malformed.*cut off/);
  assert.match(JSON.stringify(readText()("go on. And", true)), /malformed.*cut off/);
  assert.equal(reader(words), words, "a reader stays what it is");
});

Deno.test("leaveOut() counts for the reading under way, through refined()", () => {
  const inner = reader((text) => {
    leaveOut(2);
    return { kind: "ok", value: text };
  });
  const outer = refined(inner, (value) => {
    leaveOut();
    return { kind: "ok", value };
  });
  assert.deepEqual(outer("a"), { kind: "ok", value: "a", dropped: 3 });
  assert.deepEqual(readText()("a"), { kind: "ok", value: "a" }, "nothing is left over");
});

Deno.test("eitherOf() takes the first that can be read, else what the first found wrong", () => {
  const digits = reader((text) =>
    /^\d+$/.test(text) ? { kind: "ok", value: text } : { kind: "malformed", problem: "no digits" }
  );
  const capitals = reader((text) =>
    /^[A-Z]+$/.test(text)
      ? { kind: "ok", value: text }
      : { kind: "malformed", problem: "no capitals" }
  );
  const either = eitherOf(digits, capitals);
  assert.deepEqual(["12", "AB", "ab"].map((text) => either(text)), [
    { kind: "ok", value: "12" },
    { kind: "ok", value: "AB" },
    { kind: "malformed", problem: "no digits" },
  ]);
});
