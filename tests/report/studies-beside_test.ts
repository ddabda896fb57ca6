import assert from "node:assert/strict";
import { type PaperIds, studiesBeside } from "../../lib/report/studies-beside.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";

const ARIGRAPH: PaperIds = { prefix: "arigraph-", ofEveryForm: ["arigraph-rl-benchmark"] };

/** What stands beside the first of some studies, without the paper's name and the backbone. */
function beside(...forms: string[]): string[] {
  using store = openStore(":memory:");
  forms.forEach((form, createdAt) => putStudy(store, { id: `arigraph-${form}@offline`, spec: {}, createdAt }));
  const [, ...others] = studiesBeside(store, `arigraph-${forms[0]}@offline`, ARIGRAPH);
  return others.map((id) => id.slice("arigraph-".length, -"@offline".length)).reverse();
}

Deno.test("studiesBeside() keeps to the form of a study", () => {
  const quick = ["quick", "questions", "questions-full-context", "rl-benchmark", "quick-full-history"];
  const full = ["full", "questions-full", "questions-full-full-context", "rl-benchmark", "nethack-full-300-calls"];
  const all = [...new Set([...quick, ...full])];
  assert.deepEqual(beside(...all), quick.slice(1));
  assert.deepEqual(new Set(beside("full", ...all.filter((form) => form !== "full"))), new Set(full.slice(1)));
});

Deno.test("studiesBeside() keeps to the size of a study", () => {
  const small = "quick-episodes1-steps3";
  const others = ["quick", "quick-hunt-steps40", "nethack-steps3", "quick-prompts-0123abcd-episodes1-steps3"];
  assert.deepEqual(beside(small, ...others, "nethack-episodes1-steps3"), ["nethack-episodes1-steps3"]);
  assert.deepEqual(beside("quick", small, ...others), []);
});

Deno.test("studiesBeside() keeps to the attempts of a part, which the parts after the first one do not take", () => {
  const all = ["quick", "quick-x3", "questions", "nethack", "nethack-x1"];
  assert.deepEqual(beside(...all), ["questions", "nethack"]);
  assert.deepEqual(beside("quick-x3", "quick", ...all.slice(2)), ["questions", "nethack"]);
});

Deno.test("studiesBeside() takes the newest run where the part that is given may be of several", () => {
  assert.deepEqual(beside("rl-benchmark", "full", "questions-full", "quick", "questions"), ["quick", "questions"]);
  assert.deepEqual(beside("questions", "quick", "nethack", "quick-x3"), ["nethack", "quick-x3"]);
});
