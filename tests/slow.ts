/** Tests that take long, which `./lab test --slow` runs. */

import process from "node:process";
import { env } from "../lib/core/platform.ts";

/** Whether tests that take long are wanted; where not, a line says that `what` is left out. */
export function wantsSlow(what: string): boolean {
  const isWanted = env("LAB_SLOW") === "1";
  if (!isWanted) process.stdout.write(`skipped: ${what}, without LAB_SLOW=1\n`);
  return isWanted;
}

/** A test of this kind. */
export function slowTest(name: string, body: () => void | Promise<void>): void {
  if (wantsSlow(name)) Deno.test(name, body);
}
