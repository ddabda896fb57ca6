/**
 * Opens a corpus in a process of its own, which can be killed or kept short of disk: `<folder>`.
 * Says how many pages there are, or what is wrong.
 */

import process from "node:process";
import { lookAtFolder, openWikiFolder } from "../../../../lib/core/env/questions/wiki-folder.ts";

const said = await openWikiFolder(lookAtFolder(process.argv[2] ?? ""))
  .then(
    ({ size }) => String(size),
    ({ kind, message }: { kind?: string; message: string }) => `${kind}: ${message}`,
  );
process.stdout.write(said);
