/**
 * Which Labyrinth this is.
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { projectRoot } from "../platform.ts";

let version: string | undefined;

/** The commit of the checkout, with `+` where files differ from it; `unversioned` outside of a repository. Recorded with replies, never keyed. */
export function codeVersion(): string {
  return version ??= read();
}

function read(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", projectRoot, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("rev-parse", "--short=12", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+");
  } catch {
    return "unversioned";
  }
}
