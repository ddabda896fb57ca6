/**
 * What the commands that serve a page share: their options, the address with its token, the browser, and Ctrl-C.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import process from "node:process";
import { UsageError } from "../errors.ts";
import { type HttpServer, serveHttp, STOP_SIGNALS } from "../platform.ts";
import { isLoopback } from "../view/http.ts";
import type { Handler } from "../view/server.ts";
import type { Options } from "./options.ts";

/** Options of every command that serves a page. */
export const PAGE_OPTIONS = {
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
  open: { type: "boolean", default: false },
} as const;

/** How they are written in a usage line. */
export const PAGE_USAGE = "[--port N] [--host ADDRESS] [--open]";

/**
 * Serves a page until Ctrl-C or SIGTERM: to this machine alone, or with a token at the address that `--host` names.
 *
 * @param name what the page is called in the line that tells its address
 * @throws {UsageError} if it cannot listen there
 */
export async function servePage(
  { host, port: wanted, open }: Options<typeof PAGE_OPTIONS>["values"],
  name: string,
  createHandler: (token: string | undefined) => Handler,
): Promise<void> {
  const port = Number(wanted);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port wants a number up to 65535, not "${wanted}"`);
  const token = isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  const handler = createHandler(token);
  const server = listen(host, port, handler.answer);
  const stopped = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.once(signal, stopped.resolve);
  try {
    const address = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}/${token ? `?token=${token}` : ""}`;
    process.stdout.write(`${name} is at ${address}; Ctrl-C ends it\n`);
    if (open) openBrowser(address);
    await stopped.promise;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stopped.resolve);
    handler.close();
    await server.close();
  }
}

function listen(hostname: string, port: number, answer: (request: Request) => Promise<Response>): HttpServer {
  try {
    return serveHttp({ hostname, port }, answer);
  } catch (error) {
    throw new UsageError(`cannot listen at ${hostname}, port ${port}: ${(error as Error).message}; choose others with --host and --port`);
  }
}

function openBrowser(address: string): void {
  const [command = "", ...args] = process.platform === "darwin"
    ? ["open"]
    : process.platform === "win32"
    ? ["cmd", "/c", "start", ""]
    : ["xdg-open"];
  spawn(command, [...args, address], { stdio: "ignore", detached: true }).on("error", () => {}).unref(); // the address is printed anyway
}
