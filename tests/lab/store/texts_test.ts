import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { getReplyRow, putReply } from "../../../lib/lab/store/replies.ts";
import { replyRow, withFile } from "./filled.ts";

Deno.test("long texts are stored in less than a third of their bytes, each by itself, and read back as they were", () => {
  using store = openStore(":memory:");
  const reply = {
    text: 'It is a "long" reply of ∞ words, written in prose. '.repeat(20),
    finish: "stop",
  };
  putReply(store, { ...replyRow(1), reply });
  const row = store.database.prepare("select request, reply from packed_replies").get();
  assert.ok((row?.["reply"] as Uint8Array).length < JSON.stringify(reply).length / 3);
  assert.deepEqual(getReplyRow(store, replyRow(1).key)?.reply, reply);
  assert.deepEqual(getReplyRow(store, replyRow(1).key)?.request, replyRow(1).request);
});

Deno.test("Python's standard library reads the texts of a store", () =>
  withFile((path) => {
    const script = `
import json, sqlite3, zlib
db = sqlite3.connect(${JSON.stringify(path)})
db.create_function("unpacked", 1, lambda v: zlib.decompress(v).decode() if isinstance(v, bytes) else v)
print(json.dumps([json.loads(t)["note"] for (t,) in db.execute("select truth from truths")]))`;
    const { stdout, stderr } = spawnSync(join(checkoutRoot(), "envs/.venv/bin/python"), [
      "-c",
      script,
    ], { encoding: "utf8" });
    assert.deepEqual(JSON.parse(stdout || `"${stderr}"`), new Array(28).fill("x".repeat(200)));
  }));
