/**
 * A lab of its own: has worlds, says so, and then has no more to do (`idle`) or plays for ever
 * (`busy`).
 */
import process from "node:process";
import { connectWorlds } from "../../../lib/core/env/mod.ts";

const worlds = connectWorlds();
if (process.argv[2] === "idle") {
  await (await worlds.open("textworld/hunt")).close();
  process.stdout.write("ready\n");
  for await (const _ of process.stdin); // until it has been looked at
} else {
  const env = await worlds.open("textworld/hunt");
  await env.reset();
  process.stdout.write("ready\n");
  for (;;) await env.step("look").catch(() => env.reset());
}
