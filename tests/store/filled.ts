/** A small store with every kind of row. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { episodeRows, stepRows } from "../../lib/report/frame.ts";
import { putCall } from "../../lib/store/calls.ts";
import { episodeCosts } from "../../lib/store/costs.ts";
import { excludeBroken } from "../../lib/store/damage.ts";
import { endEpisode, putEpisode, startEpisode } from "../../lib/store/episodes.ts";
import { putEvents } from "../../lib/store/events.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putReply, replyKey } from "../../lib/store/replies.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { putTurn } from "../../lib/store/turns.ts";
import { samplePlan, sampleTurn } from "./samples.ts";

export const STUDY = "study";
const REQUEST = { role: "demo/greet", model: "mine", messages: ["hello ".repeat(50)] };
export const PASS = { kind: "only", score: 3, maxScore: 5, steps: 6, end: "limit" };

/** Makes a small store with every kind of row. */
export function fill(store: Store): void {
  putStudy(store, { id: STUDY, spec: { title: "A study" }, createdAt: 1 });
  for (const [ordinal, id] of ["aaaa", "bbbb", "cccc", "dddd"].entries()) {
    putEpisode(store, samplePlan({ id, study: STUDY, ordinal }));
    startEpisode(store, id, 1);
    for (let step = 0; step <= 6; step++) {
      const place = { episode: id, pass: 0, step };
      const change = { ...place, ordinal: 0, op: "add" as const, subject: `key ${step}`, relation: "is in", object: `room ${ordinal}` };
      const turn = sampleTurn({ ...place, score: step / 2, observation: `Room ${ordinal}: ${"a long view ".repeat(20)}` });
      putTurn(store, turn, { changes: [change], truth: { rooms: step, note: "x".repeat(200) } });
      putEvents(store, [{ ...place, ordinal: 0, kind: "fallback", detail: "looked" }]);
      putCall(store, call(id, step));
    }
    if (id !== "dddd") endEpisode(store, id, { status: "completed", passes: [PASS] }, 2);
  }
  for (let n = 0; n < 20; n++) putReply(store, { ...replyRow(n), reply: { text: `reply ${n} ${"words ".repeat(30)}` } });
}

export function call(episode: string, step: number): Parameters<typeof putCall>[1] {
  const tokens = { promptTokens: 100 + step, cachedTokens: 0, completionTokens: 10, reasoningTokens: 0 };
  return {
    episode,
    pass: 0,
    step,
    role: "a/b",
    model: "m",
    key: `k${step}`,
    kind: "paid",
    ...tokens,
    dollars: 0.25,
    latencyMs: 1.5,
    at: 1,
  };
}

export function replyRow(n: number): Omit<Parameters<typeof putReply>[1], "reply"> {
  const request = { ...REQUEST, n };
  return { key: replyKey(request), request, endpoint: "local", codeVersion: "0", at: 1 };
}

/** Everything that tables are made of, as they read it. */
export function numbersOf(store: Store): { readonly broken: readonly string[]; readonly rows: readonly unknown[] } {
  const broken = excludeBroken(store, STUDY);
  const costs = episodeCosts(store, STUDY);
  const rows = episodeRows(store, STUDY).map((row) => [
    { ...row },
    costs.get(row.episode),
    stepRows(store, STUDY).filter(({ episode }) => episode === row.episode).map((step) => ({ ...step })),
  ]);
  return { broken, rows };
}

export function withFile(work: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-damage-"));
  try {
    const path = join(folder, "lab.sqlite");
    {
      using store = openStore(path);
      store.transaction(() => fill(store));
    }
    work(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
