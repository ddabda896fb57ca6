/**
 * Servers in Python as children of this process: started with a ready line, ended with this
 * process.
 *
 * @module
 */

import type { ChildProcess } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { z } from "zod";
import { loadModule } from "./platform.ts";

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly ready: Promise<{ readonly endpoint: string; readonly pid: number }>;
  readonly exited: Promise<string>;
}

const START_TIMEOUT = 90_000;
const GRACE = 10_000;
const LAST_WORDS = 200;
const LAST_LINES = 3;
const MAX_LINE = 65_536;

const readyLine = z.object({ ready: z.literal(true), endpoint: z.string(), pid: z.int() });

/**
 * Starts a server that ends when its standard input does, however this process dies. Its first line
 * on standard output is `{"ready": true, "endpoint", "pid"}`.
 * @param failure makes the error of a server that did not start, from the reason in words
 */
export function startServer(
  command: string,
  args: readonly string[],
  { env, inherits = true, failure }: {
    readonly env?: Readonly<Record<string, string>>;
    /** Whether it is given the variables of this process as well. @default {true} */
    readonly inherits?: boolean;
    readonly failure: (why: string) => Error;
  },
): ServerProcess {
  const { spawn } = loadModule<typeof import("node:child_process")>("node:child_process");
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    // In a group of its own, so that Ctrl-C reaches the lab alone, which ends its calls in order.
    detached: true,
    // Python reads the paths of its packages in the locale's encoding: under LC_ALL=C a folder
    // named läb would stop it.
    env: { ...env, ...(inherits ? process.env : {}), LC_ALL: "C.UTF-8" },
  });
  const lastLines: string[] = [];
  onLine(child.stderr, (line) => {
    lastLines.push(line.trim());
    if (lastLines.length > LAST_LINES) lastLines.shift();
  });
  child.stdin.on("error", () => {}); // it has ended: `exited` says so

  const exited = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => {
      const tell = (): void =>
        resolve([signal ? `killed by ${signal}` : `status ${code}`, ...lastLines].join(": "));
      child.once("close", tell); // its last words have come
      setTimeout(tell, LAST_WORDS).unref(); // a worker may hold its standard error open
    });
  });
  const ready = new Promise<{ endpoint: string; pid: number }>((resolve, reject) => {
    const fail = (why: string): void => reject(failure(why));
    const timer = setTimeout(() => {
      fail(`it was not ready within ${START_TIMEOUT / 1000} s`);
      child.kill("SIGKILL");
    }, START_TIMEOUT);
    let isFirst = true;
    onLine(child.stdout, (line) => {
      if (!isFirst) return;
      isFirst = false;
      clearTimeout(timer);
      const said = readyLine.safeParse(parseJson(line));
      if (said.success) resolve(said.data);
      else fail(`it said ${line.slice(0, 200)}`);
    });
    exited.then((why) => {
      clearTimeout(timer);
      fail(why);
    });
  });
  ready.catch(() => {}); // whoever waits for it hears of it
  return { child, ready, exited };
}

/** Reads a stream line by line; what a line has beyond `MAX_LINE` characters is dropped. */
function onLine(stream: Readable, take: (line: string) => void): void {
  let line = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const [first = "", ...rest] = text.split(/\r?\n|\r/);
    line = (line + first).slice(0, MAX_LINE);
    for (const next of rest) {
      if (line !== "") take(line);
      line = next.slice(0, MAX_LINE);
    }
  });
  stream.on("end", () => line !== "" && take(line));
}

export async function stopServer({ child, exited }: ServerProcess): Promise<void> {
  child.ref();
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), GRACE);
  await exited;
  clearTimeout(timer);
}

export function detach(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as unknown as { unref(): void }).unref();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
