import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gridSteps } from "../../lib/papers/graphmind/trace.ts";
import { listEpisodes } from "../../lib/store/episodes.ts";
import { openStore } from "../../lib/store/open.ts";
import { listTurns } from "../../lib/store/turns.ts";
import { lab, writtenFiles } from "./captured.ts";

Deno.test("reproduce graphmind plays the real world, prints its tables beside the paper's, and draws what the log says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-graphmind-"));
  try {
    const places = ["--store", join(folder, "lab.sqlite"), "--figures", join(folder, "figures")];
    const { status, out, err } = await lab(
      "reproduce",
      "graphmind",
      "--only",
      "2x2-d1-0,open-door,kg,oracle",
      "--models",
      "offline",
      ...places,
    );
    assert.equal(status, 0, err);
    assert.match(out, /\| OpenDoor 2x2: success, % \|/);
    assert.match(
      out,
      /\| OpenDoor 2x2: success, %, paper, gemini-2\.5-flash \| 100\.0 ± 0\.0 \(150 steps, paper prints no limit\) \| 86\.7/,
    );
    const files = writtenFiles(out);
    assert.ok(files.some((file) => file.endsWith("graphmind-fig9-offline.png")) && files.every((file) => readFileSync(file).length > 0));

    using store = openStore(join(folder, "lab.sqlite"), { create: false });
    for (const { id, condition } of listEpisodes(store)) {
      const turns = listTurns(store, id);
      const steps = gridSteps(store, id);
      assert.equal(steps.length, turns.length);
      for (const [index, { path, truth }] of steps.entries()) {
        if (index === 0) continue;
        // the trace has a pose for every primitive of the log, each the outcome of that primitive, and ends where the truth has the agent
        const frames = turns[index]?.frames ?? [];
        assert.equal(path.length - 1, frames.length, `${condition} step ${index}`);
        for (const [number, { action, sections }] of frames.entries()) {
          const [from, to] = [path[number], path[number + 1]] as [readonly number[], readonly number[]];
          const moved = Math.abs((to[0] ?? 0) - (from[0] ?? 0)) + Math.abs((to[1] ?? 0) - (from[1] ?? 0));
          assert.equal(["east", "south", "west", "north"][to[2] ?? -1], sections["facing"]);
          assert.equal(to[2], action === "left" ? ((from[2] ?? 0) + 3) % 4 : action === "right" ? ((from[2] ?? 0) + 1) % 4 : from[2]);
          assert.ok(moved <= (action === "forward" ? 1 : 0), `${action} moved ${moved}`);
        }
        assert.deepEqual(path.at(-1)?.slice(0, 2), [truth.agent.x, truth.agent.y]);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("reproduce graphmind refuses what it cannot do in one line", async () => {
  for (
    const [words, message] of [
      [["--only", "elephant"], /--only elephant names no mission, size, layout or condition/],
      [["--games", "no-such-folder"], /--games .*no-such-folder has no layout/],
      [["--attempts", "none"], /--attempts/],
    ] as const
  ) {
    const { status, err } = await lab("reproduce", "graphmind", ...words);
    assert.equal(status, 2, err);
    assert.match(err, message);
    assert.equal(err.trim().split("\n").length, 1);
  }
});
