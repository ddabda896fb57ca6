import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openStore } from "../../lib/lab/store/open.ts";
import { listTurns } from "../../lib/lab/store/turns.ts";
import { descendants } from "../core/env/processes.ts";
import { TASKS, train } from "./train_child.ts";
import { wantsSlow } from "../slow.ts";
import { inFolder } from "../folder.ts";

/** What the training left, and how far it has come, without times. */
function read(path: string): { readonly artefacts: unknown[]; readonly steps: number } {
  try {
    using store = openStore(path, { create: false });
    const rows = store.prepare(
      "select id, ordinal, status, score, steps, artefact_in, artefact_out from episodes order by ordinal",
    ).all();
    return {
      artefacts: rows.map((row) => ({ ...row })),
      steps: rows.reduce((sum, row) => sum + listTurns(store, String(row.id)).length, 0),
    };
  } catch {
    return { artefacts: [], steps: 0 }; // not there yet, or being made
  }
}

/**
 * The processes below one whose command line holds a word; one that has ended meanwhile has no
 * command line.
 */
function below(root: number, word: string): number[] {
  return descendants(root).filter((pid) =>
    spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout.includes(word)
  );
}

/** Starts the training, and does something to it in the middle of its first episode. */
async function disturb(path: string, what: (child: ChildProcess) => void): Promise<void> {
  const script = fileURLToPath(new URL("train_child.ts", import.meta.url));
  const child = spawn(process.execPath, ["run", "-A", "--no-check", script, path], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  while (read(path).steps < 5 && child.exitCode === null) await sleep(50);
  assert.equal(child.exitCode, null, "the training was over before it could be disturbed");
  what(child);
  await ended;
}

Deno.test({
  name: "a killed training (lab, worker or Java) resumes and saves the artefact of an unkilled one",
  ignore: !wantsSlow("a killed training that resumes") || process.platform !== "linux",
  fn: () =>
    inFolder(async (folder) => {
      const undisturbed = join(folder, "undisturbed.sqlite");
      assert.equal((await train(undisturbed)).completed, TASKS.length);
      const wanted = read(undisturbed).artefacts;
      assert.equal(
        new Set(wanted.map((row) => (row as { artefact_out: string }).artefact_out)).size,
        TASKS.length,
      );
      const disturbances: Readonly<Record<string, (child: ChildProcess) => void>> = {
        lab: (child) => void child.kill("SIGKILL"),
        java: (child) =>
          below(child.pid as number, "scienceworld.jar").forEach((pid) =>
            process.kill(pid, "SIGKILL")
          ),
        worker: (child) =>
          below(child.pid as number, "labyrinth_envs").slice(-1).forEach((pid) =>
            process.kill(pid, "SIGKILL")
          ),
      };
      for (const [name, what] of Object.entries(disturbances)) {
        const path = join(folder, `${name}.sqlite`);
        await disturb(path, what);
        assert.equal((await train(path)).completed, TASKS.length, name);
        assert.deepEqual(read(path).artefacts, wanted, name);
      }
    }),
});
