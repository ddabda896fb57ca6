/** Tests that take long, which `./lab test --slow` runs. */

import process from "node:process";
import { env } from "../lib/platform.ts";

/** Whether they are wanted. */
export const SLOW = env("LAB_SLOW") === "1";

/** A test that is run with LAB_SLOW=1; else a line says that it is left out. */
export function slowTest(name: string, body: () => void | Promise<void>): void {
  if (SLOW) Deno.test(name, body);
  else process.stdout.write(`skipped: ${name}, which wants LAB_SLOW=1\n`);
}
