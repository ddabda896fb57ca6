/**
 * Failing file systems for tests: a library that makes calls of the operating system fail (see
 * `faults.c`).
 */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * Compiles the library into a folder, for `LD_PRELOAD`; `undefined`, after a line that says why,
 * where that cannot be done.
 */
export function faultLibrary(folder: string): string | undefined {
  const library = join(folder, "faults.so");
  const source = fileURLToPath(new URL("faults.c", import.meta.url));
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"], {
    encoding: "utf8",
  });
  if (process.platform === "linux" && compiled.status === 0) return library;
  process.stdout.write(
    `skipped: failing file systems, which need Linux and cc (${
      compiled.error?.message ?? compiled.stderr.trim()
    })\n`,
  );
  return undefined;
}
