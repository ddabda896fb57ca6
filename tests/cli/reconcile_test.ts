import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallRow, putCall } from "../../lib/store/calls.ts";
import { openStore } from "../../lib/store/open.ts";
import { withVariables } from "../environment.ts";
import { lab } from "./captured.ts";

const CALL: CallRow = {
  ...{ role: "a/b", model: "gpt-4o", key: "k", kind: "paid", dollars: 0.1, latencyMs: 1, at: Date.UTC(2026, 2, 22, 23, 59) },
  ...{ promptTokens: 100, cachedTokens: 0, completionTokens: 10, reasoningTokens: 0 },
};

Deno.test("reconcile holds ours against OpenAI's and Anthropic's exports, with the bound of unknown attempts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-reconcile-"));
  try {
    const path = join(folder, "lab.sqlite");
    {
      using store = openStore(path);
      putCall(store, CALL);
      putCall(store, { ...CALL, kind: "replayed" });
      putCall(store, { ...CALL, kind: "wasted", error: "timeout", promptTokens: 0, completionTokens: 0, boundTokens: 500 });
      putCall(store, { ...CALL, model: "claude-sonnet-4" });
    }
    const csv = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const openai = csv(
      "openai.csv",
      "start_time,start_time_iso,num_model_requests,model,input_tokens,output_tokens\n1,2026-03-22T00:00:00+00:00,2,gpt-4o-2024-08-06,210,20\n",
    );
    const { status, out } = await lab("reconcile", openai, "--store", path, "--json");
    const [day] = JSON.parse(out);
    assert.deepEqual(day.ours, { requests: 2, input: 100, output: 10, unknown: 1, bound: 500 });
    assert.deepEqual([status, day.theirs, day.isExplained], [0, { requests: 2, input: 210, output: 20 }, true]);

    const anthropic = csv(
      "anthropic.csv",
      "usage_date_utc,model_version,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_read,usage_output_tokens\n" +
        "2026-03-22,claude-sonnet-4-20250514,60,20,20,11\n",
    );
    const more = await lab("reconcile", anthropic, "--store", path);
    assert.equal(more.status, 1);
    assert.match(more.out, /2026-03-22 +claude-sonnet-4 +1 +- +100 +100 +10 +11 .*they charge for more/);

    {
      using store = openStore(path);
      store.database.exec("update calls set prompt_tokens = 99 where model = 'gpt-4o' and kind = 'paid'");
    }
    assert.match((await lab("reconcile", openai, "--store", path)).err, /^lab: 1 of our calls are not as they were recorded: [^\n]*\n$/);

    const empty = await lab(
      "reconcile",
      csv("empty.csv", "day,model,input_tokens,output_tokens\n2026-03-22,gpt-4o,,20\n"),
      "--store",
      path,
    );
    assert.equal(empty.status, 2);
    assert.match(empty.err, /^lab: the usage \S+ has "" in the column input_tokens, which is no number: write 0 where nothing was used\n$/);

    // Claude's 100 and 10 tokens are known exactly: one of the dear ones more is not made up for by one of the cheap ones less.
    const told = async (text: string, zone = "UTC") => {
      using _zone = withVariables({ TZ: zone });
      const file = csv("day.csv", `date,model,input_tokens,output_tokens\n${text}\n,,,\n`);
      const [first] = JSON.parse((await lab("reconcile", file, "--store", path, "--json")).out);
      return [first.day, first.isExplained];
    };
    assert.deepEqual(await told("2026-03-22,claude-sonnet-4,99,11"), ["2026-03-22", false]);
    for (const time of ["2026-03-22 00:30", "2026-03-22T00:30:00", "03/22/2026", "2026-03-22T23:30:00+00:00", "2026-03-22T23:30:00Z"]) {
      assert.deepEqual(await told(`${time},claude-sonnet-4,100,10`, "Pacific/Auckland"), ["2026-03-22", true], time);
    }

    const other = await lab("reconcile", csv("other.csv", "a,b\n1,2\n"), "--store", path);
    assert.deepEqual(other.status, 2);
    assert.match(other.err, /^lab: the usage .* has no column for the day: one of .*\n$/);
    const endless = await lab("reconcile", "/dev/zero", "--store", path);
    assert.deepEqual([endless.status, endless.err], [2, "lab: cannot read the usage /dev/zero: it is a device, name a file\n"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
