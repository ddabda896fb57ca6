/** The folder in which a user keeps the official data sets. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../errors.ts";
import { checkoutRoot, env } from "../../platform.ts";

/** A file of an official data set. */
export interface OfficialFile {
  /** Folder of the set inside the data folder. */
  readonly folder: string;
  /** Name of the file. */
  readonly file: string;
  /** Its publisher and the address. */
  readonly publisher: string;
  /** Number of its records, as it is published. */
  readonly records?: number;
}

export function officialPath({ folder, file }: OfficialFile): string {
  return join(env("LAB_DATA") ?? join(checkoutRoot(), "data", "external"), folder, file);
}

export function missingFile(official: OfficialFile): string | undefined {
  const path = officialPath(official);
  if (existsSync(path)) return undefined;
  const { file, publisher } = official;
  return `there is no ${path}: get ${file} from ${publisher} and put it there, or set LAB_DATA to the folder that holds ${official.folder}/`;
}

export function requireFile(official: OfficialFile): string {
  const problem = missingFile(official);
  if (problem !== undefined) throw new UsageError(problem);
  return officialPath(official);
}
