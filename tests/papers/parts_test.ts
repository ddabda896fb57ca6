import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { missingFile } from "../../lib/core/env/questions/data-folder.ts";
import { hotpotqa, musique } from "../../lib/core/env/questions/mod.ts";
import { type PaperChoices, PAPERS } from "../../lib/papers/parts.ts";
import { checkoutRoot } from "../../lib/core/platform.ts";

/**
 * Whether this machine has an official set of AriGraph's questions; else its full form asks our
 * own.
 */
const HAS_OFFICIAL = [musique, hotpotqa].some(({ file }) => missingFile(file) === undefined);

function formsOf(paper: string, choices: PaperChoices = {}): string[] {
  return (PAPERS[paper]?.(choices) ?? []).map(({ study }) => study.id.split("@")[0] ?? "");
}

Deno.test("each paper plays its studies, at the paper's n with --full", () => {
  const others = ["arigraph-rl-benchmark", "arigraph-random-walk"];
  assert.deepEqual(formsOf("arigraph"), [
    "arigraph-quick",
    ...others,
    "arigraph-questions",
    "arigraph-nethack",
  ]);
  const questions = `arigraph-questions-full${HAS_OFFICIAL ? "" : "-encyclopedia"}`;
  assert.deepEqual(formsOf("arigraph", { full: true }), [
    "arigraph-full",
    ...others,
    questions,
    "arigraph-nethack-full",
  ]);
  assert.deepEqual(formsOf("graphmind"), ["graphmind-quick"]);
  assert.deepEqual(formsOf("reasonplanner"), [
    "reasonplanner-quick",
    "reasonplanner-look-ahead-quick",
  ]);
  assert.deepEqual(formsOf("reasonplanner", { full: true }), [
    "reasonplanner-full",
    "reasonplanner-look-ahead-full",
  ]);
  assert.deepEqual(formsOf("wese", { full: true }), ["wese-full"]);
});

Deno.test("each part has its notebook", () => {
  for (
    const notebook of Object.values(PAPERS).flatMap((partsOf) => partsOf({})).flatMap((
      { notebooks },
    ) => notebooks)
  ) {
    assert.ok(existsSync(join(checkoutRoot(), "notebooks", `${notebook}.ipynb`)), notebook);
  }
});

Deno.test("where no models are named, the stand-in plays, in WESE with a weaker one where the paper has a weak model", () => {
  const backbones = Object.keys(PAPERS).map((paper) =>
    [{}, { full: true }, { models: { "*": "offline" } }].map((values) =>
      PAPERS[paper]?.(values)[0]?.study.id.split("@")[1]
    )
  );
  const usual = ["offline", "offline", "offline"];
  assert.deepEqual(backbones, [usual, usual, usual, [
    "offline+offline-weak",
    "offline+offline-weak",
    "offline",
  ]]);
});
