import assert from "node:assert/strict";
import { listPrices } from "../../../lib/core/llm/prices.ts";
import { lab } from "./captured.ts";

Deno.test("prices prints a row with date and source for every model", async () => {
  const { status, out, err } = await lab("prices");
  assert.deepEqual([status, err], [0, ""]);
  for (const [model, { date, source }] of Object.entries(listPrices())) {
    assert.ok(
      out.split("\n").some((line) =>
        line.startsWith(`${model} `) && line.includes(date) && line.endsWith(source)
      ),
      model,
    );
  }
  assert.match(out, /^claude-haiku-4-5 +1 +0\.1 +1\.25 +5 +67 +2026-10 +Anthropic, pricing page$/m);
});

Deno.test("prices --json prints the prices as one JSON value, and an unknown word is a usage error", async () => {
  assert.deepEqual(JSON.parse((await lab("prices", "--json")).out), listPrices());
  const { status, err } = await lab("prices", "gpt-4o");
  assert.deepEqual([status, err.trim()], [2, 'lab: unexpected "gpt-4o"; see ./lab prices --help']);
});
