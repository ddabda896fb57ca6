/**
 * Every parser reads a reply in every wrapping as it reads the plain reply, or finds it malformed;
 * and nothing of a wrapping comes into a value.
 */

import assert from "node:assert/strict";
import type { Reading } from "../../../lib/core/text/reply-text.ts";
import { METHODS } from "../../../lib/core/agent/registry.ts";
import { MEMORIES } from "../../../lib/core/memory/registry.ts";
import { type KnownParser, PARSERS } from "./parsers.ts";

type Wrap = (reply: string) => string;

/** What stands around a whole reply. */
const AROUND: Readonly<Record<string, Wrap>> = {
  "a thought": (reply) =>
    `<think>\nFirst, [maybe] {"action": "wait"} or 1. look; no, a, b, c.\n</think>\n\n${reply}`,
  "a thought without its opening tag": (reply) =>
    `Direct answer: no. Verdict: wrong. False, 3.\n</think>\n${reply}`,
  "another tag": (reply) => `<thinking>go south</thinking>${reply}`,
  "gpt-oss": (reply) =>
    `<|channel|>analysis<|message|>go south<|end|><|start|>assistant<|channel|>final<|message|>${reply}<|return|>`,
  "ChatML's end": (reply) => `${reply}<|im_end|>`,
  "Llama's end": (reply) => `${reply}</s>`,
  "Gemma's end": (reply) => `${reply}\n<end_of_turn>\n`,
  "another turn": (reply) => `${reply}<|im_end|>\n<|im_start|>user\nYou see a door.<|im_end|>`,
  "a turn's beginning": (reply) => `<|im_start|>assistant\n${reply}`,
  "a byte order mark": (reply) => `\uFEFF${reply}`,
  "a reasoning tag": (reply) =>
    `<reasoning>\nThe door, is, locked. 1. go south\n</reasoning>\n${reply}`,
  "gpt-oss with a form": (reply) =>
    `<|start|>assistant<|channel|>final <|constrain|>json<|message|>${reply}`,
  "gpt-oss without its tokens": (reply) =>
    `analysisWe need a move: go south.assistantfinal${reply}`,
  "Gemma's turn": (reply) => `<start_of_turn>model\n${reply}<end_of_turn>\n<start_of_turn>user\n`,
  "Mistral's prompt": (reply) => `[INST] You see a door. [/INST] ${reply} </s>`,
  "the name of the turn": (reply) => `assistant\n${reply}`,
  "characters without width": (reply) => `\u200B${reply.replaceAll(" ", " \u2060")}\u200B`,
  "other spaces": (reply) => reply.replaceAll(" ", "\u00A0"),
  "line ends of Windows": (reply) => `${reply.replaceAll("\n", "\r\n")}\r\n`,
  "white space": (reply) => `\n\n  ${reply}  \n`,
};

/** What stands around the answer in it. */
const WITHIN: Readonly<Record<string, Wrap>> = {
  "a fence": (reply) => `\`\`\`\n${reply}\n\`\`\``,
  "a fence with a language": (reply) => `\`\`\`json\n${reply}\n\`\`\`\n`,
  "a fence with words around": (reply) =>
    `Sure, here you are:\n\`\`\`text\n${reply}\n\`\`\`\nAnything else?`,
  "a fence without an end": (reply) => `\`\`\`\n${reply}`,
  "a fence of tildes": (reply) => `~~~\n${reply}\n~~~`,
  "an announcement": (reply) => `Sure! Here is the answer:\n\n${reply}`,
  "a bold announcement": (reply) => `**Final Answer:**\n${reply}`,
  "a heading": (reply) => `### Answer\n${reply}`,
  "rules above and below": (reply) => `---\n${reply}\n---`,
  "a courtesy below": (reply) => `${reply}\n\nLet me know if you need anything else!`,
  "the sign of a quotation": (reply) => reply.replaceAll(/^/gm, "> "),
  "a JSON string": (reply) => JSON.stringify(reply),
  "another answer's tag": (reply) => `<result>\n${reply}\n</result>`,
  "an answer's tag in capitals": (reply) => `<ANSWER>\n${reply}\n</ANSWER>`,
  "an answer's tag without its end": (reply) => `So it is this: <answer>\n${reply}`,
  "an answer's tag": (reply) => `<answer>\n${reply}\n</answer>`,
};

const lines = (write: (line: string, at: number) => string): Wrap => (reply) =>
  reply.split("\n").map(write).join("\n");

