/** A small store with every kind of row. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rowsOf } from "../../../lib/lab/frame-of.ts";
import { episodes, steps } from "../../../lib/lab/frames.ts";
import { putCall } from "../../../lib/lab/store/calls.ts";
import { excludeBroken } from "../../../lib/lab/store/damage.ts";
import { endEpisode, putEpisode, startEpisode } from "../../../lib/lab/store/episodes.ts";
import { putEvents } from "../../../lib/lab/store/events.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putReply, replyKey } from "../../../lib/lab/store/replies.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "./samples.ts";
import { ownFolder } from "../../folder.ts";

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
      const change = {
        ...place,
        ordinal: 0,
        op: "add" as const,
        subject: `key ${step}`,
        relation: "is in",
        object: `room ${ordinal}`,
      };
      const turn = sampleTurn({
        ...place,
        score: step / 2,
        observation: `Room ${ordinal}: ${"a long view ".repeat(20)}`,
      });
      putTurn(store, turn, { changes: [change], truth: { rooms: step, note: "x".repeat(200) } });
      putEvents(store, [{ ...place, ordinal: 0, kind: "fallback", detail: "looked" }]);
      putCall(store, call(id, step));
    }
    if (id !== "dddd") endEpisode(store, id, { status: "completed", passes: [PASS] }, 2);
  }
  for (let n = 0; n < 20; n++) {
    putReply(store, { ...replyRow(n), reply: { text: `reply ${n} ${"words ".repeat(30)}` } });
  }
}

export function call(episode: string, step: number): Parameters<typeof putCall>[1] {
  const tokens = {
    promptTokens: 100 + step,
    cachedTokens: 0,
    completionTokens: 10,
    reasoningTokens: 0,
  };
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
export function numbersOf(
  store: Store,
): { readonly broken: readonly string[]; readonly rows: readonly unknown[] } {
  const broken = excludeBroken(store, STUDY);
  const costs = store.prepare(
    "select kind, total(dollars) as dollars from calls where episode = ? group by kind",
  );
  const turns = rowsOf<{ readonly episode: string }>(steps(store, STUDY));
  const rows = rowsOf<{ readonly episode: string }>(episodes(store, STUDY)).map((row) => [
    { ...row },
    costs.all(row.episode),
    turns.filter(({ episode }) => episode === row.episode).map((step) => ({ ...step })),
  ]);
  return { broken, rows };
}

export function withFile(work: (path: string) => void): void {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "lab.sqlite");
  {
    using store = openStore(path);
    store.transaction(() => fill(store));
  }
  work(path);
}

/** A store as a process left it that was killed, all files beside each other. */
export interface Killed {
  readonly path: string;
  /** Puts all files back as they were left, with or without the index of the log. */
  readonly restore: (hasIndex?: boolean) => void;
  /** Number of committed frames in the log, and its length in bytes. */
  readonly frames: number;
  readonly length: number;
}

/** Fills a store in many transactions and leaves its files as a kill does. */
export function afterKill(
  { isRestarted = false, hasUnfinished = false }: {
    readonly isRestarted?: boolean;
    readonly hasUnfinished?: boolean;
  },
  work: (killed: Killed) => void,
): void {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "lab.sqlite");
  const files = [path, `${path}-wal`, `${path}-shm`];
  let [left, frames]: [Uint8Array[], number] = [[], 0];
  {
    using store = openStore(path);
    if (isRestarted) {
      for (let n = 0; n < 300; n++) {
        putReply(store, { ...replyRow(1000 + n), reply: { text: "earlier" } });
      }
      store.database.exec("pragma wal_checkpoint(restart)");
    }
    fill(store);
    frames = readFileSync(`${path}-shm`).readUInt32LE(16);
    if (hasUnfinished) {
      store.database.exec("pragma cache_size = 5; begin immediate");
      store.prepare("update episodes set label = ?").run("y".repeat(100_000));
      for (let n = 0; n < 20; n++) {
        putReply(store, { ...replyRow(100 + n), reply: { text: "x".repeat(9000) } });
      }
    }
    left = files.map((file) => readFileSync(file));
    if (hasUnfinished) store.database.exec("rollback");
  }
  const restore = (hasIndex = true): void => {
    for (const [at, file] of files.entries()) {
      if (at < 2 || hasIndex) writeFileSync(file, left[at] as Uint8Array);
      else if (existsSync(file)) rmSync(file);
    }
  };
  work({ path, restore, frames, length: left[1]?.length ?? 0 });
}
