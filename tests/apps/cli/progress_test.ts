import assert from "node:assert/strict";
import { createProgressView } from "../../../lib/apps/cli/progress.ts";
import type { CallRow } from "../../../lib/lab/store/calls.ts";

const failed: CallRow = {
  role: "ariadne/plan",
  model: "gpt-4o",
  key: "k",
  kind: "wasted",
  error: "protocol",
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  dollars: null,
  latencyMs: 1,
  at: 0,
};

Deno.test("failed attempts are told at once, and then at most every ten seconds", () => {
  const written: string[] = [];
  const view = createProgressView({ write: (text) => written.push(text) });
  view.call({ ...failed, kind: "paid" });
  const { error: _, ...interrupted } = failed;
  view.call(interrupted);
  view.call(failed);
  view.call({ ...failed, at: 9_999 });
  view.call({ ...failed, at: 10_000, error: "server" });
  view.delay("pages are indexed");
  assert.deepEqual(written, [
    "lab: gpt-4o did not answer ariadne/plan (protocol); transient errors are retried\n",
    "lab: gpt-4o did not answer ariadne/plan (server), 3 attempts failed so far; transient errors are retried\n",
    "lab: pages are indexed\n",
  ]);
});
