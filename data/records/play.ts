/**
 * Plays studies of the record with the model itself, each for some minutes, from the checkout's
 * root, after `./lab model qwen` (and `smollm2` for WESE):
 *
 * `.lab/tools/bin/deno run -A data/records/play.ts MINUTES STORE NAME[:AT_ONCE]…`
 *
 * AT_ONCE episodes are played side by side, one by default. Replies that the store has are not
 * asked again; an interrupt from the keyboard stops at once, and loses those under way.
 */

import process from "node:process";
import { openStore } from "labyrinth";
import { playStudy } from "labyrinth/lab";
import { PLANNED } from "./studies.ts";

const [minutes, path, ...plans] = process.argv.slice(2);
const studies = plans.map((plan) => {
  const [name = "", atOnce = "1"] = plan.split(":");
  return { name, concurrency: Number(atOnce) };
});
const isPlayed = studies.length > 0 && path !== undefined && Number(minutes) > 0 &&
  studies.every(({ name, concurrency }) => Object.hasOwn(PLANNED, name) && concurrency >= 1);
if (!isPlayed) {
  const known = Object.keys(PLANNED).join(", ");
  console.error(`play.ts: give MINUTES STORE NAME[:AT_ONCE]…, with names of ${known}`);
  process.exit(2);
}
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
using store = openStore(path);
for (const { name, concurrency } of studies) {
  const signal = AbortSignal.any([
    interrupted.signal,
    AbortSignal.timeout(Number(minutes) * 60_000),
  ]);
  const { completed, planned } = await playStudy(PLANNED[name]!, { store, signal, concurrency });
  console.log(`${name}: ${completed} of ${planned} episodes`);
}
