/** Plays of `play_child.ts` in processes of their own, and what they left. */

import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openStore } from "../../lib/lab/store/open.ts";

/** Starts a play; its errors are shown unless `quiet`. */
export function startChild(
  store: string,
  baseUrl: string,
  steps: number,
  chains: string,
  accidents: object = {},
  quiet = false,
): ChildProcess {
  const script = fileURLToPath(new URL("play_child.ts", import.meta.url));
  const words = [store, baseUrl, String(steps), chains, JSON.stringify(accidents)];
  const env = { ...process.env, OPENAI_API_KEY: process.env["OPENAI_API_KEY"] ?? "none" };
  return spawn(process.execPath, ["run", "-A", "--no-check", script, ...words], {
    stdio: ["ignore", "ignore", quiet ? "ignore" : "inherit"],
    env,
  });
}

interface Rows {
  readonly turns: unknown[];
  readonly episodes: unknown[];
  readonly changes: unknown[];
  readonly events: unknown[];
}

/** All that decides tables and figures, without times. */
export function rowsOf(path: string): Rows {
  using store = openStore(path);
  const all = (sql: string): unknown[] => store.prepare(sql).all().map((row) => ({ ...row }));
  return {
    episodes: all(
      "select id, chain, identity, status, score, max_score, ended, steps, passes, artefact_out from episodes order by id",
    ),
    turns: all("select * from turns order by episode, pass, step"),
    changes: all("select * from graph_changes order by episode, pass, step, ordinal"),
    events: all("select * from events order by episode, pass, step, ordinal"),
  };
}
