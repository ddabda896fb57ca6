import assert from "node:assert/strict";
import { z } from "zod";
import { type Prompt, promptHash, renderPrompt } from "../../../lib/core/llm/prompt.ts";

const prompt: Prompt<"seen" | "plan"> = {
  role: "demo/act",
  instructions: "Act.",
  sections: { seen: "Observation", plan: "Plan" },
};

Deno.test("renderPrompt() shows the sections that have a value, in the prompt's order", () => {
  assert.deepEqual(
    renderPrompt(prompt, { plan: "Go.", seen: "A door." }, { extra: { Memory: "" } }),
    [
      { role: "system", content: "Act." },
      { role: "user", content: "### Observation\nA door.\n\n### Plan\nGo.\n\n### Memory\n(none)" },
    ],
  );
  assert.deepEqual(renderPrompt(prompt, { plan: "Go." })[1]?.content, "### Plan\nGo.");
});

Deno.test("renderPrompt() shows the texts of a prompt in their sections, unless a value is given; they are part of its hash", () => {
  const told: typeof prompt = { ...prompt, texts: { plan: "Plan one step." } };
  const shown = (values: Parameters<typeof renderPrompt>[1]): unknown =>
    renderPrompt(told, values)[1]?.content;
  assert.equal(shown({ seen: "A door." }), "### Observation\nA door.\n\n### Plan\nPlan one step.");
  assert.equal(shown({ plan: "Go." }), "### Plan\nGo.");
  assert.equal(
    renderPrompt(told, {}, { promptOverrides: { "demo/act": "Now: {plan}" } })[0]?.content,
    "Now: Plan one step.",
  );
  assert.equal(
    new Set([prompt, told, { ...told, texts: { plan: "Plan." } }].map((one) => promptHash([one])))
      .size,
    3,
  );
});

Deno.test("renderPrompt() shows what a memory recalls before the section that memoryBefore names", () => {
  const placed: typeof prompt = { ...prompt, memoryBefore: "plan" };
  const shown = (values: Parameters<typeof renderPrompt>[1]): unknown =>
    renderPrompt(placed, values, { extra: { Memory: "A key." } })[1]?.content;
  assert.equal(
    shown({ seen: "A door.", plan: "Go." }),
    "### Observation\nA door.\n\n### Memory\nA key.\n\n### Plan\nGo.",
  );
  assert.equal(shown({ seen: "A door." }), "### Observation\nA door.\n\n### Memory\nA key.");
  assert.notEqual(promptHash([placed]), promptHash([prompt]));
});

Deno.test("renderPrompt() throws for a slot that the prompt lacks, and names its slots", () => {
  const promptOverrides = { "demo/act": "See: {sight}" };
  assert.throws(() => renderPrompt(prompt, {}, { promptOverrides }), {
    name: "UsageError",
    message: /demo\/act.*\{sight\}.*\{seen\}, \{plan\}, \{memory\}/,
  });
});

Deno.test("promptHash() depends on every part of the prompts, not on their order", () => {
  const other = { ...prompt, role: "demo/plan" };
  const hash = promptHash([prompt, other]);
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(promptHash([other, prompt]), hash);
  const changed = [
    promptHash([prompt]),
    promptHash([{ ...prompt, instructions: "Act!" }, other]),
    promptHash([{ ...prompt, sections: { ...prompt.sections, seen: "Seen" } }, other]),
    promptHash([{ ...prompt, sampling: { temperature: 0 } }, other]),
    promptHash([{ ...prompt, form: z.object({ action: z.string() }) }, other]),
    promptHash([prompt, other], { "demo/act": "my own" }),
    promptHash([prompt, other], { "demo/plan": "my own" }),
    promptHash([prompt, other], { "demo/act": "a", "demo/plan": "b" }),
    promptHash([prompt, other], { "demo/act": "b", "demo/plan": "a" }),
  ];
  assert.equal(new Set([hash, ...changed]).size, 10);
});
