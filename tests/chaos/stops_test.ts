/**
 * Ctrl-C, SIGTERM and SIGKILL at any moment: what the lab has on record as sent is what the
 * endpoint was sent.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stopServer } from "../../lib/core/child-server.ts";
import { spawnServer } from "../../lib/core/env/server.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { verifyStore } from "../../lib/lab/store/verify.ts";
import { startEndpoint } from "../lab/endpoint.ts";
import { startChild } from "../lab/played.ts";
import { below, chaosDraw, FULL } from "./generators.ts";
import { ownFolder } from "../folder.ts";

Deno.test("chaos: an attempt on record is a request at the endpoint, whenever the lab is stopped; what a kill cut off is unknown", async () => {
  using own = ownFolder();
  const folder = own.path;
  const server = spawnServer([]);
  const { endpoint: worlds } = await server.ready;
  await using endpoint = await startEndpoint();
  const draw = chaosDraw("stops");
  const path = (story: number): string => join(folder, `${story}.sqlite`);
  let [story, killed, told] = [0, 0, 0];
  try {
    for (let n = 0; n < (FULL ? 50 : 3); n++) {
      const signal = (["SIGINT", "SIGTERM", "SIGKILL"] as const)[n % 3] ?? "SIGINT";
      const child = startChild(path(story), endpoint.baseUrl, 40, "arigraph", { worlds }, true);
      const exited = once(child, "exit");
      const wait = below(draw, 30);
      let left = 1 + below(draw, 6);
      endpoint.onRequest = () => {
        if (--left === 0) globalThis.setTimeout(() => child.kill(signal), wait); // amid this request, the next, or between them
        return draw.next() < 0.9 || left > 0; // some are never answered
      };
      const [status] = await exited;
      await setTimeout(50); // what was sent has arrived
      if (signal === "SIGKILL") killed++;
      {
        using store = openStore(path(story));
        const count = (sql: string): number =>
          Number(store.prepare(`select count(*) as n from attempts where ${sql}`).get()?.["n"]);
        const open = count("outcome is null");
        assert.ok(
          signal === "SIGKILL" ? open <= 1 : open === 0,
          `${n}: ${signal} left ${open} attempts under way`,
        );
        const unsent = count("true") - endpoint.requests;
        assert.ok(
          unsent >= 0 && unsent <= killed,
          `${n}: ${signal}: ${count("true")} attempts for ${endpoint.requests} requests`,
        );
        if (signal !== "SIGKILL") {
          assert.equal(unsent, told, `${n}: a stop in order leaves a row without a request`);
        }
        told = unsent;
        assert.ok(count("outcome = 'unknown'") >= unsent - open, "what has a row alone is unknown");
        assert.deepEqual(verifyStore(store).problems, []);
      }
      if (status === 0) [story, killed, told, endpoint.requests] = [story + 1, 0, 0, 0];
    }
    if (FULL) console.log(`  50 stops of ${story + 1} studies`);
  } finally {
    await stopServer(server);
  }
});
