/** Packages of Python for tests, by uv. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { checkoutRoot } from "../lib/core/platform.ts";

const { UV_PROJECT_ENVIRONMENT: _, ...bare } = process.env;

/** Runs uv outside the lab's own environment, and returns what it printed. */
export async function uv(
  words: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return (await promisify(execFile)("uv", words, { cwd, env: { ...bare, ...env } })).stdout;
}

/** The memory of a package, whose environment is set up. */
export async function packaged(
  folder: string,
  file: string = `${folder}_memory.py`,
): Promise<string> {
  const place = join(checkoutRoot(), "data", "examples", "memories", folder);
  await uv(["sync", "--quiet", "--frozen", "--project", place]);
  return `python:${join(place, file)}`;
}
