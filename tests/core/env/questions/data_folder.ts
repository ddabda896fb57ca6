/** A folder of data sets for the time of a test. */

import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withVariables } from "../../../environment.ts";
import { ownFolder } from "../../../folder.ts";

/**
 * Runs with `LAB_DATA` at a folder of these files: a text as it is, a path that begins with `/` as
 * a link, the file of a URL as a copy, and any other value as JSON.
 */
export async function inData(
  files: Readonly<Record<string, unknown>>,
  body: (folder: string) => Promise<void>,
): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content instanceof URL) copyFileSync(content, path);
    else if (typeof content !== "string") writeFileSync(path, JSON.stringify(content));
    else if (content.startsWith("/")) symlinkSync(content, path);
    else writeFileSync(path, content);
  }
  using _there = withVariables({ LAB_DATA: folder });
  await body(folder);
}

/** Whether an error is a world's, of one line that a pattern describes. */
export function isLine(message: RegExp): (error: Error) => boolean {
  return (error) =>
    error.name === "WorldError" && message.test(error.message) && !error.message.includes("\n");
}
