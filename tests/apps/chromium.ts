/** A real browser for tests: Chromium where it is installed, led by its own protocol. */

import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

/** The path of a Chromium on this machine; `undefined` where there is none. */
export function findChromium(): string | undefined {
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    } catch { /* the next one */ }
  }
  return undefined;
}

/** A page of the browser. */
export interface Tab {
  goTo(address: string): Promise<void>;
  /** Reads from the first frame of the page, until it goes elsewhere. */
  enterFrame(): Promise<void>;
  /** The value of an expression in the page, which may be a promise. */
  read<T = string>(expression: string): Promise<T>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Types a text where the focus is. */
  type(text: string): Promise<void>;
  /** Sets the size of the window, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  prefer(scheme: "light" | "dark"): Promise<void>;
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** What the page complained of: errors, refused resources, uncaught exceptions. */
  readonly complaints: string[];
}

/** Starts the browser, gives its page to `use` and ends it. */
export async function withBrowser(path: string, use: (tab: Tab) => Promise<void>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), "browser-"));
  const flags = ["--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader"]; // WebGL by software where there is no graphics card
  const child = spawn(
    path,
    [
      ...flags,
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--window-size=1400,900",
      "about:blank",
    ],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.on("exit", resolve));
  try {
    const port = await portOf(child);
    const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json() as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const address = targets.find(({ type }) => type === "page")?.webSocketDebuggerUrl;
    const socket = new WebSocket(address ?? assert.fail("the browser has no page"));
    await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
    const tab = await tabOver(socket);
    try {
      await use(tab);
    } finally {
      const closed = new Promise((resolve) =>
        socket.addEventListener("close", resolve, { once: true })
      );
      socket.send(JSON.stringify({ id: 0, method: "Browser.close" })); // ends all of its processes
      await closed;
    }
  } finally {
    const timer = globalThis.setTimeout(() => child.kill("SIGKILL"), 30_000);
    await ended;
    clearTimeout(timer);
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function portOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr ?? assert.fail() })) {
    const port = line.match(/^DevTools listening on ws:\/\/[^:]+:(\d+)/)?.[1];
    if (port) return port;
  }
  return assert.fail("the browser did not start");
}

/** The longest wait for an expression to become true, in ms. */
const LONGEST = 120_000;

/** The keys that do something by themselves, as a browser numbers them. */
const KEY_CODES: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  " ": 32,
  ArrowDown: 40,
  Escape: 27,
};

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

async function tabOver(socket: WebSocket): Promise<Tab> {
  const waiting = new Map<number, (answer: Answer) => void>();
  const complaints: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
    else if (answer.method === "Runtime.exceptionThrown" || isError(answer)) {
      complaints.push(JSON.stringify(answer.params));
    }
  });
  let last = 0;
  let frame: string | undefined;
  async function send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++last;
    const { result, error } = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params, sessionId: frame }));
    });
    waiting.delete(id);
    return result ?? assert.fail(`${method}: ${error?.message}`);
  }
  async function read<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    assert.equal(
      exceptionDetails,
      undefined,
      `${expression.slice(0, 100)}: ${JSON.stringify(exceptionDetails)}`,
    );
    return (result as { value: T }).value;
  }
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`);
  return {
    complaints,
    send,
    read,
    goTo: async (address) => {
      frame = undefined;
      await send("Page.navigate", { url: address });
    },
    enterFrame: async () => { // a frame without rights is a target of its own
      const attached = new Promise<string>((resolve) =>
        socket.addEventListener("message", ({ data }) => {
          const { method, params } = JSON.parse(String(data)) as Answer;
          if (method === "Target.attachedToTarget") resolve(String(params?.sessionId));
        })
      );
      await send("Target.setAutoAttach", {
        autoAttach: true,
        waitForDebuggerOnStart: false,
        flatten: true,
      });
      frame = await attached;
    },
    until: async (expression) => {
      const end = performance.now() + LONGEST;
      while (!await read<boolean>(`Boolean(${expression})`)) {
        if (performance.now() > end) {
          assert.fail(
            `waited in vain until ${expression}; the page says: ${await read(
              "document.body.innerText.slice(0, 500)",
            )}`,
          );
        }
        await setTimeout(25);
      }
    },
    press: async (key) => {
      for (const type of ["keyDown", "keyUp"]) {
        const text = key === "Enter" ? "\r" : key;
        const code = KEY_CODES[key];
        const more = {
          ...type === "keyDown" && text.length === 1 && { text },
          ...code !== undefined && { windowsVirtualKeyCode: code },
        };
        await send("Input.dispatchKeyEvent", { type, key, ...more });
      }
    },
    type: async (text) => void await send("Input.insertText", { text }),
    resize: async (width, height) =>
      void await send("Emulation.setDeviceMetricsOverride", {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      }),
    prefer: async (scheme) =>
      void await send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }],
      }),
  };
}

function isError({ method, params }: Answer): boolean {
  return method === "Log.entryAdded" &&
    (params?.entry as { level?: string } | undefined)?.level === "error";
}
