/**
 * `./lab test [--slow] [check …]`: every check, as CI runs it, or some by name. The last line is `N
 * passed, N failed`.
 */

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { stopServer } from "../../core/child-server.ts";
import { spawnServer } from "../../core/env/server.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { checkName } from "../../core/text/did-you-mean.ts";
import { entryPoints } from "./docs.ts";
import { command } from "./command.ts";
import { gatherExamples, gatherTests, gatherTypes } from "./gather-tests.ts";

/**
 * One check: a command whose exit status decides, and the JUnit file it writes where it counts
 * tests of its own.
 */
interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly junit?: string;
  /**
   * Writes what it runs when its turn has come, and gives the folder, the last word of its command.
   */
  readonly gather?: () => string;
  /** Whether its tests share one world server, which each file would start anew. */
  readonly sharesWorlds?: boolean;
  /**
   * Whether it is a part of another check, so that it runs only where it is named, and says what it
   * drew.
   */
  readonly isPart?: boolean;
}

interface Count {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs the checks, three side by side since many wait, prints what a failing one said, and closes
 * with the sum. `lint` also names `lint tests`.
 */
export const main = command({
  name: "test",
  words: { "[checks...]": { description: "the checks, e.g. lint or chaos; all unless told" } },
  options: { slow: { description: "run the large variants of the tests, too" } },
}, async (values, names) => {
  const reports = join(checkoutRoot(), ".lab", "reports");
  const all = checks(reports);
  const isNamed = (check: Check, word: string): boolean =>
    check.name === word || check.name.startsWith(`${word} `);
  const unknown = names.find((word) => !all.some((check) => isNamed(check, word)));
  if (unknown !== undefined) checkName("check", unknown, all.map(({ name }) => name));
  const queue = all.filter((check) =>
    names.length === 0 ? !check.isPart : names.some((word) => isNamed(check, word))
  );
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  let total: Count = { passed: 0, failed: 0 };
  async function work(): Promise<void> {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const count = await run(check, values.slow);
      total = { passed: total.passed + count.passed, failed: total.failed + count.failed };
    }
  }
  await Promise.all([work(), work(), work()]);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
});

function checks(reports: string): Check[] {
  const runtime = (...words: string[]): string[] => [process.execPath, ...words];
  const python = (
    ...words: string[]
  ): string[] => [join(checkoutRoot(), "envs", ".venv", "bin", "python"), "-m", ...words];
  const envs = join(checkoutRoot(), "envs");
  const denoTests = (name: string, ...words: string[]): Check => {
    const junit = join(reports, `${name}.xml`);
    return {
      name,
      command: runtime("test", "-A", "--no-check", `--junit-path=${junit}`, ...words),
      junit,
    };
  };
  const pythonTests = (name: string, ...words: string[]): Check => {
    const junit = join(reports, `${name}.xml`);
    return {
      name,
      command: python("pytest", "-q", "-p", "no:cacheprovider", `--junit-xml=${junit}`, ...words),
      cwd: envs,
      junit,
    };
  };
  return [
    { ...denoTests("lib"), gather: gatherTests, sharesWorlds: true },
    pythonTests("pytest"),
    denoTests("notebooks", "tests/notebooks"),
    denoTests("cli", "tests/apps/cli"),
    denoTests("pages", "tests/apps/view", "tests/apps/play"),
    { ...denoTests("examples"), gather: gatherExamples },
    { ...denoTests("chaos", "tests/chaos"), isPart: true },
    { ...pythonTests("chaos wire", "-s", "tests/test_chaos.py"), isPart: true },
    { name: "types", command: runtime("check", "lib", "tests"), gather: gatherTypes }, // in one go: the library is checked once
    { name: "format", command: runtime("fmt", "--check", "--quiet") },
    { name: "lint", command: runtime("lint", "--quiet", "lib") },
    {
      name: "lint tests",
      command: runtime("lint", "--quiet", "--rules-exclude=no-console", "tests"),
    }, // a skipped test says why
    { name: "docs", command: runtime("doc", "--lint", ...entryPoints()) },
    {
      name: "publish",
      command: runtime("publish", "--quiet", "--dry-run", "--allow-dirty", "--no-check"),
    }, // "types" has checked
    { name: "ruff", command: python("ruff", "check", "--no-cache", "."), cwd: envs },
    {
      name: "ruff format",
      command: python("ruff", "format", "--no-cache", "--check", "."),
      cwd: envs,
    },
    {
      name: "mypy",
      command: python("mypy", "--cache-dir", join(checkoutRoot(), ".lab", "mypy"), "src", "tests"),
      cwd: envs,
    },
  ];
}

async function run(check: Check, slow: boolean): Promise<Count> {
  const started = performance.now();
  const worlds = check.sharesWorlds ? spawnServer(["--max-sessions=64"]) : undefined;
  const env = {
    JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1", // tests start many Java processes for seconds each: the optimizing compiler does not pay
    ...(worlds && { LAB_WORLDS: (await worlds.ready).endpoint }),
    ...(slow && { LAB_SLOW: "1" }),
  };
  const { status, output } = await execute(check, env);
  if (worlds) await stopServer(worlds);
  const count = check.junit
    ? junitCount(check.junit, status)
    : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${check.name.padEnd(12)} ${
      count.failed === 0 ? "ok" : "FAILED"
    } (${count.passed} passed, ${count.failed} failed, ${seconds} s)\n`,
  );
  if (count.failed > 0) process.stdout.write(output.replaceAll(/^/gm, "  | ") + "\n");
  else {for (const line of new Set(output.split("\n"))) {
      if (/\bskipped:/i.test(line) || (check.isPart && /^ {2}\S/.test(line))) {
        process.stdout.write(`  ${line.trim()}\n`);
      }
    }}
  return count;
}

function execute(
  check: Check,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; output: string }> {
  const gathered: string[] = [];
  try {
    if (check.gather) gathered.push(check.gather());
  } catch (error) {
    return Promise.resolve({
      status: 1,
      output: `${error instanceof Error ? error.message : error}\n`,
    }); // a notebook or a guide that cannot be read
  }
  const [command = "", ...words] = [...check.command, ...gathered];
  return new Promise((resolve) => {
    const child = spawn(command, words, {
      cwd: check.cwd ?? checkoutRoot(),
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const take = (chunk: Uint8Array): void => {
      output += new TextDecoder().decode(chunk);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => resolve({ status: 127, output: `${output}${error.message}\n` }));
    child.on(
      "close",
      (code, signal) =>
        resolve({ status: code ?? 1, output: signal ? `${output}ended by ${signal}\n` : output }),
    );
  });
}

/**
 * Tests counted in a JUnit file; a run that failed without a failing test (it did not even load)
 * counts as one failure.
 */
function junitCount(path: string, status: number): Count {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return { passed: 0, failed: 1 }; // it died before it could report
  }
  const sum = (attribute: string): number =>
    [...text.matchAll(/<testsuite\b[^>]*>/g)].reduce(
      (total, [tag]) => total + Number(tag.match(new RegExp(`\\b${attribute}="(\\d+)"`))?.[1] ?? 0),
      0,
    );
  const skipped = sum("skipped") + sum("disabled");
  const failed = sum("failures") + sum("errors");
  const passed = sum("tests") - failed - skipped;
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed };
}
