/** A lab of its own: says which process is its server, and then has no more to do (`idle`) or plays a world for ever (`busy`). */
import process from "node:process";
import { Supervisor } from "../../lib/env/server.ts";
import { openSession } from "../../lib/env/session.ts";

const connection = await new Supervisor().connection();
const { pid } = (await connection.call("hello", {})).ok;
if (process.argv[2] === "idle") {
  process.stdout.write(`${pid}\n`);
} else {
  const env = await openSession(connection, "textworld/hunt", {});
  await env.reset();
  process.stdout.write(`${pid}\n`);
  for (;;) await env.step("look").catch(() => env.reset());
}
