/** Runs a command in this process and keeps what it prints. */

import process from "node:process";
import { mock } from "node:test";
import { main } from "../../../lib/apps/cli/main.ts";

export interface Captured {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** `./lab <args>` without the process: exit status and both outputs. */
export async function lab(...args: string[]): Promise<Captured> {
  const text = { out: "", err: "" };
  const keep = (where: "out" | "err") => (chunk: string | Uint8Array): boolean => {
    text[where] += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    return true;
  };
  const out = mock.method(process.stdout, "write", keep("out"));
  const err = mock.method(process.stderr, "write", keep("err"));
  try {
    return { status: await main(args), ...text };
  } finally {
    out.mock.restore();
    err.mock.restore();
  }
}
