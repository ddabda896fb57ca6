/**
 * The version of the code, as it is recorded with replies.
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { checkoutRoot } from "../platform.ts";

let version: string | undefined;

/** Finds the commit of the checkout, with `+` where tracked files differ from it; `unversioned` outside of a repository. */
export function codeVersion(): string {
  return version ??= read();
}

function read(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", checkoutRoot(), ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    return git("rev-parse", "--short=12", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+");
  } catch {
    return "unversioned";
  }
}