/** How a list is written in place of plain lines. */
const OF_LINES: Readonly<Record<string, Wrap>> = {
  numbers: lines((line, at) => `${at + 1}. ${line}`),
  "numbers in parentheses": lines((line, at) => `(${at + 1}) ${line}`),
  dashes: lines((line) => `- ${line}`),
  bullets: lines((line) => `  • ${line}`),
  steps: lines((line, at) => `Step ${at + 1}: ${line}`),
  bold: lines((line) => `**${line}**`),
  italics: lines((line) => `_${line}_`),
  "bold numbers": lines((line, at) => `${at + 1}. **${line}**`),
  quotes: lines((line) => `"${line}"`),
  "check boxes": lines((line) => `- [ ] ${line}`),
  "numbers in circles": lines((line, at) => `${"①②③④⑤"[at]} ${line}`),
  "labels with numbers": lines((line, at) => `Fact ${at + 1}: ${line}`),
  "brackets and commas": lines((line) => `(${line}),`),
  "full-width numbers and commas": lines((line, at) =>
    `${"１２３"[at]}．${line.replaceAll(", ", "，")}`
  ),
  "a table": (reply) =>
    `| a | b |\n| :-- | --- |\n${reply.replaceAll(/^|$/gm, "|").replaceAll(", ", " | ")}`,
  "a note below": (reply) => `${reply}\n\n**Note:** some of these are a guess, as it were.`,
  "blank lines": lines((line) => `${line}\n`),
  "Windows line ends": (reply) => reply.replaceAll("\n", "\r\n"),
  "a JSON list": (reply) => JSON.stringify(reply.split("\n")),
  "brackets in one line": (reply) => reply.split("\n").map((line) => `[${line}]`).join(", "),
  "semicolons for commas": (reply) => reply.replaceAll(", ", "; "),
  "quotes around names": triplets((names) => names.map((name) => `"${name}"`)),
  "labels of parts": triplets(([a, b, c]) => [`Subject: ${a}`, `Relation: ${b}`, `Object: ${c}`]),
  "a placeholder": (reply) => `${reply}\nnull`,
};

function triplets(change: (names: string[]) => string[]): Wrap {
  return lines((line) => {
    const names = line.split(", ");
    return names.length === 3 ? change(names).join(", ") : line;
  });
}

/** How another text is written. */
const OF_TEXT: Readonly<Record<string, Wrap>> = {
  "a box of LaTeX": (reply) => reply.replace(/(?<=^|\n|: )[^:\n]*$/, "\\boxed{$&}"),
  "the sign of a heading": (reply) => reply.includes("\n") ? reply : `## ${reply}`,
  "a bullet": (reply) => reply.includes("\n") ? reply : `- ${reply}`,
  "a thought as a call": (reply) => reply.replace(/^think: (.*)$/m, "think[$1]"),
  "round brackets": (reply) => reply.includes("\n") ? reply : `(${reply})`,
  "the scale of a rating": (reply) => reply.replace(/^\d+$/, "On a scale of 1 to 10: $&/10"),
};

/** How JSON is written otherwise. */
const OF_JSON: Readonly<Record<string, Wrap>> = {
  "words around": (reply) => `I think that it's this: ${reply} – done.`,
  "line breaks": (reply) => JSON.stringify(JSON.parse(reply), null, 2),
  "a comma too many": (reply) => reply.replace(/\}$/, ",}"),
  "Python's quotes": (reply) => python(JSON.parse(reply)),
  "doubled braces": (reply) => reply.replaceAll("{", "{{").replaceAll("}", "}}"),
  "an object around": (reply) => `{"answer": ${reply}}`,
  "a list around": (reply) => `[${reply}]`,
  "two objects": (reply) => `${reply}\n\nOn second thought:\n${reply}`,
  "escaped quotation marks": (reply) => reply.replaceAll('"', '\\"'),
  "full-width colons": (reply) => reply.replaceAll('":', '"：'),
  "a bold label": (reply) => `**Answer:** ${reply}`,
  "another turn of the world": (reply) => `${reply}\nObservation: {"action": "wait"} [1]`,
  "nested tags": (reply) => `<output><answer>${reply}</answer></output>`,
  "prose in brackets below": (reply) => `${reply}\n\nI left out the rest [not relevant].`,
  "numbers within lists": inLists((list) => list.map(marked((text, at) => `${at + 1}. ${text}`))),
  "bold within lists": inLists((list) => list.map(marked((text) => `**${text}**`))),
  "brackets within lists": inLists((list) => list.map(marked((text) => `[${text}]`))),
  "odd elements within lists": inLists((list, isPart) => isPart ? list : [...list, null, {}, "…"]),
};

