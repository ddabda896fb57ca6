/** Folders of tests. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, which is removed at the end of its block. */
export function ownFolder(parent: string = tmpdir()): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(parent, "labyrinth-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs with a new folder. */
export async function inFolder<T>(
  work: (folder: string) => T | Promise<T>,
  parent?: string,
): Promise<T> {
  using folder = ownFolder(parent);
  return await work(folder.path);
}
