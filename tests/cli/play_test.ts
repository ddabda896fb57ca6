/** A person's games go into the store. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { projectRoot } from "../../lib/platform.ts";
import { type EpisodeRow, episodesFrame, rowsOf } from "../../lib/report/frame.ts";
import { listEpisodes } from "../../lib/store/episodes.ts";
import { openStore } from "../../lib/store/open.ts";
import { listTurns } from "../../lib/store/turns.ts";

/** `./lab play` with these lines typed in. */
async function play(lines: readonly string[], ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ["run", "-A", "--no-check", join(projectRoot, "lib", "cli", "main.ts"), "play", ...args]);
  const ended = new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? -1)));
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(status, 0, err);
  return out;
}

Deno.test("play records each session as an episode; one that was left stands in no table", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-play-"));
  try {
    const path = join(folder, "lab.sqlite");
    const left = await play(["take Key 1", "look"], "textworld/hunt", "--store", path);
    assert.match(left, /You left after 2 steps\. Score: 1 of 5\nRecorded as [0-9a-f]{16}, unfinished: it counts in no table\n$/);
    const ended = await play(["?", "inventory", "", "take Key 1"], "textworld/hunt", "stepLimit=2", "--store", path);
    assert.match(ended, /Recorded as ([0-9a-f]{16}): \.\/lab show \1\n$/);

    using store = openStore(path);
    const episodes = listEpisodes(store, { study: "human" }).toSorted((a, b) => a.attempt - b.attempt);
    assert.deepEqual(
      episodes.map(({ method, condition, world, attempt, status, failureKind, score, maxScore, steps, ended }) => ({
        method,
        condition,
        world,
        attempt,
        status,
        ...(failureKind === undefined ? { score, maxScore, steps, ended } : { failureKind }),
      })),
      [
        { method: "human", condition: "human", world: "textworld/hunt", attempt: 1, status: "failed", failureKind: "unfinished" },
        ...[{ method: "human", condition: "human", world: "textworld/hunt", attempt: 2, status: "completed" }]
          .map((row) => ({ ...row, score: 1, maxScore: 5, steps: 2, ended: "limit" })),
      ],
    );
    assert.deepEqual(listTurns(store, episodes[0]?.id ?? "").map(({ step, action }) => [step, action]), [
      [0, undefined],
      [1, "take Key 1"],
      [2, "look"],
    ]);
    assert.deepEqual(rowsOf<EpisodeRow>(episodesFrame(store, "human")).map(({ attempt, normalised }) => [attempt, normalised]), [[2, 0.2]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
