/**
 * The real transformers.js on a tiny model of our own, in which the first number of a token's
 * vector is its id / 64.
 */

import assert from "node:assert/strict";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createTransformersEmbedder, openEmbedder } from "../../../lib/core/retrieval/mod.ts";
import { embedderSpec } from "./conformance.ts";

const folder = fileURLToPath(new URL("tiny-model", import.meta.url));

embedderSpec("transformers", () => openEmbedder(`transformers:${folder}`));

async function first(
  text: string,
  options: { pooling?: "mean" | "first"; maxTokens?: number } = {},
): Promise<number | undefined> {
  const embedder = await createTransformersEmbedder({ folder, ...options });
  const [vector] = await embedder.embed([text]);
  return vector?.[0];
}

const [CLS, SEP, KEY, WORD] = [2, 3, 4, 27];

Deno.test("createTransformersEmbedder() takes the mean of all tokens, or the first token", async () => {
  assert.equal(await first("key word"), (CLS + KEY + WORD + SEP) / 4 / 64);
  assert.equal(await first("key word", { pooling: "first" }), CLS / 64);
});

Deno.test("createTransformersEmbedder() cuts a long text and keeps its closing token", async () => {
  const close = (actual: number | undefined, wanted: number): void =>
    assert(Math.abs((actual ?? NaN) - wanted) < 1e-5, `${actual}, not ${wanted}`);
  close(await first("word ".repeat(1000)), (CLS + 254 * WORD + SEP) / 256 / 64);
  close(await first("key word word", { maxTokens: 4 }), (CLS + KEY + WORD + SEP) / 4 / 64);
});

Deno.test("createTransformersEmbedder() embeds a batch as it embeds each text alone", async () => {
  const embedder = await createTransformersEmbedder({ folder });
  const texts = Array.from({ length: 70 }, (_, i) => "word ".repeat(i));
  const vectors = await embedder.embed(texts);
  for (const [i, vector] of vectors.entries()) {
    const wanted = (CLS + i * WORD + SEP) / (i + 2) / 64;
    assert(Math.abs((vector[0] ?? NaN) - wanted) < 1e-5);
  }
});

Deno.test("createTransformersEmbedder() names model, content and pooling in its id", async () => {
  const ids = await Promise.all(
    [{}, { pooling: "first" as const }, { maxTokens: 9 }].map(async (options) =>
      (await createTransformersEmbedder({ folder, ...options })).id
    ),
  );
  assert.match(ids[0] ?? "", /^transformers-tiny-model-mean-256-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, 3);
});

Deno.test("openEmbedder() says in one line that a device is missing, and what to do", async () => {
  const elsewhere = process.platform === "win32" ? "coreml" : "dml"; // no system has both
  await assert.rejects(openEmbedder(`transformers:${folder}?device=${elsewhere}`), {
    name: "UsageError",
    message: new RegExp(
      `^[^\\n]*Unsupported device: "${elsewhere}"[^\\n]*; leave \\?device=${elsewhere} out, or see[^\\n]*$`,
    ),
  });
});
