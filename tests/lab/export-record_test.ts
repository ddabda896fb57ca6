import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportRecord } from "../../lib/lab/export-record.ts";
import { polars } from "../../lib/lab/frame-of.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { putTurn } from "../../lib/lab/store/turns.ts";

Deno.test("exportRecord() writes episodes, turns and calls as Parquet that keeps types, times, seeds and missing values", () =>
  inFolder(async (folder) => {
    using store = openStore(":memory:");
    const seed = 9_007_199_254_740_991;
    const plan = {
      study: "mine",
      chain: "a",
      ordinal: 0,
      identity: { models: 1 },
      world: "w",
      worldParams: {},
      attempt: 1,
      seed,
    };
    putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
    for (const id of ["e1", "e2"]) {
      putEpisode(store, {
        ...plan,
        id,
        ordinal: Number(id[1]),
        method: "m",
        memory: "",
        condition: "c",
        backbone: "b",
      });
    }
    const pass = { kind: "only", score: 0.5, maxScore: 1, steps: 2, end: "won" };
    const turn = {
      episode: "e1",
      pass: 0,
      goal: "=g",
      observation: "Ü \u{1F511}",
      sections: {},
      frames: [],
      score: 0.5,
      maxScore: 1,
    };
    for (const step of [0, 1]) {
      putTurn(store, {
        ...turn,
        ...(step === 1 && { action: "go" }),
        step,
        observationHash: "h",
        details: { step },
      });
    }
    endEpisode(store, "e1", { status: "completed", passes: [pass] }, 1_900_000_000_123);
    const tokens = {
      promptTokens: 3_000_000_000,
      cachedTokens: 0,
      completionTokens: 1,
      reasoningTokens: 0,
      latencyMs: 1.5,
    };
    putCall(store, {
      episode: "e1",
      role: "r",
      model: "m",
      key: "k",
      kind: "paid",
      ...tokens,
      dollars: null,
      at: 1_900_000_000_123,
    });

    const files = await exportRecord(store, ["mine"], folder);
    const [episodes, turns, calls] = files.map((file) => polars().readParquet(file).toRecords());
    const [first, second] = episodes ?? [];
    assert.deepEqual([first?.id, first?.seed, first?.score, second?.score, first?.ended], [
      "e1",
      String(seed),
      0.5,
      null,
      "won",
    ]);
    assert.equal(Number(first?.finished_at), 1_900_000_000_123);
    assert.equal(first?.identity, `{"models":1}`);
    assert.deepEqual(
      turns?.map(({ study, step, observation }) => [study, Number(step), observation]),
      [
        ["mine", 0, "Ü \u{1F511}"],
        ["mine", 1, "Ü \u{1F511}"],
      ],
    );
    assert.deepEqual([
      Number(calls?.[0]?.prompt_tokens),
      calls?.[0]?.latency_ms,
      calls?.[0]?.dollars,
    ], [3_000_000_000, 1.5, null]);
    assert.equal(calls?.length, 1);
  }));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-export-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
