import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { ownFolder } from "./folder.ts";

Deno.test("./lab on a machine without a Python that fits is one line that names the remedy", () =>
  onMachine(({ run }) => {
    const { status, stderr } = run({ python3: "exit 1" }); // as an older Python answers the question whether it fits
    assert.equal(status, 1);
    assert.match(stderr, /^lab: no Python found; install Python 3\.11 to 3\.13 with pip/m);
  }));

Deno.test("./lab takes a Python that is called python alone", () =>
  onMachine(({ run }) => {
    const { status, stderr } = run({
      python: 'case "$*" in *pip*) exit 1 ;; *venv*) exit 1 ;; esac',
    }); // it fits, and has no pip
    assert.equal(status, 1);
    assert.match(
      stderr,
      /could not install deno and uv with pip; check that '.*\/bin\/python -m pip' works/,
    );
  }));

Deno.test("./lab sets up all worlds with one uv sync when all can be installed", () =>
  onMachine(({ folder, run }) => {
    const { status, stdout, stderr } = run(toolsWhereUv(""));
    assert.deepEqual([status, stdout], [0, "handed over\n"]);
    assert.doesNotMatch(stderr, /without/);
    assert.match(readFileSync(join(folder, "uv.log"), "utf8"), /^sync [^\n]*--all-extras\n$/);
    run({});
    assert.equal(
      readFileSync(join(folder, "uv.log"), "utf8").split("\n").length,
      2,
      "what is set up is not set up again",
    );
  }));

Deno.test("./lab names each world that cannot be installed with its remedy and goes on", () =>
  onMachine(({ folder, run }) => {
    const { status, stdout, stderr } = run(
      toolsWhereUv('case "$*" in *--all-extras* | *nethack | *textworld) exit 1 ;; esac'),
    );
    assert.deepEqual([status, stdout], [0, "handed over\n"]);
    assert.deepEqual(stderr.split("\n").filter((line) => line.includes("without")), [
      "lab: without textworld, which cannot be installed here: remedy of textworld",
      "lab: without nethack, which cannot be installed here: remedy of nethack",
    ]);
    const last = readFileSync(join(folder, "uv.log"), "utf8").trimEnd().split("\n").at(-1);
    assert.match(
      last ?? "",
      /--extra babyai --extra scienceworld --extra textworld-express --extra alfworld --extra jericho --extra minihack --extra gymnasium --extra notebook$/,
    );
  }));

Deno.test("./lab says in one line that a checkout is not set up which cannot be written", () =>
  onMachine(({ folder, run }) => {
    writeFileSync(join(folder, ".lab"), ""); // as root, whom no permission stops
    const { status, stderr } = run(toolsWhereUv(""));
    assert.equal(status, 1);
    assert.match(stderr, /^lab: \S+ is not set up for you, who cannot write there: [^\n]*\n$/);
  }));

Deno.test("./lab stops with what uv said when not even the server's own packages can be installed", () =>
  onMachine(({ run }) => {
    const { status, stderr } = run(toolsWhereUv("echo no route to host; exit 1"));
    assert.equal(status, 1);
    assert.match(
      stderr,
      /no route to host\nlab: uv sync failed \(above\); is the Python package index reachable\?\n$/,
    );
  }));

Deno.test("./lab tries every extra of envs/pyproject.toml", () => {
  const project = readFileSync(new URL("../envs/pyproject.toml", import.meta.url), "utf8");
  const extras =
    project.match(/^\[project\.optional-dependencies\].*\n((?:[\w-]+ = .*\n)+)/m)?.[1]?.matchAll(
      /^[\w-]+/gm,
    ) ?? [];
  const tried =
    readFileSync(new URL("../lab", import.meta.url), "utf8").match(/for extra in (.*); do/)?.[1]
      ?.split(" ") ?? [];
  assert.deepEqual(tried.toSorted(), [...extras].map(([name]) => name).toSorted());
});

Deno.test("the workflow file runs .ci/run and names tests that exist", () => {
  const root = new URL("../", import.meta.url);
  const workflow = readFileSync(new URL(".github/workflows/ci.yml", root), "utf8");
  assert.match(workflow, /^ {6}- run: \.ci\/run$/m);
  const named = [...workflow.matchAll(/(?<=[\s=])tests\/[\w./-]+/g)].map(([path]) => path);
  assert.ok(named.length > 10);
  const lost = named.filter((path) =>
    !existsSync(new URL(path, root)) && !existsSync(new URL(`envs/${path}`, root))
  );
  assert.deepEqual(lost, []);
});

/**
 * The tools of a set-up: a Python that fits, deno, and a uv that notes its arguments, runs
 * `script`, and makes the environment.
 */
function toolsWhereUv(script: string): Record<string, string> {
  const python = '#!/bin/sh\necho "remedy of $2"\n';
  return {
    python3: "exit 0",
    deno:
      'case $1 in --version) echo "deno 2.9.8" ;; install) mkdir node_modules ;; run) echo "handed over" ;; esac',
    uv: `if [ "$1" = --version ]; then echo "uv 0.13.9"; exit; fi
      cd "$LAB_CWD" && echo "$*" >>uv.log && mkdir -p envs/.venv/bin
      ${script}
      printf '%s' '${python}' >envs/.venv/bin/python && chmod +x envs/.venv/bin/python`,
  };
}

interface Machine {
  /** The checkout. */
  readonly folder: string;
  /**
   * Runs a fresh checkout's `lab` where nothing but these scripts and the plainest tools is on the
   * path.
   */
  run(
    scripts: Readonly<Record<string, string>>,
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
}

function onMachine(work: (machine: Machine) => void): void {
  using own = ownFolder();
  const folder = own.path;
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (
    const tool of ["sh", "dirname", "sed", "sort", "head", "cat", "cksum", "rm", "mkdir", "chmod"]
  ) {
    symlinkSync(whereIs(tool), join(bin, tool));
  }
  copyFileSync(new URL("../lab", import.meta.url), join(folder, "lab"));
  mkdirSync(join(folder, "envs"));
  copyFileSync(new URL("../envs/tools.txt", import.meta.url), join(folder, "envs", "tools.txt"));
  work({
    folder,
    run: (scripts) => {
      for (const [name, script] of Object.entries(scripts)) {
        writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
        chmodSync(join(bin, name), 0o755);
      }
      return spawnSync(join(bin, "sh"), [join(folder, "lab")], {
        env: { PATH: bin, LAB_CWD: folder },
        encoding: "utf8",
      });
    },
  });
}

function whereIs(tool: string): string {
  const path = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, tool)).find((
    path,
  ) => existsSync(path));
  assert.ok(path, `${tool} is not on the path`);
  return path;
}