/** JSON whose lists of texts and objects are changed, from the innermost; `isPart` of another. */
function inLists(change: (list: unknown[], isPart: boolean) => unknown[]): Wrap {
  function changed(this: unknown, _: string, value: unknown): unknown {
    return Array.isArray(value) && /string|object/.test(typeof value[0])
      ? change(value, Array.isArray(this))
      : value;
  }
  return (reply) => JSON.stringify(JSON.parse(reply, changed));
}

function marked(
  mark: (text: string, at: number) => string,
): (value: unknown, at: number) => unknown {
  return (value, at) => typeof value === "string" ? mark(value, at) : value;
}

function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([key, of]) => `'${key}': ${python(of)}`).join(", ")}}`;
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" ? `'${value}'` : String(value);
}

/** Signs of a wrapping, in any text of a value. */
const MARKS =
  /<\/?think|<\||\|>|<\/s>|<end_of_turn>|```|\uFEFF|\*\*|<\/?answer|\{\{|^\s*(?:[-*•]|\(?\d+[.)])\s|^["[({_]|["\]}]$|go south|You see a door|Hm\.|[\u200B\u2060\u00A0\r，：①②]|^> |~~~|On second|guess|assistant|^#+ /;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const members = value instanceof Map
    ? [...value]
    : typeof value === "object" && value !== null
    ? Object.values(value)
    : [];
  return members.flatMap(textsIn);
}

function check(
  { name, parse, reply }: KnownParser,
  wrapping: string,
  text: string,
): Reading<unknown> {
  const [plain, read] = [parse(reply), parse(text)];
  assert.equal(plain.kind, "ok", `${name}: the plain reply is not read: ${JSON.stringify(plain)}`);
  if (read.kind === "ok") {
    assert.deepEqual(read.value, (plain as typeof read).value, `${name} with ${wrapping}`);
    assert.deepEqual(
      textsIn(read.value).filter((part) => MARKS.test(part)),
      [],
      `${name} with ${wrapping}`,
    );
  }
  return read;
}

Deno.test("every role of every method and memory is in the list", () => {
  const prompts = [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap((entry) =>
    entry.prompts
  );
  const known = new Set(
    PARSERS.flatMap(({ name, also = [] }) => [name.replace(/,.*/, ""), ...also]),
  );
  assert.deepEqual(
    [...new Set(prompts.map(({ role }) => role))].filter((role) => !known.has(role)),
    [],
  );
});

Deno.test("no problem that a re-ask names offers the empty answer, which a small model then takes", () => {
  const problems = PARSERS.flatMap(({ parse }) =>
    ["", "Hm, I cannot say.", "{}"].map((reply) => parse(reply))
  )
    .flatMap((read) => read.kind === "malformed" ? [read.problem] : []);
  assert.ok(problems.length > PARSERS.length);
  assert.deepEqual(problems.filter((problem) => /\[\s*\]|\{\s*\}|\bnone\b/i.test(problem)), []);
});

for (const parser of PARSERS) {
  Deno.test(`${parser.name} is read in every wrapping as it is plain`, () => {
    const own: Readonly<Record<string, Wrap>> =
      { json: OF_JSON, lines: OF_LINES, text: OF_TEXT }[parser.form];
    for (const [wrapping, wrap] of Object.entries({ plainness: String, ...WITHIN, ...own })) {
      const read = check(parser, wrapping, wrap(parser.reply));
      if (
        wrapping === "an object around" && read.kind === "malformed" &&
        parser.name.startsWith("arigraph/entities")
      ) continue; // an open map
      assert.equal(read.kind, "ok", `${parser.name} with ${wrapping}: ${JSON.stringify(read)}`);
      for (const [around, outer] of Object.entries(AROUND)) {
        const inner = check(parser, `${wrapping} within ${around}`, outer(wrap(parser.reply)));
        assert.equal(
          inner.kind,
          "ok",
          `${parser.name} with ${wrapping} within ${around}: ${JSON.stringify(inner)}`,
        );
      }
    }
  });

  Deno.test(`${parser.name} that was cut is malformed, or what of it is complete`, () => {
    const whole = parser.parse(parser.reply);
    const complete = JSON.stringify(whole.kind === "ok" && entriesOf(whole.value));
    for (let end = 0; end < parser.reply.length; end++) {
      const read = parser.parse(parser.reply.slice(0, end), true);
      if (read.kind === "ok") {
        for (const part of textsIn(entriesOf(read.value))) {
          assert.ok(
            complete.includes(JSON.stringify(part)),
            `${parser.name} cut at ${end}: ${part}`,
          );
        }
      }
      assert.equal(parser.parse(`<think>${parser.reply.slice(0, end)}`, true).kind, "malformed");
      assert.equal(parser.parse(`<think>${parser.reply.slice(0, end)}`).kind, "malformed");
    }
  });
}

function entriesOf(value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}
