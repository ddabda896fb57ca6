/** Servers in Python as children: what they print is bounded. */

import assert from "node:assert/strict";
import { startServer } from "../../lib/core/child-server.ts";

const failure = (why: string): Error => new Error(why);

Deno.test("a line without an end does not fill the memory of the lab", async () => {
  const script = "head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 3";
  const { exited, ready } = startServer("sh", ["-c", script], { failure });
  const why = await exited;
  assert.match(why, /^status 3: xxx/);
  assert.ok(why.length < 70_000, `${why.length}`);
  await assert.rejects(ready, /status 3/);
});

Deno.test("of several lines the last ones are told, whatever ends them", async () => {
  const script = "printf 'a\\nb\\r\\nc\\rd\\n\\ne' >&2; exit 3";
  assert.equal(await startServer("sh", ["-c", script], { failure }).exited, "status 3: c: d: e");
});
