/**
 * A process with nothing to do but to wait for the answers of one session, whose worker listens at
 * the path that is given.
 */
import process from "node:process";
import type { Connection } from "../../../lib/core/env/connection.ts";
import { openSession } from "../../../lib/core/env/session.ts";

const [path = ""] = process.argv.slice(2);
const ok = { open: { session: "s", spec: {} }, direct: { path } };
const connection = {
  call: (method: keyof typeof ok) => Promise.resolve({ ok: ok[method], images: [] }),
};
const session = await openSession(connection as unknown as Connection, "a", {}, { direct: true });
session.reset().then(async () => process.stdout.write((await session.step("look")).observation));
