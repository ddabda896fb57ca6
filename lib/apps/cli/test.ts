/** `./lab test [--slow] [check …]`: every check, as CI runs it, or some by name. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { stopServer } from "../../core/child-server.ts";
import { spawnServer } from "../../core/env/server.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { checkName } from "../../core/text/did-you-mean.ts";
import { command } from "./command.ts";

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd?: string;
  /** The JUnit file that it writes, where it counts tests of its own. */
  readonly junit?: string;
  /** The function of `tests/gather.ts` that writes what it runs into a folder, its last word. */
  readonly gather?: string;
  /** Whether its tests share one world server. */
  readonly sharesWorlds?: boolean;
  /** Whether it is a part of another check, and runs only where it is named. */
  readonly isPart?: boolean;
}

interface Count {
  readonly passed: number;
  readonly failed: number;
}

export const main = command({
  name: "test",
  words: { "[checks...]": { description: "checks to run, e.g. lint or chaos (default: all)" } },
  options: { slow: { description: "run the large variants of the tests as well" } },
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
  const root = checkoutRoot();
  const envs = join(root, "envs");
  const deno = (name: string, ...words: string[]): Check => ({
    name,
    command: [process.execPath, ...words],
  });
  const python = (name: string, ...words: string[]): Check => ({
    name,
    command: [join(envs, ".venv", "bin", "python"), "-m", ...words],
    cwd: envs,
  });
  const denoTests = (name: string, ...words: string[]): Check => {
    const junit = join(reports, `${name}.xml`);
    return { ...deno(name, "test", "-A", "--no-check", `--junit-path=${junit}`, ...words), junit };
  };
  const pythonTests = (name: string, ...words: string[]): Check => {
    const junit = join(reports, `${name}.xml`);
    const all = ["pytest", "-q", "-p", "no:cacheprovider", `--junit-xml=${junit}`, ...words];
    return { ...python(name, ...all), junit };
  };
  return [
    { ...denoTests("lib"), gather: "gatherTests", sharesWorlds: true },
    pythonTests("pytest"),
    denoTests("notebooks", "tests/notebooks"),
    denoTests("cli", "tests/apps/cli"),
    denoTests("pages", "tests/apps/view", "tests/apps/play"),
    { ...denoTests("examples"), gather: "gatherExamples" },
    { ...denoTests("chaos", "tests/chaos"), isPart: true },
    { ...pythonTests("chaos wire", "-s", "tests/test_chaos.py"), isPart: true },
    { ...deno("types", "check", "lib", "tests"), gather: "gatherTypes" },
    deno("format", "fmt", "--check", "--quiet"),
    deno("lint", "lint", "--quiet", "lib"),
    deno("lint tests", "lint", "--quiet", "--rules-exclude=no-console", "tests"), // skips are printed
    deno("docs", "doc", "--lint", ...entryPoints()),
    deno("publish", "publish", "--quiet", "--dry-run", "--allow-dirty", "--no-check"),
    python("ruff", "ruff", "check", "--no-cache", "."),
    python("ruff format", "ruff", "format", "--no-cache", "--check", "."),
    python("mypy", "mypy", "--cache-dir", join(root, ".lab", "mypy"), "src", "tests"),
  ];
}

export function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(checkoutRoot(), "deno.json"), "utf8"));
  return Object.values(exports);
}

async function run(check: Check, slow: boolean): Promise<Count> {
  const started = performance.now();
  const worlds = check.sharesWorlds ? spawnServer(["--max-sessions=64"]) : undefined;
  const { status, output } = await execute(check, {
    JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1", // tests start many Javas for seconds each
    ...(worlds && { LAB_WORLDS: (await worlds.ready).endpoint }),
    ...(slow && { LAB_SLOW: "1" }),
  });
  if (worlds) await stopServer(worlds);
  const { passed, failed } = check.junit
    ? junitCount(check.junit, status)
    : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const word = failed === 0 ? "ok" : "FAILED";
  process.stdout.write(
    `${check.name.padEnd(12)} ${word} (${passed} passed, ${failed} failed, ${seconds} s)\n`,
  );
  const isTold = (line: string): boolean =>
    /\bskipped:/i.test(line) || (check.isPart === true && /^ {2}\S/.test(line));
  const told = [...new Set(output.split("\n"))].filter(isTold).map((line) => `  ${line.trim()}\n`);
  process.stdout.write(failed > 0 ? `${output.replaceAll(/^/gm, "  | ")}\n` : told.join(""));
  return { passed, failed };
}

async function execute(
  { gather, command: [program = "", ...words], cwd = checkoutRoot() }: Check,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number; output: string }> {
  let output = "";
  try {
    if (gather) {
      const module = await import(pathToFileURL(join(checkoutRoot(), "tests", "gather.ts")).href);
      words.push(module[gather]());
    }
    const child = spawn(program, words, {
      cwd,
      env: { ...process.env, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output += text);
    }
    const [code, signal] = await once(child, "close");
    return { status: code ?? 1, output: signal ? `${output}ended by ${signal}\n` : output };
  } catch (error) { // an unreadable notebook, a missing program
    return { status: 127, output: `${output}${(error as Error).message}\n` };
  }
}

/** Tests counted in a JUnit file; a run that failed without a failing test is one failure. */
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
