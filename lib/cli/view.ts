/**
 * `./lab view`: the run page over a store, in a browser; or as a folder that needs no server.
 *
 * @module
 */

import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { UsageError } from "../errors.ts";
import { checkoutRoot, type HttpServer, serveHttp, STOP_SIGNALS, systemClock } from "../platform.ts";
import { count } from "../text/amounts.ts";
import { bundlePage } from "../view/bundle.ts";
import { exportPage } from "../view/export.ts";
import type { Source } from "../view/routes.ts";
import { createHandler, isLoopback } from "../view/server.ts";
import { createTally } from "../view/tally.ts";
import { complain, readOptions, userPath } from "./options.ts";
import { openNamedStore } from "./named-store.ts";

const USAGE =
  "./lab view [--store FILE] [--port N] [--host ADDRESS] [--open], or ./lab view --export DIR [--study ID …] [--episode ID …] [--store FILE]";

/** Serves the page until Ctrl-C or SIGTERM: to this machine alone, or with a token at the address that `--host` names; or exports it. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, USAGE, {
    store: { type: "string" },
    port: { type: "string", default: "0" },
    host: { type: "string", default: "127.0.0.1" },
    open: { type: "boolean", default: false },
    export: { type: "string" },
    study: { type: "string", multiple: true },
    episode: { type: "string", multiple: true },
  });
  if ((values.study || values.episode) && values.export === undefined) {
    throw new UsageError(`--study and --episode choose what --export writes; usage: ${USAGE}`);
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port wants a number up to 65535, not "${values.port}"`);
  using store = openNamedStore(values.store, { create: false, readOnly: true });
  const source = { store, tally: createTally(store), figures: join(checkoutRoot(), "figures"), now: systemClock.now };
  if (values.export === undefined) return await serve(source, { host: values.host, port, isOpened: values.open });
  const folder = userPath(values.export);
  const { episodes, files, bytes } = await exportPage(source, await bundlePage(), {
    folder,
    studies: values.study,
    episodes: values.episode,
  });
  const size = `${Math.ceil(bytes / 2 ** 20)} MB in ${files} files`;
  process.stdout.write(`wrote ${count(episodes)} episodes, ${size}; open ${join(folder, "index.html")}\n`);
  return 0;
}

async function serve(
  source: Source,
  { host, port, isOpened }: { readonly host: string; readonly port: number; readonly isOpened: boolean },
): Promise<number> {
  const token = isLoopback(host) ? undefined : randomBytes(24).toString("base64url");
  const handler = createHandler({ ...source, page: await bundlePage(), token, onError: ({ message }) => complain(message) });
  const server = listen(host, port, handler.answer);
  const stopped = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.once(signal, stopped.resolve);
  try {
    const address = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}/${token ? `?token=${token}` : ""}`;
    process.stdout.write(`the run page is at ${address}; Ctrl-C ends it\n`);
    if (isOpened) openBrowser(address);
    await stopped.promise;
    return 0;
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
