/** What the commands that serve a page share. */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import process from "node:process";
import { UsageError } from "../../core/errors.ts";
import { type HttpServer, serveHttp, STOP_SIGNALS } from "../../core/platform.ts";
import { isLoopback } from "../view/http.ts";
import type { Handler } from "../view/server.ts";
import type { Values } from "./command.ts";

export const PAGE_OPTIONS = {
  port: {
    value: "N",
    description: "listen on this port, 0 for any free one",
    default: 0,
    read: readPort,
  },
  host: {
    value: "address",
    description: "serve at this address; any but this machine's own needs a token",
    default: "127.0.0.1",
  },
  open: { description: "open the page in a browser" },
} as const;

/** A port, as an option gives it. @throws {UsageError} */
export function readPort(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`${option} must be a number up to 65535, not "${text}"`);
  }
  return port;
}

/**
 * Serves a page until Ctrl-C or SIGTERM: to this machine, or with a token at `--host`.
 *
 * @param name the page's name in the line with its address
 * @throws {UsageError} if it cannot listen there
 */
export async function servePage(
  { host, port, open }: Values<typeof PAGE_OPTIONS>,
  name: string,
  createHandler: (token: string | undefined) => Handler,
): Promise<void> {
  const token = isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  const handler = createHandler(token);
  const server = listen(host, port, handler.answer);
  const stopped = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.once(signal, stopped.resolve);
  try {
    const address = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}/${
      token ? `?token=${token}` : ""
    }`;
    process.stdout.write(`${name} is at ${address}; Ctrl-C ends it\n`);
    if (open) openBrowser(address);
    await stopped.promise;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stopped.resolve);
    handler.close();
    await server.close();
  }
}

function listen(
  hostname: string,
  port: number,
  answer: (request: Request) => Promise<Response>,
): HttpServer {
  try {
    return serveHttp({ hostname, port }, answer);
  } catch (error) {
    throw new UsageError(
      `cannot listen at ${hostname}, port ${port}: ${
        (error as Error).message
      }; choose others with --host and --port`,
    );
  }
}

function openBrowser(address: string): void {
  const [command = "", ...args] = process.platform === "darwin"
    ? ["open"]
    : process.platform === "win32"
    ? ["cmd", "/c", "start", ""]
    : ["xdg-open"];
  spawn(command, [...args, address], { stdio: "ignore", detached: true }).on("error", () => {})
    .unref(); // the address is printed anyway
}
