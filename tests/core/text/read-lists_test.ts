import assert from "node:assert/strict";
import { z } from "zod";
import { parseJson } from "../../../lib/core/text/json.ts";
import { readCall, type WrittenCall } from "../../../lib/core/text/read-calls.ts";
import {
  keepSound,
  namesIn,
  numberIn,
  parseList,
  soundName,
  soundText,
} from "../../../lib/core/text/read-lists.ts";

Deno.test("namesIn() reads lines, semicolons, commas and JSON, without marks", () => {
  const written = [
    "key\nhall",
    "key; hall",
    "key, hall",
    '["key", "hall"]',
    '{"names": ["key", "hall"]}',
    "[key, hall]",
    "Names:\nkey\nhall",
    "Here are the names: key, hall",
    "key\nnull\n…\n<name>\nhall",
  ];
  for (const text of written) assert.deepEqual(namesIn(text), ["key", "hall"], text);
  assert.deepEqual(namesIn("room (north)\nthe dogs'"), ["room (north)", "the dogs'"]);
});

Deno.test("numberIn() reads the one number beside its scale", () => {
  const written: [string, number | undefined][] = [
    ["7", 7],
    ["On a scale of 1 to 10, I would rate this memory 7.", 7],
    ["Rating (1-10): 8", 8],
    ["**9/10**", 9],
    ["8 out of 10", 8],
    ["-3.5", -3.5],
    ["7, perhaps 8", undefined],
    ["none", undefined],
    ["from 1 to 10", undefined],
  ];
  for (const [text, number] of written) assert.equal(numberIn(text), number, text);
});

Deno.test("keepSound() keeps what fits and counts the rest; a list of which nothing fits is malformed", () => {
  const parse = parseJson(z.object({ names: keepSound(soundName, 3) }));
  const names = (list: unknown): unknown => parse(JSON.stringify({ names: list }));
  assert.deepEqual(names(["key", null, 5]), {
    kind: "ok",
    value: { names: ["key", "5"] },
    dropped: 1,
  });
  assert.deepEqual(names(["a", "b", "c", "d"]), {
    kind: "ok",
    value: { names: ["a", "b", "c"] },
    dropped: 1,
  });
  assert.deepEqual(names([]), { kind: "ok", value: { names: [] } });
  assert.match(JSON.stringify(names([["key"], { name: "key" }, "…"])), /malformed.*names\.0/);
});

Deno.test("parseList() reads a field, a list alone, lines with marks, and the complete entries of a list that was cut", () => {
  const parse = parseList("facts", soundText);
  const both = ["The key is red.", "The hall is dark."];
  for (
    const text of [
      JSON.stringify({ facts: both }),
      JSON.stringify(both),
      `- ${both.join("\n- ")}`,
      `**Facts:**\n1. ${both.join("\n2. ")}`,
      `${JSON.stringify({ facts: both })}\nSee [1].`,
      `Here they are:\n\`\`\`json\n${JSON.stringify({ facts: both })}\n\`\`\``,
    ]
  ) assert.deepEqual(parse(text), { kind: "ok", value: both }, text);
  const cut = '{"facts": ["The key is red.", "The hall is dark.", "The';
  assert.equal(parse(cut).kind, "malformed");
  assert.deepEqual(parse(cut, true), { kind: "ok", value: both, dropped: 1 });
  for (const odd of ["No.", '{"facts": ["…"]}', '- {"a": "b"}']) {
    assert.equal(parse(odd).kind, "malformed");
  }
});

Deno.test("readCall() reads texts, objects, and what stands behind neither", () => {
  const written: [unknown, string | undefined][] = [
    ["find_door", "find_door"],
    ["find_door();", "find_door"],
    ["pass_door(red door)", "pass_door(red door)"],
    ["1. `pass_door(red door)` to see more", "pass_door(red door)"],
    ["search[Nare Books]: the first sentences", "search(Nare Books)"],
    ["drop(a, b)", "drop(a, b)"],
    [{ name: "find_door", arguments: null }, "find_door"],
    [{ name: "pass_door", arguments: 1 }, "pass_door(1)"],
    [{ function: { name: "pass_door", arguments: '{"door": "red door"}' } }, "pass_door(red door)"],
    ['{{"name": "pass_door", "arguments": {"door": "red door"}}}', "pass_door(red door)"],
    ['{{"name": "pass_door", "arguments": {{"door": "red door"}}}}', "pass_door(red door)"],
    [{ arguments: 1 }, undefined],
    [null, undefined],
    ["", undefined],
  ];
  for (const [call, text] of written) {
    const read = readCall(call);
    assert.equal(read && callText(read), text, JSON.stringify(call));
  }
});

/** `name(a, b)`; without arguments the name alone. */
function callText({ name, given }: WrittenCall): string {
  const values = Object.values(given).filter((value) => value !== null && value !== undefined);
  const shown = values.map((value) =>
    typeof value === "object" ? JSON.stringify(value) : String(value)
  );
  return shown.length === 0 ? name : `${name}(${shown.join(", ")})`;
}
