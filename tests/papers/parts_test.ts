import assert from "node:assert/strict";
import { missingFile } from "../../lib/env/questions/data-folder.ts";
import { hotpotqa, musique } from "../../lib/env/questions/mod.ts";
import { hasLedger, type PartChoices } from "../../lib/papers/study-options.ts";
import { PAPERS } from "../../lib/papers/studies.ts";

const PLAIN = {};

/** Whether this machine has an official set of AriGraph's questions; else its full form asks our own. */
const HAS_OFFICIAL = [musique, hotpotqa].some(({ file }) => missingFile(file) === undefined);

Deno.test("arigraphParts() plays all five studies unless --only or --games names some", () => {
  const ids = (values: PartChoices): string[] => (PAPERS["arigraph"]?.(values) ?? []).map(({ study }) => study.id.split("@")[0] ?? "");
  const others = ["rl-benchmark", "random-walk", "nethack", "questions"].map((name) => `arigraph-${name}`);
  assert.deepEqual(ids({}), ["arigraph-quick", ...others]);
  assert.deepEqual(ids({ attempts: 1 }), ["arigraph-quick-x1", ...others]);
  assert.deepEqual(ids({ only: ["questions", "nethack"] }), ["arigraph-nethack", "arigraph-questions"]);
  assert.deepEqual(ids({ only: ["hunt", "rag"] }), ["arigraph-quick-hunt-rag"]);
  assert.deepEqual(PAPERS["arigraph"]?.({}).filter(({ optional }) => optional), []);
  assert.deepEqual(PAPERS["arigraph"]?.({ full: true }).map(({ optional }) => optional ?? false), [
    false,
    false,
    false,
    false,
    HAS_OFFICIAL,
  ]);
});

Deno.test("what a paper plays unless told otherwise stands in the paper's folder itself, its full form in a folder in it", () => {
  for (const [paper, partsOf] of Object.entries(PAPERS)) {
    const [part] = partsOf(PLAIN);
    assert.ok(part, paper);
    assert.equal(part.study.id.split("@")[0], part.ordinary, paper);
    const [full] = partsOf({ ...PLAIN, full: true });
    assert.notEqual(full?.study.id.split("@")[0], full?.ordinary, paper);
  }
});

Deno.test("hasLedger() keeps the ledger of a paper to a run of all ordinary parts by a language model, and gives other forms one of their own", () => {
  const withLedger = (values: PartChoices): string[] => {
    const parts = PAPERS["arigraph"]?.({ models: { "*": "gpt-4o" }, ...values }) ?? [];
    return parts.filter((part) => hasLedger(part, parts, values.only)).map(({ study }) => study.id.split("@")[0] ?? "");
  };
  const ordinary = ["arigraph-quick", "arigraph-rl-benchmark", "arigraph-random-walk", "arigraph-nethack", "arigraph-questions"];
  assert.deepEqual(withLedger({}), ordinary);
  assert.deepEqual(withLedger({ full: true }), [
    "arigraph-full",
    "arigraph-nethack-full",
    `arigraph-questions-full${HAS_OFFICIAL ? "" : "-encyclopedia"}`,
  ]);
  for (const models of [undefined, { "*": "offline" }, { "*": "sim:99" }]) assert.deepEqual(withLedger({ models }), [], "no stand-in's");
  assert.deepEqual(withLedger({ only: ["nethack"] }), []);
  assert.deepEqual(withLedger({ only: ["hunt"] }), ["arigraph-quick-hunt"]);
});
