import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";

Deno.test("./lab on a machine without a Python that fits is one line that names the remedy", () =>
  onMachine(({ run }) => {
    const { status, stderr } = run({ python3: "exit 1" }); // as an older Python answers the question whether it fits
    assert.equal(status, 1);
    assert.match(stderr, /^lab: no Python found; install Python 3\.11 to 3\.13 with pip/m);
  }));

Deno.test("./lab takes a Python that is called python alone", () =>
  onMachine(({ run }) => {
    const { status, stderr } = run({ python: 'case "$*" in *pip*) exit 1 ;; *venv*) exit 1 ;; esac' }); // it fits, and has no pip
    assert.equal(status, 1);
    assert.match(stderr, /could not install deno and uv with pip; check that '.*\/bin\/python -m pip' works/);
  }));

interface Machine {
  /** Runs a fresh checkout's `lab` where nothing but these scripts and the plainest tools is on the path. */
  run(scripts: Readonly<Record<string, string>>): { readonly status: number | null; readonly stderr: string };
}

function onMachine(work: (machine: Machine) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-lab-"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const tool of ["sh", "dirname", "sed", "sort", "head", "cat", "cksum", "rm", "mkdir"]) symlinkSync(whereIs(tool), join(bin, tool));
  copyFileSync(new URL("../lab", import.meta.url), join(folder, "lab"));
  try {
    work({
      run: (scripts) => {
        for (const [name, script] of Object.entries(scripts)) {
          writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
          chmodSync(join(bin, name), 0o755);
        }
        const { status, stderr } = spawnSync(join(bin, "sh"), [join(folder, "lab")], { env: { PATH: bin }, encoding: "utf8" });
        return { status, stderr };
      },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function whereIs(tool: string): string {
  const path = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, tool)).find((path) => existsSync(path));
  assert.ok(path, `${tool} is not on the path`);
  return path;
}
