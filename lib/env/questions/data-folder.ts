/**
 * Where a user keeps the official data sets.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../errors.ts";
import { checkoutRoot, env } from "../../platform.ts";

/** An official file that a user brings. */
export interface OfficialFile {
  /** Folder of the set inside the data folder. */
  readonly folder: string;
  /** Name of the file. */
  readonly file: string;
  /** Who publishes it, and where. */
  readonly publisher: string;
}

/** Path of the file: in `LAB_DATA`, or in `data/external` where that is unset. */
export function officialPath({ folder, file }: OfficialFile): string {
  return join(env("LAB_DATA") ?? join(checkoutRoot(), "data", "external"), folder, file);
}

/** What is missing, in one line; `undefined` if nothing is. */
export function missingFile(official: OfficialFile): string | undefined {
  const path = officialPath(official);
  if (existsSync(path)) return undefined;
  const { file, publisher } = official;
  return `there is no ${path}: get ${file} from ${publisher} and put it there, or set LAB_DATA to the folder that holds ${official.folder}/`;
}

/** The path. @throws {UsageError} where the file is missing, naming it, its publisher and its folder. */
export function requireFile(official: OfficialFile): string {
  const problem = missingFile(official);
  if (problem !== undefined) throw new UsageError(problem);
  return officialPath(official);
}
