import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lab, writtenFiles } from "./captured.ts";

Deno.test("reproduce arigraph --only nethack plays the real game, prints Table 1 beside the paper's and draws the strip", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-nethack-"));
  try {
    const places = ["--store", join(folder, "lab.sqlite"), "--figures", join(folder, "figures")];
    const { status, out, err } = await lab(
      "reproduce",
      "arigraph",
      "--only",
      "nethack,netplay-level,random-skills",
      "--attempts",
      "1",
      "--models",
      "offline",
      ...places,
    );
    assert.equal(status, 0, err);
    assert.match(out, /\| NetPlay \[Level obs\] \| 1 \| \d+\.00 \| 675\.33 ± 130\.27 \| \d\.00 \| 7\.33 ± 1\.15 \|/);
    assert.match(out, /\| Random skills \| 1 \| \d+\.00 \| – \| \d\.00 \| – \|/);
    assert.doesNotMatch(out, /Ledger/, "none of the stand-in");
    const files = writtenFiles(out);
    for (const name of ["arigraph-table1-offline.md", "arigraph-fig13-offline.png", "arigraph-nethack-progress-offline.pdf"]) {
      assert.ok(files.some((file) => file.endsWith(name)), name);
    }
    assert.ok(files.every((file) => readFileSync(file).length > 0));
    const strip = readFileSync(files.find((file) => file.endsWith("fig13-offline.csv")) ?? "", "utf8");
    assert.match(strip, /,@,hero/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("reproduce arigraph --only nethack refuses what it cannot do in one line", async () => {
  for (
    const [words, message] of [[["nethack,elephant"], /names no agent in NetHack/], [
      ["nethack", "--games", "games"],
      /leave out --games/,
    ]] as const
  ) {
    const { status, err } = await lab("reproduce", "arigraph", "--only", ...words);
    assert.equal(status, 2, err);
    assert.match(err, message);
    assert.equal(err.trim().split("\n").length, 1);
  }
});
