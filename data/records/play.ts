/**
 * Plays studies of the record with the model itself, each for some minutes: `deno run -A play.ts
 * MINUTES STORE NAME…`. Replies that the store has are not asked again.
 */

import { openStore } from "labyrinth";
import { playStudy } from "labyrinth/lab";
import { RECORDED } from "./studies.ts";

const [minutes, path, ...names] = process.argv.slice(2);
using store = openStore(path as string);
for (const name of names) {
  const study = RECORDED[name];
  if (!study) throw new Error(`no study ${name}; there are ${Object.keys(RECORDED).join(", ")}`);
  const signal = AbortSignal.timeout(Number(minutes) * 60_000);
  const { completed, planned } = await playStudy(study, { store, signal, concurrency: 1 });
  console.log(`${name}: ${completed} of ${planned} episodes`);
}
