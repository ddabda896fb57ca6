/**
 * Plays studies of the record with the model itself, each for some minutes, from the checkout's
 * root, after `./lab model qwen` (and `smollm2` for WESE):
 *
 * `.lab/tools/bin/deno run -A data/records/play.ts MINUTES STORE NAME…`
 *
 * Replies that the store has are not asked again.
 */

import process from "node:process";
import { openStore } from "labyrinth";
import { playStudy } from "labyrinth/lab";
import { PLANNED } from "./studies.ts";

const [minutes, path, ...names] = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(PLANNED, name));
if (!(Number(minutes) > 0) || path === undefined || names.length === 0 || unknown !== undefined) {
  const known = Object.keys(PLANNED).join(", ");
  console.error(`play.ts: give MINUTES STORE NAME…, with names of ${known}`);
  process.exit(2);
}
using store = openStore(path);
for (const name of names) {
  const study = PLANNED[name]!;
  const signal = AbortSignal.timeout(Number(minutes) * 60_000);
  const { completed, planned } = await playStudy(study, { store, signal, concurrency: 1 });
  console.log(`${name}: ${completed} of ${planned} episodes`);
}
