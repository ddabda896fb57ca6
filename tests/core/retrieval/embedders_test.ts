import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import process from "node:process";
import { UsageError } from "../../../lib/core/errors.ts";
import { createTransformersEmbedder, openEmbedder } from "../../../lib/core/retrieval/mod.ts";
import { minilmFolder } from "../../../lib/core/retrieval/transformers.ts";
import { env } from "../../../lib/core/platform.ts";
import { embedderSpec } from "./conformance.ts";
import { dot } from "./dot.ts";

embedderSpec("lexical", () => openEmbedder("lexical"));

const folder = env("LAB_SENTENCE_MODEL");
if (folder) embedderSpec(`transformers:${folder}`, () => openEmbedder(`transformers:${folder}`));
else {process.stdout.write(
    "skipped: conformance of a sentence model of your own, which needs its folder in LAB_SENTENCE_MODEL\n",
  );}

if (existsSync(minilmFolder())) embedderSpec("minilm", () => openEmbedder("minilm"));
else {process.stdout.write(
    "skipped: conformance of all-MiniLM-L6-v2, which ./lab model minilm builds\n",
  );}

Deno.test("openEmbedder() refuses in one line what does not exist or has no model", async () => {
  for (
    const [name, wanted] of [["elephant", /choose hub/], ["openai:", /write openai:<model>/], [
      "lexical:v2",
      /takes no argument/,
    ], [
      "transformers",
      /folder/,
    ], [
      "transformers:/nowhere",
      /config\.json is missing.*\.\/lab model minilm/,
    ]] as const
  ) {
    await assert.rejects(
      openEmbedder(name),
      (error: Error) =>
        error instanceof UsageError && wanted.test(error.message) && !error.message.includes("\n"),
    );
  }
  await assert.rejects(createTransformersEmbedder({ folder: "" }), UsageError);
});

Deno.test("createLexicalEmbedder() gives the recorded vectors of lexical-v1", async () => {
  const embedder = await openEmbedder("lexical");
  const [vector] = await embedder.embed(["key 1, is in, white locker"]);
  const largest = [...vector ?? []].map((value, at) => [at, Number(value.toFixed(4))] as const)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]) || a[0] - b[0]);
  assert.deepEqual([embedder.id, embedder.dimensions, largest.slice(0, 4)], ["lexical-v1", 384, [
    [15, 0.4687],
    [31, -0.4687],
    [125, 0.3982],
    [271, 0.3801],
  ]]);
});

Deno.test("createLexicalEmbedder() tells rooms and keys apart by number and letter", async () => {
  const embedder = await openEmbedder("lexical");
  const cosine = async (a: string, b: string): Promise<number> => {
    const [x, y] = await embedder.embed([a, b]);
    return dot(x, y);
  };
  assert(
    await cosine("room a", "room a, has exit, west") >
      await cosine("room a", "room b, has exit, west"),
  );
  assert(
    await cosine("key 1", "key 1, unlocks, white locker") >
      await cosine("key 1", "key 2, unlocks, red locker"),
  );
  assert(
    await cosine("apple", "red apple, is on, table") >
      await cosine("apple", "table, is in, kitchen"),
  );
});
