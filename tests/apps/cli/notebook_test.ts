import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { main } from "../../../lib/apps/cli/notebook.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { printed, readable, readCells } from "../../notebooks/cells.ts";
import { inFolder } from "../../folder.ts";

Deno.test("notebook refuses what it cannot do, with the remedy", async () => {
  await refused(
    ["no-such-notebook"],
    /there is no notebook "no-such-notebook"; the notebooks are /,
  );
  await refused(["--run", "-p", "seeds", "x"], /a parameter is NAME=VALUE, got "seeds"/);
  await refused(["-p", "seeds=1"], /--parameter goes with --run: add it/);
  await refused(["--install", "01"], /--install takes no name/);
  await refused(["01_arigraf"], /did you mean "01_arigraph_textworld"\?/);
  await refused(["01_arigraph_textwrold"], /did you mean "01_arigraph_textworld"\?/);
  await refused(["--run", "--no-browser"], /--no-browser. cannot be used with option .--run/);
  await inFolder(async (folder) => {
    writeFileSync(join(folder, "away.ipynb"), notebook([]));
    await refused(
      [join(folder, "away.ipynb")],
      /JupyterLab shows what lies in .*move the notebook there/,
    );
  });
  await refused(["--port", "many"], /--port must be a number up to 65535, not "many"/);
  await refused(["--fast"], /'--fast'.*see \.\/lab notebook --help/);
});

Deno.test("notebook --run stores complete outputs in place; with parameters, in a copy", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "small.ipynb");
    const cells = [
      `import { equal } from "node:assert/strict";\nlet seeds = 2;`,
      `for (let i = 0; i < 100; i++) console.log("line", i);`,
      `equal(typeof seeds, "number");\nconsole.log("seeds", seeds);`,
    ];
    writeFileSync(path, notebook(cells));
    assert.equal(await main(["--run", path]), 0);
    const [, lines, last] = readCells(path);
    assert.equal(printed(lines), Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join(""));
    assert.equal(printed(last), "seeds 2\n");

    const before = readFileSync(path, "utf8");
    assert.equal(await main(["--run", "-p", "seeds=5", "--to", join(folder, "copies"), path]), 0);
    assert.equal(printed(readCells(join(folder, "copies", "small.ipynb")).at(-1)), "seeds 5\n");
    assert.equal(readFileSync(path, "utf8"), before);
    assert.equal(await main(["--run", "-p", "seed=5", "--to", join(folder, "refused"), path]), 1);
    assert.equal(existsSync(join(folder, "refused")), false);
  });
});

Deno.test("in a notebook, an edit of what a world of one's own uses from another cell never gives a stale number; an error shows its stack", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "edited.ipynb");
    const cells = [
      `import * as lab from "labyrinth";
      const store = lab.openStore("edited.sqlite");
      const seen = { goal: "", observation: "", sections: {}, frames: [], score: 0, maxScore: 4 };
      const none = { version: "1", parameters: {}, sections: [], actions: [], fallback: "pull", identity: "0" };
      const pull = () => 1;`,
      `const lever = {
        spec: { id: "lever", ...none }, reset: async () => seen, step: async () => ({ ...seen, score: pull(), end: "won" as const }),
        validActions: async () => ["pull"], truth: async () => ({}), close: async () => {},
      };
      const worlds = { list: async () => [], open: async () => lever, close: async () => {} };
      const study = lab.experiment({ id: "lever", worlds: ["lever"], methods: ["random"] });
      const play = async () => (await lab.playStudy(study, { store, worlds })).episodes.map(({ score }) => score);
      console.log(await play());`,
      `const pull = () => 2;`,
      `console.log(await play());`,
      `console.log(await play());`,
      `const pull = () => { throw new RangeError("stuck"); };
      await play();
      store.close();`,
    ];
    writeFileSync(path, notebook(cells));
    assert.equal(await main(["--run", path]), 0);
    const [, first, , second, third, broken] = readCells(path);
    assert.deepEqual([first, second, third].map(printed), ["[ 1 ]\n", "[ 2 ]\n", "[ 2 ]\n"]);
    assert.match(
      readable(second).join(),
      /the world lever or what it uses was edited: 1 recorded episode of lever is played again/,
    );
    assert.match(
      readable(broken).join(),
      /The episode lever\|random\|1 failed: RangeError: stuck\s+at pull/,
    );
    assert.ok(existsSync(join(folder, "edited.sqlite")), "the store lies beside the notebook");
  }, join(checkoutRoot(), ".lab"));
});

Deno.test("notebook serves JupyterLab with the lab's kernel, writes nothing into the home folder, and ends with its parent", async () => {
  await inFolder(async (home) => {
    const { lab, port, answer } = await serveLab(home);
    try {
      assert.ok("labyrinth" in (answer as { kernelspecs: object }).kernelspecs);
      assert.deepEqual(readdirSync(home), []);
    } finally {
      lab.kill("SIGKILL");
    }
    await eventually(
      async () => !(await listens(port)),
      "JupyterLab outlives the command that started it",
    );
  });
});

async function refused(args: readonly string[], message: RegExp): Promise<void> {
  await assert.rejects(
    () => main(args),
    (error) => error instanceof UsageError && message.test(error.message),
  );
}

function notebook(sources: readonly string[]): string {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    source,
    metadata: index === 0 ? { tags: ["parameters"] } : {},
    execution_count: null,
    outputs: [],
  }));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

/**
 * JupyterLab at a free port, with its kernels; at another one where somebody has taken that in
 * between.
 */
async function serveLab(
  home: string,
  tries = 5,
): Promise<{ readonly lab: ChildProcess; readonly port: number; readonly answer: unknown }> {
  const port = await freePort();
  const lab = spawn(
    process.execPath,
    [
      "run",
      "--quiet",
      "-A",
      "--config",
      join(checkoutRoot(), "deno.json"),
      join(checkoutRoot(), "lib/apps/cli/main.ts"),
      "notebook",
    ]
      .concat("--no-browser", "--port", String(port)),
    {
      env: { ...process.env, HOME: home, JUPYTER_TOKEN: "test" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  lab.stderr?.on("data", (part) => said += part);
  let answer: unknown;
  await eventually(async () => {
    answer = await fetch(`http://127.0.0.1:${port}/api/kernelspecs?token=test`).then(
      (reply) => reply.json(),
      () => undefined,
    );
    return answer !== undefined || lab.exitCode !== null;
  }, "no answer of JupyterLab");
  if (lab.exitCode === null) return { lab, port, answer };
  assert.match(said, /port \d+ is not available/, "JupyterLab ended before it answered");
  assert.ok(tries > 1, "no port stays free");
  return await serveLab(home, tries - 1);
}

async function listens(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/api`).then(
    (reply) => reply.body?.cancel().then(() => true) ?? true,
    () => false,
  );
}

async function eventually(holds: () => Promise<boolean>, complaint: string): Promise<void> {
  for (const end = performance.now() + 240_000; performance.now() < end;) {
    if (await holds()) return;
    await setTimeout(100);
  }
  assert.fail(complaint);
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().on("error", fail).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
