/** The Hub's address is a server of ours that hands out the tiny model of these tests. */

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../../lib/core/errors.ts";
import { checkoutRoot, useCheckout } from "../../../lib/core/platform.ts";
import { openEmbedder } from "../../../lib/core/retrieval/mod.ts";
import { embedderSpec } from "./conformance.ts";
import { withVariables } from "../../environment.ts";

const model = fileURLToPath(new URL("tiny-model/", import.meta.url));
const home = checkoutRoot();
const folder = mkdtempSync(join(tmpdir(), "lab-hub-"));
const stop = new AbortController();
const asked: string[] = [];
const FIRST: Record<string, unknown> = {
  pooling_mode_cls_token: true,
  pooling_mode_mean_tokens: false,
};
const files: Record<string, string> = {
  "first/1_Pooling/config.json": JSON.stringify(FIRST),
  "first/sentence_bert_config.json": `{"max_seq_length": 9}`,
  "max/1_Pooling/config.json": JSON.stringify({
    ...FIRST,
    pooling_mode_cls_token: false,
    pooling_mode_max_tokens: true,
  }),
};
const server = Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  signal: stop.signal,
  onListen: () => {},
}, (request) => {
  const path = new URL(request.url).pathname;
  asked.push(path);
  const [, name = "", file = ""] = /^\/me\/(\w+)\/resolve\/v1\/(.*)$/.exec(path) ?? [];
  const own = files[`${name}/${file}`];
  if (own !== undefined) return new Response(own);
  return existsSync(model + file) && file !== ""
    ? new Response(readFileSync(model + file))
    : new Response("none", { status: 404 });
});

let variables: Disposable;
Deno.test.beforeAll(() => {
  symlinkSync(join(home, "data"), join(folder, "data"));
  useCheckout(folder);
  variables = withVariables({ HF_ENDPOINT: `http://127.0.0.1:${server.addr.port}` });
});

Deno.test.afterAll(async () => {
  useCheckout(home);
  variables[Symbol.dispose]();
  stop.abort();
  await server.finished;
  rmSync(folder, { recursive: true });
});

embedderSpec("hub", () => openEmbedder("hub:me/plain@v1"));

Deno.test("openEmbedder() fetches a model of the Hub once, and takes pooling and length from its own files", async () => {
  const embedder = await openEmbedder("hub:me/first@v1");
  assert.match(embedder.id, /^hub-me\/first@v1-first-9-[0-9a-f]{12}$/);
  const [vector] = await embedder.embed(["key word"]);
  assert.equal(vector?.[0], 2 / 64, "the vector of the first token");
  assert.ok(
    existsSync(join(folder, ".lab", "models", "hub", "me", "first", "v1", "onnx", "model.onnx")),
  );
  const before = asked.length;
  assert.equal((await openEmbedder("hub:me/first@v1?device=cpu")).id, embedder.id);
  assert.equal(asked.length, before, "nothing is fetched again");
});

Deno.test("openEmbedder() refuses in one line a model of the Hub that it cannot fetch, pool or name", async () => {
  const refused: [string, RegExp][] = [
    ["hub:me/max@v1", /pools neither by the mean nor by the first token/],
    [
      "hub:me/none@v2",
      /cannot fetch the sentence model me\/none@v2 from .*: it needs the network once; .*\.\/lab model minilm/,
    ],
    ["hub:me/plain", /names no revision/],
    [
      "hub:me/plain@v1?device=tpu",
      /no device for embedders "tpu"; did you mean "cpu"\?; there are cpu, cuda/,
    ],
  ];
  for (const [name, wanted] of refused) {
    await assert.rejects(openEmbedder(name), (error: Error) => {
      assert.ok(error instanceof UsageError && !error.message.includes("\n"), String(error));
      return assert.match(error.message, wanted) ?? true;
    });
  }
  using _none = withVariables({ HF_ENDPOINT: "http://127.0.0.1:9" });
  await assert.rejects(
    openEmbedder("hub:me/other@v1"),
    /cannot fetch the sentence model me\/other@v1 .*needs the network once/,
  );
  using _secret = withVariables({ HF_ENDPOINT: "http://127.0.0.1:9/?token=of-mine" });
  await assert.rejects(
    openEmbedder("hub:me/other@v1"),
    ({ message }: Error) => !message.includes("of-mine"),
  );
});
