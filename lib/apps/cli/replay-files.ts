/** The files that a replay is told of. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";

/** The file itself, or those of a folder that end so, sorted; `what` they are, for messages. @throws {UsageError} if there are none. */
export function filesAt(path: string, ending: string, what: string): string[] {
  if (!existsSync(path)) {
    const near = existsSync(dirname(path)) ? didYouMean(basename(path), readdirSync(dirname(path))) : "";
    throw new UsageError(`cannot replay ${path}: there is no such file or folder${near}; give ${what}`);
  }
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => name.endsWith(ending)).sort();
  if (files.length === 0) throw new UsageError(`cannot replay ${path}: the folder holds no ${ending} file; give the folder of ${what}`);
  return files.map((name) => join(path, name));
}

/** A file's text. @throws {UsageError} where it has none that can be read: a folder, or more than fits into a string. */
export function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`cannot replay ${path}: ${(error as Error).message.split(",")[0]}; give a file of ${what}`, { cause: error });
  }
}
